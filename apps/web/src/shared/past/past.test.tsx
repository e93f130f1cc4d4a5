import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { addressOf, createForest, now } from '../../../test/forest.ts'
import { announced, loadedSection, renderApp } from '../../../test/renderApp.tsx'

const forest = createForest()
const member = addressOf(1)
const day = '2026-06-01'
const until = Date.parse(day) / 1_000 + 86_399
const joined = (index: number) => (forest.rows[index]?.joinedAt ?? 0) <= until
let closing: (() => Promise<void>) | undefined

const open = async (path: string, state: Parameters<typeof renderApp>[1] = {}) => {
  const app = await renderApp(path, { language: 'en', ...state })
  closing = app.close
  return app
}
afterEach(async () => {
  await closing?.()
  closing = undefined
})
/** Clicks inside an awaited `act`, because the result of the click suspends. */
const click = (element: HTMLElement) => act(() => userEvent.click(element))
const banner = () => screen.findByRole('complementary', { name: 'Show a past day or block' })
const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextSibling?.textContent

test.each(['/search', '/'])(
  'behavior: %s shows the card of a day, and links keep the day',
  async (path) => {
    await open(`${path}?address=${member}&asOf=${day}`)
    expect(await screen.findByText(/^As of Jun 1, 2026, 11:59:59 PM UTC/)).toBeTruthy()
    expect(fact('Team')).toBe(new Intl.NumberFormat('en').format(forest.levels(1).flat().filter(joined).length))
    const hrefs = ['View downstream', 'View upstream'].map((name) =>
      screen.getByRole('link', { name }).getAttribute('href'),
    )
    expect(hrefs).toEqual(['/referrals', '/referrers'].map((to) => `${to}?address=${member}&asOf=${day}`))
    await click(within(await banner()).getByRole('link', { name: 'Show current data' }))
    await waitFor(() => expect(screen.queryByText(/^As of Jun/)).toBeNull())
  },
  60_000,
)

test('behavior: amounts of a day come after its counts', async () => {
  await open(`/search?address=${member}&asOf=${day}`)
  await waitFor(() => expect(fact('Team volume')).toMatch(/^[\d,.]+M?\sUSDT$/))
})

test('error: the counts of a day stay when its amounts cannot be loaded', async () => {
  await open(`/search?address=${member}&asOf=${day}`, { brokenOn: 'amounts=true' })
  expect((await screen.findByRole('alert')).textContent).toContain('Lookup service unreachable')
  expect(fact('Team')).toMatch(/^[\d,]+$/)
})

test('behavior: the moment is named by its time and its block, whichever was asked for', async () => {
  const { api } = await open(`/search?address=${member}&asOf=${day}`)
  const { block } = api.state
  const text = (await screen.findByText(/^As of Jun 1, 2026, 11:59:59 PM UTC \(block/)).textContent ?? ''
  const found = Number(/block ([\d,]+)\)/.exec(text)?.[1]?.replaceAll(',', ''))
  const timeOf = (at: number) => now - (block - at) * 31
  expect([timeOf(found) <= until, timeOf(found + 1) > until]).toEqual([true, true])
  await click(screen.getByRole('button', { name: 'Another day' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'or block number' }), String(found))
  await click(screen.getByRole('button', { name: 'Show' }))
  expect(await screen.findByText(/^As of Jun 1, 2026, 11:59:\d\d PM UTC \(block/)).toBeTruthy()
})

test('behavior: a moment keeps what was asked for while no node answers', async () => {
  await open(`/search?address=${member}&asOf=40000300`, { node: 'broken' })
  expect(await screen.findByText('As of block 40,000,300')).toBeTruthy()
})

test.each([
  ['day', day, {}, /\(block /, /^As of Jun 1, 2026, 11:59:59 PM UTC$/],
  ['block', '40000300', {}, /\(block /, /^As of .*, 20\d\d, .* UTC \(block 40,000,300\)$/],
  ['block without a node', '40000300', { node: 'broken' }, /^As of block/, /^As of block 40,000,300$/],
] as const)(
  'a %s is announced once, with its date if a node tells it',
  async (_, asOf, state, shown, expected) => {
    await open(`/search?address=${member}&asOf=${asOf}`, state)
    await screen.findByText((text) => /^As of/.test(text) && shown.test(text))
    const said = () => announced().filter((text) => text.startsWith('As of'))
    await waitFor(() => expect(said()).not.toEqual([]))
    expect(said()).toEqual([expect.stringMatching(expected)])
  },
  60_000,
)

test('behavior: a press shows 200 more referrers of a block', async () => {
  await open(`/referrers?address=${addressOf(1_200)}&asOf=40500000`, { line: 1_300 })
  const table = await screen.findByRole('table', { name: 'Upstream at that time' })
  const rows = () => within(table).getAllByRole('row')
  expect(rows().length).toBe(51)
  await click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(rows().length).toBe(251))
})

test('behavior: the directs of a block, page by page and by team', async () => {
  await open(`/referrals?address=${member}&asOf=40000300`)
  const rows = () => within(screen.getByRole('table', { name: 'Direct referrals at that time' })).getAllByRole('row')
  await screen.findByRole('table', { name: 'Direct referrals at that time' })
  expect(screen.getByText(/^As of .*block 40,000,300/)).toBeTruthy()
  expect(rows().length).toBe(51)
  await click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(rows().length).toBe(121))
  await click(screen.getByRole('radio', { name: 'Team' }))
  await waitFor(() => expect(rows().length).toBe(51))
})

test('behavior: the link of a past downline shows all of it, one level, and those who pass a filter', async () => {
  await open(`/referrals?address=${addressOf(0)}&asOf=40000300&level=all`)
  const table = await screen.findByRole('table', { name: 'Whole downline at that time' })
  expect(within(table).getByRole('columnheader', { name: 'Level' })).toBeTruthy()
  const levels = await screen.findByRole('toolbar', { name: 'Levels' })
  await click(within(levels).getAllByRole('button', { name: /^Level 2/ })[0] as HTMLElement)
  await screen.findByRole('table', { name: 'Level 2 at that time' })
  await click(screen.getByRole('button', { name: 'Filter' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Team at least' }), '5')
  expect(screen.queryByLabelText(/^Amounts from/)).toBeNull()
  await click(screen.getByRole('button', { name: 'Show results' }))
  expect(await screen.findByText(/^\d+ match$/)).toBeTruthy()
  const teams = within(await screen.findByRole('table', { name: 'Whole downline at that time' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => Number(row.querySelectorAll('td')[1]?.textContent?.replaceAll(',', '')))
  expect(Math.min(...teams)).toBeGreaterThanOrEqual(5)
  expect(screen.getByRole('button', { name: 'Export CSV' })).toBeTruthy()
  expect(screen.getByText(/^Whole downline at that time · [\d,]+ rows · /)).toBeTruthy()
})

test('behavior: a past downline says that it does not show the amounts of days', async () => {
  await open(`/referrals?address=${member}&asOf=40000300&dayFrom=2026-08-01`)
  expect(await screen.findByText(/^The link asks for amounts of some days/)).toBeTruthy()
})

test.each(['level=all', 'level=1&dayFrom=2026-08-01'])('behavior: a past downline by team: ?%s', async (query) => {
  await open(`/referrals?address=${addressOf(0)}&asOf=40000300&${query}`)
  await click(await screen.findByRole<HTMLInputElement>('radio', { name: 'Team' }))
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Team' }).checked).toBe(true))
  expect(await screen.findByRole('table')).toBeTruthy()
})

test('behavior: the upline of a block', async () => {
  await open(`/referrers?address=${addressOf(2)}&asOf=40000300`)
  const table = await screen.findByRole('table', { name: 'Upstream at that time' })
  expect(
    within(table)
      .getAllByRole('row')
      .map((row) => row.textContent?.slice(0, 6)),
  ).toEqual([
    'Member',
    expect.stringContaining(addressOf(1).slice(0, 4)),
    expect.stringContaining(addressOf(0).slice(0, 4)),
  ])
})

test('behavior: a day is chosen on the address page, a block in the banner', async () => {
  await open(`/search?address=${member}`)
  await click(await screen.findByRole('button', { name: 'Time: now' }))
  await click(await screen.findByRole('menuitem', { name: 'A past day' }))
  fireEvent.change(await screen.findByLabelText('Day', { selector: '[type="date"]' }), { target: { value: day } })
  await click(screen.getByRole('button', { name: 'Show' }))
  await click(await within(await banner()).findByRole('button', { name: 'Another day' }))
  const field = await within(await banner()).findByRole('textbox', { name: 'or block number' })
  await userEvent.type(field, 'x')
  await click(screen.getByRole('button', { name: 'Show' }))
  expect(screen.getByText('Enter a block number, such as 40123456.')).toBeTruthy()
  expect(document.activeElement).toBe(field)
  await userEvent.clear(field)
  await userEvent.type(field, '40,001,000')
  await click(screen.getByRole('button', { name: 'Show' }))
  expect(await screen.findByText(/^As of .*block 40,001,000/)).toBeTruthy()
})

test('behavior: on a day that has not ended, the parts and the card keep the block that the page names', async () => {
  const today = new Date(now * 1_000).toISOString().slice(0, 10)
  const { api } = await open(`/referrals?address=${member}&asOf=${today}`)
  await screen.findByRole('table', { name: 'Direct referrals at that time' })
  const named = (await screen.findByText(/^Data read up to block/)).textContent
  api.state.block += 7
  // Only requests for the block are answered from now on.
  api.state.brokenOn = `asOf=${today}`
  await click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(screen.getAllByRole('row').length).toBe(127))
  expect(screen.getByText(/^Data read up to block/).textContent).toBe(named)
})

test.each([
  ['2099-01-01', /^This day is in the future/],
  ['2020-01-01', /^The community did not exist yet/],
  ['1', /^The community did not exist yet/],
  ['99999999', /^Block 99999999 has not been read yet/],
  ['<b>', /^“<b>” in the link is neither a day/],
])(
  'error: asOf=%s says what to do, and another day can be chosen',
  async (asOf, text) => {
    await open(`/search?address=${member}&asOf=${encodeURIComponent(asOf)}`)
    expect((await screen.findByRole('alert')).textContent).toMatch(text)
    expect(within(await banner()).getByRole('button', { name: 'Show' })).toBeTruthy()
  },
  60_000,
)

test('error: a day before the first event of the address', async () => {
  await open(`/search?address=${addressOf(1_590)}&asOf=${day}`)
  expect((await screen.findByRole('alert')).textContent).toMatch(/^This address had no valid bind yet/)
})

test('behavior: a block that is not indexed yet is shown once it is', async () => {
  const { api } = await open(`/search?address=${member}&asOf=41000002`)
  await screen.findByText(/^Block 41000002 has not been read yet/)
  api.state.block += 2
  expect(await screen.findByText(/^As of .*block 41,000,002/)).toBeTruthy()
})

test('error: the lookup service fails', async () => {
  await open(`/search?address=${member}&asOf=${day}`, { brokenOn: 'asOf' })
  expect((await screen.findByRole('alert')).textContent).toContain('Lookup service unreachable')
})

test('behavior: the list of communities says that it shows current data only', async () => {
  await open(`/metrics?view=communities&asOf=${day}`)
  expect(await screen.findByText(/^This page shows current data only\./)).toBeTruthy()
})

test('behavior: network-wide data offers its past, and shows the figures of the day', async () => {
  await open('/metrics')
  await click(await screen.findByRole('button', { name: 'Time: now' }))
  const choice = await screen.findByRole('menuitem', { name: 'A past day' })
  expect(screen.getAllByRole('menuitem')).toEqual([choice])
  await click(choice)
  fireEvent.change(await screen.findByLabelText('Day', { selector: '[type="date"]' }), { target: { value: day } })
  await click(screen.getByRole('button', { name: 'Show' }))
  expect(await screen.findByText(/^As of Jun 1, 2026, 11:59:59 PM UTC/)).toBeTruthy()
  const members = new Intl.NumberFormat('en').format(forest.rows.filter(({ joinedAt }) => joinedAt <= until).length)
  expect(within(screen.getByRole('region', { name: 'Members' })).getByTitle(members)).toBeTruthy()
  expect(screen.getByText(/^7 and 30 days are whole days of UTC/).textContent).not.toContain('today')
  expect(await screen.findByRole('table', { name: 'Members by depth' })).toBeTruthy()
  const binds = await screen.findByRole('table', { name: 'Latest bind events' })
  expect(within(binds).getAllByText(/Jun 1, 2026/)).not.toEqual([])
  const risers = await loadedSection('Fastest growing teams')
  expect(await within(risers).findByText(/Jun 1, 2026/)).toBeTruthy()
  expect(await loadedSection('Active members')).toBeTruthy()
  await click(within(await banner()).getByRole('link', { name: 'Show current data' }))
  await waitFor(() => expect(screen.queryByText(/^As of Jun/)).toBeNull())
})

test('behavior: a relation offers its past, which keeps both addresses and names its moment', async () => {
  const { api } = await open(`/referrers?view=relation&address=${addressOf(80)}&to=${addressOf(1)}`)
  await click(await screen.findByRole('button', { name: 'Time: now' }))
  await click(await screen.findByRole('menuitem', { name: 'A past day' }))
  fireEvent.change(await screen.findByLabelText('Day', { selector: '[type="date"]' }), { target: { value: day } })
  await click(screen.getByRole('button', { name: 'Show' }))
  expect(await screen.findByText(/^As of Jun 1, 2026, 11:59:59 PM UTC/)).toBeTruthy()
  expect(await screen.findByText('A is a direct referral of B')).toBeTruthy()
  const line = await screen.findByRole('list', { name: /^From A up/ })
  expect(within(line).getAllByRole('listitem').length).toBe(2)
  expect(screen.queryByRole('button', { name: 'Check on chain' })).toBeNull()
  expect(api.requests.filter((path) => path.endsWith('/relation/line'))).not.toEqual([])
})

test('error: a relation names the address that was not known at a past moment', async () => {
  await open(`/referrers?view=relation&address=${member}&to=${addressOf(1_590)}&asOf=${day}`)
  expect((await screen.findByRole('alert')).textContent).toContain(`${addressOf(1_590).slice(0, 4)}`)
})

/** Records the texts that are drawn on canvases, which jsdom does not have. */
function recordDrawnTexts(): string[] {
  const texts: string[] = []
  const parts: Record<string, unknown> = {
    fillText: (text: string) => void texts.push(text),
    measureText: () => ({ width: 100 }),
  }
  const context = new Proxy(parts, {
    get: (target, name: string) => target[name] ?? (() => {}),
  })
  vi.stubGlobal('Path2D', class {})
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue('data:,')
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  return texts
}

test('behavior: the card of a past page is of the same moment', async () => {
  const texts = recordDrawnTexts()
  await open(`/referrals?address=${member}&asOf=${day}`)
  await click(await screen.findByRole('button', { name: 'More actions' }))
  await click(await screen.findByRole('menuitem', { name: 'Card' }))
  await waitFor(() => expect(texts.join('\n')).toMatch(/^As of Jun 1, 2026, 11:59:59 PM UTC \(block [\d,]+\)$/m))
  const team = forest.levels(1).flat()
  expect(texts[texts.indexOf('Team') + 1]).toBe(new Intl.NumberFormat('en').format(team.filter(joined).length))
  expect(texts).not.toContain('New in 30 days')
  expect(texts).toContain('Data read up to block 41,000,000')
})

test.each(['/?', '/referrals?', '/referrers?'])(
  'behavior: %s offers its past where it names its block',
  async (path) => {
    await open(`${path}address=${member}`)
    const entry = await screen.findByRole('button', { name: 'Time: now' })
    expect(entry.closest('div:has(time)')?.textContent).toContain('Block 41,000,000 · ')
    await click(entry)
    await click(await screen.findByRole('menuitem', { name: 'A past day' }))
    fireEvent.change(await screen.findByLabelText('Day', { selector: '[type="date"]' }), {
      target: { value: day },
    })
    await click(screen.getByRole('button', { name: 'Show' }))
    expect(await screen.findByText(/^As of Jun 1, 2026, 11:59:59 PM UTC/)).toBeTruthy()
  },
  60_000,
)

test('behavior: joining times of the past name their zone', async () => {
  await open(`/search?address=${member}&asOf=${day}`)
  await screen.findByText(/^As of Jun 1, 2026, 11:59:59 PM UTC/)
  const time = screen.getByText('Joined', { selector: 'dt' }).nextSibling?.firstChild as HTMLTimeElement
  expect(time.textContent).toMatch(/^\w+ \d+, \d{4}, \d+:\d\d:\d\d [AP]M UTC$/)
  expect(time.dateTime).toBe(new Date((forest.rows[1]?.joinedAt ?? 0) * 1_000).toISOString())
})

test('behavior: the file of a chart names community, address, moment and site', async () => {
  const files: Blob[] = []
  URL.createObjectURL = (file) => `blob:${files.push(file as Blob)}`
  Range.prototype.getBoundingClientRect = () => new DOMRect()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  onTestFinished(() => void vi.restoreAllMocks())
  await open(`/?address=${member}&asOf=${day}`)
  await screen.findByText(/^As of Jun 1, 2026, 11:59:59 PM UTC \(block/)
  const name = 'Save the chart “Members by level at that time”'
  await click(await screen.findByRole('button', { name }))
  expect((await screen.findByRole('menu')).ariaLabel).toBe(name)
  await click(await screen.findByRole('menuitem', { name: 'Save as SVG' }))
  await waitFor(() => expect(files.length).toBe(1))
  const svg = new DOMParser().parseFromString(await (files[0] as Blob).text(), 'image/svg+xml')
  const texts = [...svg.querySelectorAll('svg > text')].map((text) => text.textContent)
  expect(texts.slice(0, 3)).toEqual([
    'Members by level at that time',
    `青禾社区 · ${member}`,
    expect.stringMatching(new RegExp(`^As of Jun 1, 2026, 11:59:59 PM UTC \\(block .* · ${window.location.host}$`)),
  ])
  const heads = [...svg.querySelectorAll('svg > svg > text')].map((text) => text.textContent)
  expect(heads.slice(0, 2)).toEqual(['Level', 'Members'])
})
