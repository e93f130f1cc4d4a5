import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { addressOf, createForest } from '../../../test/forest.ts'
import { renderApp } from '../../../test/renderApp.tsx'

const { deepest, second } = createForest()
/** Both at depth 1: the top of a star, and of a line of 300. */
const [star, line] = [second, deepest - 299]
let closing: (() => Promise<void>) | undefined

const open = async (path: string, state: Parameters<typeof renderApp>[1] = {}) => {
  const app = await renderApp(path, { language: 'en', ...state })
  closing = app.close
  return app
}
afterEach(async () => {
  cleanup()
  await closing?.()
  closing = undefined
})

const end = (index: number) => addressOf(index).slice(-4)
const rows = async () =>
  within(await screen.findByRole('list', { name: 'From this address to the root' })).getAllByRole('listitem')

test('behavior: a member that re-binds at the same depth gets its new upline', async () => {
  const { api } = await open(`/referrers?address=${addressOf(star + 1)}`)
  await waitFor(async () => expect((await rows()).at(-2)?.textContent).toContain(end(star)))
  const moved = api.forest.rows[star + 1]
  if (moved) moved.referrer = line
  await waitFor(async () => expect((await rows()).at(-2)?.textContent).toContain(end(line)))
})

test('behavior: every row of the upline has its joining time', async () => {
  const { api } = await open(`/referrers?address=${addressOf(star + 1)}`)
  const joined = [star + 1, star, 0].map((index) => api.forest.rows[index]?.joinedAt ?? 0)
  await waitFor(async () => {
    const times = (await rows()).map((row) => row.querySelector('time')?.dateTime)
    expect(times).toEqual(joined.map((seconds) => new Date(seconds * 1_000).toISOString()))
  })
})

test('behavior: what was typed for one community is gone in another one', async () => {
  await open(`/referrers?address=${addressOf(deepest % 2 === 0 ? deepest : deepest - 1)}`, { communities: 'several' })
  const jump = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Find a referrer' })
  const choose = async (from: string, to: string) => {
    await userEvent.click(await screen.findByRole('button', { name: `Community · ${from}` }))
    await userEvent.click(await screen.findByRole('menuitemradio', { name: to }))
  }
  await jump()
  await choose('青禾社区', 'Maple')
  await screen.findByRole('button', { name: 'Community · Maple' })
  await userEvent.type(await jump(), '7')
  await choose('Maple', '青禾社区')
  await screen.findByRole('button', { name: 'Community · 青禾社区' })
  expect((await jump()).value).toBe('')
})
