import { join } from 'node:path'
import { buildIndex } from 'storybook/internal/core-server'

/** A story of the kit, or a page of its Storybook, with its address there. */
export type Story = { title: string; name: string; id: string; type: 'story' | 'docs' }

/** Lists the stories and pages of the kit, as Storybook indexes them. */
export async function listStories(): Promise<Story[]> {
  const { entries } = await buildIndex({ configDir: join(import.meta.dirname, '../../../.storybook') })
  return Object.values(entries).filter(({ title }) => title.startsWith('Wallet kit/'))
}
