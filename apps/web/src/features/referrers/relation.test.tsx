import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { addressOf, createForest } from '../../../test/forest.ts'
import { renderApp } from '../../../test/renderApp.tsx'

const { deepest, second } = createForest()
/** Two addresses on a line of 301 below the root. */
const [deep, middle] = [addressOf(deepest), addressOf(deepest - 100)]
const besides = addressOf(second + 1)
const stranger = '0x000000000000000000000000000000000000dEaD'
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
const relation = (a: string, b: string) => `/referrers?view=relation&address=${a}&to=${b}`
const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })

test('behavior: the address menu names the bind, and leads to the page, which asks for a second address', async () => {
  await open(`/?address=${middle}`)
  const [handle] = await screen.findAllByRole('button', { name: new RegExp(`${middle.slice(-4)}`) })
  await userEvent.click(handle as HTMLElement)
  expect(await screen.findByRole('menuitem', { name: /^Bound in block [\d,]+ · 0x/ })).toBeTruthy()
  const item = await screen.findByRole('menuitem', { name: 'Relation to …' })
  await closing?.()
  cleanup()
  await open(item.getAttribute('href') ?? '')
  expect((await field('Address A')).value).toBe(middle)
  const b = await field('Address B')
  expect(b).toBe(document.activeElement)
})

test('behavior: the line goes up to the common referrer and down again', async () => {
  await open(relation(besides, addressOf(second)))
  expect(await screen.findByText('A is a direct referral of B')).toBeTruthy()
  const line = await screen.findByRole('list', { name: /^From A up/ })
  const rows = within(line).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent?.slice(0, 9))).toEqual(['Address A', 'Address B'])
  expect(screen.queryByText('Nearest common referrer')).toBeNull()
})

test('behavior: two members on different lines: their common referrer, and the levels from each', async () => {
  await open(relation(deep, besides))
  expect(await screen.findByText(/^Neither is above/)).toBeTruthy()
  expect(screen.getByText('Nearest common referrer')).toBeTruthy()
  expect(screen.getByText('301 levels')).toBeTruthy()
  expect(screen.getByText('2 levels')).toBeTruthy()
  const line = await screen.findByRole('list', { name: /^From A up/ })
  expect(within(line).getAllByRole('listitem')[0]?.getAttribute('aria-setsize')).toBe('304')
})

test('behavior: a second address without a view asks for the relation, and its field stays when it is cleared', async () => {
  await open(`/referrers?address=${deep}&to=${middle}`)
  expect(await screen.findByText('A is below B, 100 levels down')).toBeTruthy()
  await userEvent.clear(await field('Address B'))
  await userEvent.click(screen.getAllByRole('button', { name: 'Clear' }).at(-1) as HTMLElement)
  await waitFor(async () => expect((await field('Address B')).value).toBe(''))
})

test('behavior: one and the same address', async () => {
  await open(relation(deep, deep))
  expect(await screen.findByText('Both are the same address')).toBeTruthy()
  expect(screen.queryByRole('list', { name: /^From A up/ })).toBeNull()
})

test('error: names the address that is no member', async () => {
  await open(relation(deep, stranger))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toMatch(/^0x00…dEaD is not a member/)
})

test('error: a failed lookup can be retried', async () => {
  const { api } = await open(relation(deep, middle), { brokenOn: '/relation?' })
  const retry = await screen.findByRole('button', { name: 'Retry' })
  api.state.brokenOn = undefined
  await userEvent.click(retry)
  expect(await screen.findByText('A is below B, 100 levels down')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})
