import { join } from 'node:path'
import { buildIndex } from 'storybook/internal/core-server'

/** A story of the kit, or a page of its Storybook, with its address there. */
export type Story = { title: string; name: string; id: string; type: 'story' | 'docs' }

/** Lists the stories and pages of the kit, as Storybook indexes them. */
export async function listStories(): Promise<Story[]> {
  const { entries } = await buildIndex({ configDir: join(import.meta.dirname, '../../../.storybook') })
  return Object.values(entries).filter(({ title }) => title.startsWith('Wallet kit/'))
}

/**
 * Returns the page that lists every state of the button and the dialogs, with links to their stories in the site's
 * Storybook.
 */
export function writeStates(all: readonly Story[]): string {
  const stories = all.filter(({ type }) => type === 'story')
  const titles = [...new Set(stories.map(({ title }) => title))]
  const sections = titles.map((title) => {
    const links = stories
      .filter((it) => it.title === title)
      .map(({ name, id }) => `- <a href="/storybook/?path=/story/${id}">${name}</a>`)
    return `## ${title.replace('Wallet kit/', '')}\n\n${links.join('\n')}`
  })
  return [intro, ...sections].join('\n\n').concat('\n')
}

const intro = `# States of the dialogs

Every state of the button and the dialogs is a story: a real kit with scripted wallets, on a page with a connect button. The links
lead to Storybook, where you can change the language, the colour scheme and the width. Each story is a test too, which axe checks
for accessibility.

Which event leads from which step to which is a table in the code: [of the connect dialog](/kit/the-connect-dialog-as-a-table), and
[of the sign-in dialog](/kit/sign-in). Run \`pnpm storybook\` to see the stories of your own checkout.`
