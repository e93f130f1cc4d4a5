import { ReferralApiError } from '@lineage/referral-api'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { addressOf } from '../test/forest.ts'
import { renderApp } from '../test/renderApp.tsx'
import { refreshEvery } from './lib/api.ts'

/** An address in the first community only, and one in both communities that are ready. */
const [ofOne, ofBoth] = [addressOf(1), addressOf(2)]
let closing: (() => Promise<void>) | undefined

const open = async (path: string, state: Parameters<typeof renderApp>[1] = {}) => {
  const app = await renderApp(path, { language: 'en', communities: 'several', ...state })
  closing = app.close
  return app
}
afterEach(async () => {
  await closing?.()
  closing = undefined
})

const rowsOf = async (name: string) =>
  within(await screen.findByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)

test('behavior: the address page lists each community, with names in the page’s language', async () => {
  await open(`/search?address=${ofOne}`)
  const rows = await rowsOf('In every community')
  const texts = rows.map((row) => row.textContent)
  expect(texts[0]).toMatch(/^青禾社区CurrentMember/)
  expect(texts[1]).toMatch(/^MapleNot a member–/)
  expect(texts[2]).toMatch(/^CedarUnknown: still being indexed/)
  expect(texts[3]).toMatch(/^BirchWithheld/)
})

test('behavior: with one community there is no list and no switch', async () => {
  await open(`/search?address=${ofOne}`, { communities: 'one' })
  await screen.findByText('Member of 青禾社区')
  expect(screen.queryByText('In every community')).toBeNull()
  expect(screen.queryByRole('button', { name: /^Community/ })).toBeNull()
})

test('behavior: the switch in the bar keeps the address', async () => {
  await open(`/search?address=${ofBoth}`)
  await userEvent.click(await screen.findByRole('button', { name: 'Community · 青禾社区' }))
  const options = await screen.findAllByRole('menuitemradio')
  expect(options.map(({ ariaChecked, textContent }) => [ariaChecked, textContent])).toEqual([
    ['true', '青禾社区'],
    ['false', 'Maple'],
    ['false', 'Cedar'],
    ['false', 'Birch'],
  ])
  await userEvent.click(options[1] as HTMLElement)
  expect(await screen.findByText('Member of Maple')).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Address' }).value).toBe(ofBoth)
})

test('behavior: a page lists all communities with growth and newest bind, or says why one has none and asks for nothing', async () => {
  const { api } = await open('/metrics')
  await userEvent.click(await screen.findByRole('link', { name: 'All communities' }))
  await screen.findByRole('heading', { name: 'All communities' })
  const rows = () => rowsOf('All communities')
  await waitFor(async () => expect((await rows())[0]?.textContent).toMatch(/^青禾社区1,600\+\d+now$/))
  expect(screen.getByRole('img', { name: 'Maple · New in 30 days' })).toBeTruthy()
  const texts = (await rows()).map((row) => row.textContent)
  expect(texts.slice(2)).toEqual([
    'CedarReading the chain',
    'BirchWithheld · For many of the members that were compared, the contract names another referrer.',
  ])
  expect(api.requests.filter((path) => /cedar|birch/.test(path))).toEqual([])
  await userEvent.click(screen.getByRole('link', { name: 'Maple' }))
  expect(await screen.findByText(/^Maple · Block/)).toBeTruthy()
})

test.each([
  '/',
  `/?address=${ofOne}`,
  `/?address=${ofOne}&asOf=2026-06-01`,
  `/referrals?address=${ofOne}`,
  `/referrers?address=${ofOne}`,
  `/referrers?view=relation&address=${ofOne}&to=${ofBoth}`,
  `/search?address=${ofOne}`,
  '/metrics',
])(
  'error: %s of a withheld community says why, and asks for nothing of it',
  async (path) => {
    const { api } = await open(path, { communities: 'withheld', withheld: 'start_late' })
    await screen.findByRole('heading', { name: 'This community is withheld' })
    expect(screen.getByText(/^Its settings begin after the first members had joined/)).toBeTruthy()
    expect(api.requests.filter((one) => one.includes('birch'))).toEqual([])
  },
  30_000,
)

test('behavior: a status that a later version has added leaves the name of the community', async () => {
  await open('/', { communities: 'added' })
  expect(await screen.findByText(/青禾社区/)).toBeTruthy()
})

test('error: a community that becomes withheld while its page is open says so in place of its figures', async () => {
  const { api } = await open('/metrics', { communities: 'one' })
  await screen.findAllByText('1,600')
  api.state.mode = 'withheld'
  await waitFor(() => expect(screen.queryAllByText('1,600')).toEqual([]))
  await waitFor(() => expect(screen.getAllByRole('heading', { name: 'This community is withheld' })).toHaveLength(1))
})

test('behavior: the network page shows the warnings of its own community and of all', async () => {
  const warning = { kind: 'events_absent', node: null } as const
  const warnings = ['maple', 'demo', null].map((community) => ({ ...warning, community, message: `Of ${community}.` }))
  await open('/metrics', { warnings })
  await screen.findByText(/^Community demo: no bind events were found/)
  expect(screen.queryByText(/^Community maple/)).toBeNull()
})

test.each([
  ['withheld', false],
  ['indexing', 1_500],
  ['unavailable', 10_000],
  ['member_not_found', 3_000],
] as const)('behavior: after %s a lookup is repeated after %s ms', (code, milliseconds) => {
  const error = new ReferralApiError('', { code, status: 0 })
  expect(refreshEvery(3_000)({ state: { error } })).toBe(milliseconds)
})
