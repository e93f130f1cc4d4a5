import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { addressOf, createForest } from '../../../test/forest.ts'
import { renderApp } from '../../../test/renderApp.tsx'
import { shorten } from '../address/parseAddress.ts'

const forest = createForest()
const root = addressOf(0)
let closing: (() => Promise<void>) | undefined

const open = async (path: string, state = {}) => {
  const app = await renderApp(path, { language: 'en', ...state })
  closing = app.close
  return app
}
afterEach(async () => {
  await closing?.()
  closing = undefined
})

const picture = (name: RegExp = /^Downstream of/) => screen.findByRole('tree', { name })
const top = async () => within(await picture()).getAllByRole('treeitem')[0] as HTMLElement
/** The largest leg below the root. */
const largest = forest
  .levels(0)[0]
  ?.toSorted((a, b) => (forest.rows[b]?.team ?? 0) - (forest.rows[a]?.team ?? 0))[0] as number

test('behavior: every leg is a tree item with its name, level, size and growth', async () => {
  await open(`/referrals?address=${root}&view=map`)
  const item = await top()
  expect(item.getAttribute('aria-level')).toBe('1')
  expect(item.getAttribute('aria-label')).toContain(`${root} 1,600 members · +`)
  const leg = within(await picture()).getByRole('treeitem', { name: new RegExp(`^${shorten(addressOf(largest))}`) })
  expect(leg.getAttribute('aria-level')).toBe('2')
  expect(leg.getAttribute('aria-posinset')).toBe('1')
  expect(leg.getAttribute('aria-expanded')).toBe('true')
  expect(leg.getAttribute('aria-label')).toMatch(/Level 1, .* of the whole, .* in 30 days/)
  // The team of the root is 1,599.
  expect(screen.getByText(/figures include the member itself/)).toBeTruthy()
})

test('behavior: arrow keys follow the rows, Enter zooms in, Escape goes up', async () => {
  await open(`/referrals?address=${root}&view=map`)
  const item = await top()
  item.focus()
  await userEvent.keyboard('{ArrowDown}')
  const leg = document.activeElement as HTMLElement
  expect(leg.getAttribute('aria-label')).toContain(shorten(addressOf(largest)))
  await userEvent.keyboard('{ArrowRight}')
  expect(document.activeElement?.getAttribute('aria-posinset')).toBe('2')
  await userEvent.keyboard('{ArrowLeft}{ArrowUp}')
  expect(document.activeElement).toBe(item)

  await userEvent.keyboard('{ArrowDown}{Enter}')
  const trail = screen.getByRole('navigation', { name: 'Place in the map' })
  await waitFor(async () => expect((await top()).getAttribute('aria-label')).toContain(addressOf(largest)))
  expect(
    within(trail)
      .getByText(shorten(addressOf(largest)))
      .closest('[aria-current]'),
  ).toBeTruthy()
  // The zoomed leg keeps the focus.
  expect(document.activeElement?.getAttribute('aria-label')).toContain(addressOf(largest))

  await userEvent.keyboard('{Escape}')
  await waitFor(async () => expect((await top()).getAttribute('aria-label')).toContain(root))
})

test('behavior: a link to a leg shows the way to it, and leads back up', async () => {
  const deep = forest.upline(forest.deepest).at(-7) as number
  await open(`/referrals?address=${root}&view=map&leg=${addressOf(deep).toLowerCase()}`)
  expect((await top()).getAttribute('aria-label')).toContain(addressOf(deep))
  const trail = screen.getByRole('navigation', { name: 'Place in the map' })
  expect(await within(trail).findByText('3 levels between')).toBeTruthy()
  await userEvent.click(within(trail).getByRole('link', { name: shorten(root) }))
  await waitFor(async () => expect((await top()).getAttribute('aria-label')).toContain(root))
})

test('behavior: a leg of another team is not shown', async () => {
  await open(`/referrals?address=${addressOf(1)}&view=map&leg=${addressOf(largest)}`)
  expect(await screen.findByText(`${shorten(addressOf(largest))} is not in this map.`)).toBeTruthy()
  // The buttons below the picture load, which an event of `userEvent` does not wait for.
  await act(async () => screen.getByRole('link', { name: 'Show the whole map' }).click())
  await waitFor(async () => expect((await top()).getAttribute('aria-label')).toContain(addressOf(1)))
})

test('behavior: by volume, the texts have amounts', async () => {
  await open(`/referrals?address=${root}&view=map`)
  await top()
  await userEvent.click(screen.getByRole('radio', { name: 'Volume' }))
  expect(await picture(/by volume$/)).toBeTruthy()
})

test('error: a map that fails to load can be retried', async () => {
  const { api } = await open(`/referrals?address=${root}&view=map`, { brokenOn: '/map' })
  const retry = await screen.findByRole('button', { name: 'Retry' })
  api.state.brokenOn = undefined
  await userEvent.click(retry)
  expect(await picture()).toBeTruthy()
})

test('behavior: the whole community has a map as well', async () => {
  await open('/metrics')
  expect((await top()).getAttribute('aria-label')).toContain('1,600 members')
  for (const name of ['Map of the network', 'Members by depth', 'Members by number of directs'])
    expect(within(screen.getByRole('region', { name })).getByText('includes 1 unbound referrer')).toBeTruthy()
})
