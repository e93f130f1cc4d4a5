import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listStories, readStories } from './listStories.ts'
import { writeStates } from './writeStates.ts'

test('behavior: a story has the address that Storybook gives it', () => {
  const text =
    "export default {\n  title: 'Wallet kit/Connect dialog, over the relay',\n}\nexport const ListOnPhone: Story = {}\n"
  expect(readStories(text, 'a.stories.tsx')).toEqual([
    {
      title: 'Wallet kit/Connect dialog, over the relay',
      name: 'List On Phone',
      id: 'wallet-kit-connect-dialog-over-the-relay--list-on-phone',
    },
  ])
})

test('error: a file of stories without a title is named', () =>
  expect(() => readStories('export const A: Story = {}', 'a.stories.tsx')).toThrow('a.stories.tsx has no title.'))

test('behavior: every story of the kit is on the page of states', () => {
  const stories = listStories(join(import.meta.dirname, '../../../packages/wallet-kit/src'))
  expect(stories.length).toBeGreaterThan(80)
  const page = writeStates(stories)
  expect(stories.filter(({ id }) => !page.includes(`/story/${id}"`))).toEqual([])
})
