import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { addressOf, createForest } from '../../../test/forest.ts'
import { announced, renderApp } from '../../../test/renderApp.tsx'

const forest = createForest()
const member = addressOf(1)
/** Two events for each direct, plus the member's own bind and volume. */
const total = (forest.rows[1]?.children.length ?? 0) * 2 + 2
let closing: (() => Promise<void>) | undefined

const open = async (
  query = '',
  { address = member, ...state }: Parameters<typeof renderApp>[1] & { address?: string } = {},
) => {
  const app = await renderApp(`/search?address=${address}${query}`, { language: 'en', ...state })
  closing = app.close
  return app
}
afterEach(async () => {
  await closing?.()
  closing = undefined
})
const timeline = () => screen.findByRole('region', { name: 'Timeline' })
const rows = async () => within(await timeline()).findAllByRole('listitem')
const texts = async () => (await rows()).map((row) => row.textContent)

test('behavior: events by day, newest first, with counterpart, amount, block and transaction', async () => {
  await open()
  const newest = forest.rows[1]?.children.at(-1) ?? 0
  const [reward, referral] = await rows()
  expect((await rows()).length).toBe(20)
  expect(reward?.textContent).toMatch(/^\d\d:\d\dReward from 0x.{2}….{4}[\d.]+\u00A0USDTBlock 40,00/)
  expect(referral?.textContent).toMatch(/^\d\d:\d\dNew direct 0x.{2}….{4}Block/)
  const links = within(referral as HTMLElement).getAllByRole<HTMLAnchorElement>('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    `/search?address=${addressOf(newest)}`,
    `https://bscscan.com/tx/${forest.member(newest).tx}`,
  ])
  const days = within(await timeline()).getAllByRole('heading', { level: 3 })
  expect(days[0]?.textContent).toMatch(/^[A-Z][a-z]{2} \d+, 202\d$/)
})

test('behavior: a bind that is ignored says so, and is marked otherwise than a valid one', async () => {
  await open('&kind=referral')
  const all = await rows()
  const ignored = all.filter((row) => row.textContent?.includes('Duplicate, ignored'))
  expect(ignored.length).toBeGreaterThan(0)
  expect(all.length).toBeGreaterThan(ignored.length)
  for (const row of all) expect(row.dataset.kind).toBe(ignored.includes(row) ? 'ignored' : 'referral')
})

test('behavior: the kind is in the link and can be changed; earlier events come on demand', async () => {
  await open('&kind=reward')
  expect((await texts()).every((text) => text?.includes('Reward'))).toBe(true)
  await userEvent.click(screen.getByRole('radio', { name: 'All' }))
  await waitFor(async () => expect((await texts())[1]).toContain('New direct'))
  await userEvent.click(screen.getByRole('button', { name: 'Show earlier events' }))
  await waitFor(async () => expect((await rows()).length).toBe(100))
  for (let shown = 200; shown - 100 < total; shown += 100) {
    await userEvent.click(screen.getByRole('button', { name: 'Show earlier events' }))
    await waitFor(async () => expect((await rows()).length).toBe(Math.min(shown, total)))
  }
  expect((await texts()).at(-1)).toContain('Bound to 0x')
  expect(screen.queryByRole('button', { name: 'Show earlier events' })).toBeNull()
  await userEvent.click(screen.getByRole('radio', { name: 'Binds' }))
  await waitFor(async () => expect((await rows()).length).toBe(1))
})

test('behavior: new events appear and are announced, also above earlier ones', async () => {
  const { api } = await open()
  await rows()
  await userEvent.click(screen.getByRole('button', { name: 'Show earlier events' }))
  await waitFor(async () => expect((await rows()).length).toBe(100))
  await act(async () => {
    api.state.block += 2
  })
  await waitFor(async () => expect((await rows()).length).toBe(102))
  expect((await texts()).slice(0, 3).map((text) => text?.slice(5, 11))).toEqual(['Volume', 'Volume', 'Reward'])
  await waitFor(() => expect(announced()).toContain('2 new events'))
})

test('behavior: more new events than a page close the gap to the earlier ones', async () => {
  const { api } = await open()
  await rows()
  await userEvent.click(screen.getByRole('button', { name: 'Show earlier events' }))
  await waitFor(async () => expect((await rows()).length).toBe(100))
  await act(async () => {
    api.state.block += 30
  })
  await waitFor(async () => expect((await texts())[29]).toContain('Volume'))
  expect((await texts())[30]).toContain('Reward')
})

test('behavior: an address without events of a kind', async () => {
  await open('&kind=reward', { address: addressOf(forest.deepest) })
  expect(await screen.findByText('No events of this kind.')).toBeTruthy()
})

test('behavior: an address that is no member has no events', async () => {
  await open('', { address: '0x000000000000000000000000000000000000dEaD' })
  await screen.findByText('Not a member of 青禾社区')
  expect(screen.queryByRole('region', { name: 'Timeline' })).toBeNull()
})

test('error: events fail to load: the card stays, and Retry loads them', async () => {
  const { api } = await open('', { brokenOn: '/events' })
  await within(await timeline()).findByRole('alert')
  expect(screen.getByText('Member of 青禾社区')).toBeTruthy()
  api.state.brokenOn = undefined
  await userEvent.click(within(await timeline()).getByRole('button', { name: 'Retry' }))
  expect((await rows()).length).toBe(20)
})

test('error: earlier events fail to load: the others stay, and Retry loads them', async () => {
  const { api } = await open()
  await rows()
  api.state.brokenOn = 'limit=100'
  await userEvent.click(screen.getByRole('button', { name: 'Show earlier events' }))
  expect(await screen.findByText('Earlier events could not be loaded.')).toBeTruthy()
  expect((await rows()).length).toBe(20)
  api.state.brokenOn = undefined
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(async () => expect((await rows()).length).toBe(100))
})
