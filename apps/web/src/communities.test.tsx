import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { addressOf } from '../test/forest.ts'
import { renderApp } from '../test/renderApp.tsx'

const long = { timeout: 20_000 }
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
  within(await screen.findByRole('table', { name }, long))
    .getAllByRole('row')
    .slice(1)

test('behavior: the address page lists each community, with names in the page’s language', async () => {
  await open(`/search?address=${ofOne}`)
  const rows = await rowsOf('In every community')
  const texts = rows.map((row) => row.textContent)
  expect(texts[0]).toMatch(/^青禾社区CurrentMember/)
  expect(texts[1]).toMatch(/^MapleNot a member–/)
  expect(texts[2]).toMatch(/^CedarUnknown: still being indexed/)
}, 30_000)

test('behavior: with one community there is no list and no switch', async () => {
  await open(`/search?address=${ofOne}`, { communities: 'one' })
  await screen.findByText('Member of 青禾社区', {}, long)
  expect(screen.queryByText('In every community')).toBeNull()
  expect(screen.queryByRole('button', { name: /^Community/ })).toBeNull()
}, 30_000)

test('behavior: the switch in the bar keeps the address', async () => {
  await open(`/search?address=${ofBoth}`)
  await userEvent.click(await screen.findByRole('button', { name: 'Community · 青禾社区' }, long))
  const options = await screen.findAllByRole('menuitemradio', {}, long)
  expect(options.map(({ ariaChecked, textContent }) => [ariaChecked, textContent])).toEqual([
    ['true', '青禾社区'],
    ['false', 'Maple'],
    ['false', 'Cedar'],
  ])
  await userEvent.click(options[1] as HTMLElement)
  expect(await screen.findByText('Member of Maple', {}, long)).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Address' }).value).toBe(ofBoth)
}, 30_000)

test('behavior: a page lists all communities with growth and newest bind; one that is still indexing says so', async () => {
  await open('/metrics')
  await userEvent.click(await screen.findByRole('link', { name: 'All communities' }, long))
  await screen.findByRole('heading', { name: 'All communities' }, long)
  const rows = () => rowsOf('All communities')
  await waitFor(async () => expect((await rows())[0]?.textContent).toMatch(/^青禾社区1,600\+\d+now$/), long)
  expect(screen.getByRole('img', { name: 'Maple · New in 30 days' })).toBeTruthy()
  await waitFor(async () => expect((await rows())[2]?.textContent).toMatch(/Reading the chain/), long)
  await userEvent.click(screen.getByRole('link', { name: 'Maple' }))
  expect(await screen.findByText(/^Maple · Block/, {}, long)).toBeTruthy()
}, 60_000)
