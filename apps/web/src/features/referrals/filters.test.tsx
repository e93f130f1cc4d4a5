import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { addressOf, createForest } from '../../../test/forest.ts'
import { announced, renderApp } from '../../../test/renderApp.tsx'

const forest = createForest()
const root = addressOf(0)
let closing: (() => Promise<void>) | undefined

const open = async (query: string, state: Parameters<typeof renderApp>[1] = {}) => {
  const app = await renderApp(`/referrals?address=${root}&${query}`, { language: 'en', ...state })
  closing = app.close
  return app
}
afterEach(async () => {
  await closing?.()
  closing = undefined
})
const submit = async (field: string, text: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Filter' }))
  await userEvent.type(await screen.findByRole('textbox', { name: field }), text)
  await userEvent.click(screen.getByRole('button', { name: 'Show results' }))
}

test('behavior: a link with filters shows who passes all of them, how many, and each filter', async () => {
  const wanted = forest
    .levels(0)
    .slice(1, 4)
    .flat()
    .filter((index) => (forest.rows[index]?.team ?? 0) >= 5)
  await open('minTeam=5&levelFrom=2&levelTo=4')
  expect(await screen.findByText(`${wanted.length} match`)).toBeTruthy()
  const table = screen.getByRole('table', { name: 'All' })
  expect(table.getAttribute('aria-rowcount')).toBe(String(wanted.length + 1))
  expect(screen.getByText(new RegExp(`^Filtered: ${wanted.length} rows`))).toBeTruthy()
  const removing = await screen.findAllByRole('button', { name: /^Remove: / })
  expect(removing.map((one) => one.textContent)).toEqual(['From level 2', 'To level 4', 'Team at least 5'])
})

test.each([
  ['prefix=0xzz', 'Address starts with 0xzz – Enter 0x'],
  ['levelFrom=3&levelTo=2', 'To level 2 – '],
])('error: %s of a link says what is wrong with it', async (query, problem) => {
  await open(query)
  const said = await screen.findByText(new RegExp(`^${problem}`))
  await userEvent.click(await screen.findByRole('button', { name: 'Filter' }))
  expect(said.isConnected).toBe(false)
})

test('behavior: a table by team says that the file is in order of joining', async () => {
  await open('minTeam=5&sort=team')
  expect(await screen.findByText(/^Filtered: .* · The file is in order of joining\.$/)).toBeTruthy()
})

test('behavior: rows by volume show the sum of own and team volume that they are sorted by', async () => {
  await open('levelTo=3&sort=volume')
  const table = await screen.findByRole('table', { name: 'All' })
  expect(within(table).getByRole('columnheader', { name: /^Own and team volume/ })).toBeTruthy()
  const shown = within(table)
    .getAllByTitle(/USDT$/)
    .map(({ title }) => Number(title.replaceAll(/[^\d.]/g, '')))
  expect(shown.length).toBeGreaterThan(10)
  expect(shown).toEqual(shown.toSorted((left, right) => right - left))
})

test.each([
  ['dayFrom=2026-06-01&dayTo=2026-06-30', 1],
  ['dayFrom=2026-06-01&dayTo=2026-06-30&level=1&sort=joined', 1],
  ['dayFrom=2026-06-01', 0],
])('behavior: rows with amounts up to a past day say that they are the members of now (%s)', async (query, notes) => {
  await open(query)
  await screen.findByRole('table')
  expect(screen.queryAllByText(/^The members and filters are of now/)).toHaveLength(notes)
})

test('behavior: a new order is announced', async () => {
  await open('level=1')
  for (const order of ['descending', 'ascending']) {
    await userEvent.click(await screen.findByRole('button', { name: 'Team' }))
    await waitFor(() => expect(announced()).toContain(`Team, ${order}`))
  }
})

test('behavior: removing the only filter shows the whole downline again', async () => {
  await open('level=all&minTeam=5')
  await userEvent.click(await screen.findByRole('button', { name: 'Remove: Team at least 5' }))
  await waitFor(() => expect(screen.queryByText(/match/)).toBeNull())
  expect(screen.getByRole('button', { name: 'CSV · 1,599 rows' })).toBeTruthy()
})

test.each([
  ['level=all&minTeam=5&sort=team&order=asc', 0],
  ['level=1&minTeam=5&sort=team&order=asc', 1],
])('behavior: with the filter of %s goes an order that only it allows', async (query, sorted) => {
  await open(query)
  await userEvent.click(await screen.findByRole('button', { name: 'Remove: Team at least 5' }))
  await waitFor(() => expect(screen.queryByText(/match/)).toBeNull())
  await screen.findByRole('table')
  const heads = screen.getAllByRole('columnheader', { name: 'Team' })
  expect(heads.filter(({ ariaSort }) => ariaSort === 'ascending')).toHaveLength(sorted)
  expect(screen.queryByText(/^The link asks for “sort”/)).toBeNull()
})

test('behavior: the form applies a filter and gives the focus back', async () => {
  await open('level=1')
  await submit('Team at least', '300')
  const few = forest.rows.filter(({ team }, index) => index > 0 && team >= 300).length
  expect(await screen.findByText(`${few} match`)).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Filter' }))
})

test('behavior: another time zone keeps what was typed, and the focus', async () => {
  await open('level=1')
  await userEvent.click(await screen.findByRole('button', { name: 'Filter' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Team at least' }), '300')
  const zone = screen.getByRole('combobox', { name: /^Days and times/ })
  await userEvent.selectOptions(zone, 'Asia/Shanghai')
  await waitFor(() => expect(zone).toHaveProperty('value', 'Asia/Shanghai'))
  expect(screen.getByRole('textbox', { name: 'Team at least' })).toHaveProperty('value', '300')
  expect(document.activeElement).toBe(zone)
})

test('error: the form names contradicting fields, and sends nothing', async () => {
  const sent = vi.spyOn(globalThis, 'fetch')
  await open('level=1&levelFrom=9')
  await submit('To level', '3')
  expect(await screen.findByText(/^The first level is below the last/)).toBeTruthy()
  const field = screen.getByRole('textbox', { name: 'To level' })
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(field)
  expect(sent.mock.calls.filter(([url]) => /referrals\?.*levelTo/.test(String(url)))).toEqual([])
  sent.mockRestore()
})

test('error: an order that is too costly says what to do, and the other order works', async () => {
  await open('minTeam=1&sort=team', { filters: 'costly' })
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toMatch(/^Too many match/)
  await userEvent.click(within(alert).getByRole('button', { name: 'Sort by joining time' }))
  expect(await screen.findByText('At least 10 match')).toBeTruthy()
  expect(screen.getByRole('table', { name: 'All' }).getAttribute('aria-rowcount')).toBe('-1')
})

test('behavior: no member matches', async () => {
  await open('bound=false')
  expect(await screen.findByText('No member matches this filter.')).toBeTruthy()
})

test.each(['', 'level=1'])(
  'behavior: a new direct referral appears in the rows (%s)',
  async (query) => {
    const { api } = await open(query)
    const { rows } = api.forest
    const [top] = rows
    await screen.findByText(addressOf(forest.second))
    const text = () => document.querySelector('main')?.textContent
    const added = addressOf(rows.length)
    expect(text()).not.toContain(added.slice(-6))
    top?.children.push(
      rows.push({ ...rows[1_599], address: added, referrer: 0, depth: 1, team: 900, children: [] } as never) - 1,
    )
    if (top) top.team += 1
    await waitFor(() => expect(text()).toContain(added.slice(-6)))
  },
  60_000,
)
