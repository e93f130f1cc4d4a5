import type { Story } from './listStories.ts'

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
