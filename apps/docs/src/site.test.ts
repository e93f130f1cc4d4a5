import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { checkSite } from './checkSite.ts'
import { listStories, type Story, writeStates } from './writeStates.ts'

const kit = join(import.meta.dirname, '../../../packages/wallet-kit/src')

let stories: Story[]
beforeAll(async () => {
  stories = await listStories()
})

test('behavior: every story of the kit is on the page of states', () => {
  const page = writeStates(stories)
  expect(page).toContain('## Connect dialog, over the relay\n')
  const links = [...page.matchAll(/"\/storybook\/\?path=\/story\/([\w-]+)"/g)].map(([, id]) => id)
  expect(links.length).toBeGreaterThan(80)
  expect(links).toEqual(stories.filter(({ type }) => type === 'story').map(({ id }) => id))
})

test('behavior: the links on pages of Storybook lead to its stories and pages', () => {
  const files = globSync('**/*.mdx', { cwd: kit })
  const links = files.flatMap((file) => [
    ...readFileSync(join(kit, file), 'utf8').matchAll(/\?path=\/(story|docs)\/([\w-]+)/g),
  ])
  expect(links.length).toBeGreaterThan(5)
  expect(links.filter(([, type, id]) => !stories.some((it) => it.id === id && it.type === type))).toEqual([])
})

/** Writes a site that lacks nothing, with these changes; a file with `undefined` is left out. */
function writeSite(changes: Readonly<Record<string, string | undefined>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'site-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = {
    'index.html': '',
    'index.md': '',
    'kit/start.html': '',
    'kit/start.md': '',
    '404.html': '',
    'storybook/iframe.html': '',
    'llms.txt': '- [Start](/kit/start.md)\n',
    'static/search_index.en.1a2b.json': '[{ "routePath": "/" }, { "routePath": "/kit/start" }]',
    ...changes,
  }
  for (const [file, text] of Object.entries(files)) {
    if (text === undefined) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

test('behavior: a site whose pages all can be found and read as Markdown', () =>
  expect(checkSite(writeSite())).toEqual([]))

test.each([
  ['a page without its Markdown', { 'kit/start.md': undefined }, 'There is no /kit/start.md.'],
  [
    'a page that the search does not know',
    { 'static/search_index.en.1a2b.json': '[{ "routePath": "/" }]' },
    'The search does not know /kit/start.',
  ],
  ['a page that llms.txt does not list', { 'llms.txt': '# Kit\n' }, 'llms.txt does not list /kit/start.md.'],
  [
    'a page that llms.txt lists and the site lacks',
    { 'llms.txt': '- [Start](/kit/start.md)\n- [A](/a.md)\n' },
    'llms.txt lists /a.md, which is no page.',
  ],
])('error: %s', (_, changes, problem) => expect(checkSite(writeSite(changes))).toEqual([problem]))

test('error: a site without a search', () =>
  expect(checkSite(writeSite({ 'static/search_index.en.1a2b.json': undefined }))).toHaveLength(2))
