import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addressOf } from '../../../test/forest.ts'
import { announced, renderApp } from '../../../test/renderApp.tsx'
import { WithCommunity } from '../lookup/WithCommunity.tsx'
import { BarTable } from './BarTable.tsx'

const columns = { label: 'Level', value: 'Members' }
const source = { asOf: { block: 1, timestamp: 1, finalizedBlock: 1 } }

/** Renders a table of `count` levels, and returns how to read its rows. */
async function openTable(count: number) {
  const bars = Array.from({ length: count }, (_, at) => ({
    key: String(at),
    label: `Level ${at}`,
    value: 1,
    text: '1',
  }))
  const table = <BarTable caption="Levels" columns={columns} bars={bars} source={source} />
  const content = <WithCommunity skeleton={null}>{() => table}</WithCommunity>
  const { close } = await renderApp('/', { language: 'en', content })
  await expect.poll(() => screen.queryByRole('table')).toBeTruthy()
  return { close, rows: () => within(screen.getByRole('table', { name: 'Levels' })).getAllByRole('rowheader') }
}

test.each([
  { count: 15, drawn: 15, button: 'no button' },
  { count: 16, drawn: 12, button: 'a button for the rest' },
])('behavior: of $count levels, $drawn are drawn with $button', async ({ count, drawn }) => {
  const { rows, close } = await openTable(count)
  expect(rows()).toHaveLength(drawn)
  expect(screen.queryAllByRole('button', { name: 'Show all 16 rows' })).toHaveLength(drawn < count ? 1 : 0)
  await close()
})

test('behavior: "Show fewer" leads back to the table', async () => {
  const scrolled: Element[] = []
  // jsdom lacks it.
  Element.prototype.scrollIntoView = function (this: Element) {
    scrolled.push(this)
  }
  onTestFinished(() => void Reflect.deleteProperty(Element.prototype, 'scrollIntoView'))
  const { rows, close } = await openTable(40)
  await userEvent.click(screen.getByRole('button', { name: 'Show all 40 rows' }))
  expect([rows().length, scrolled]).toEqual([40, []])
  await userEvent.click(screen.getByRole('button', { name: 'Show fewer' }))
  expect([rows().length, scrolled]).toEqual([12, [screen.getByRole('table', { name: 'Levels' })]])
  await close()
})

test('attack: of a line of 20,000 members, each below the last, a part of the levels is drawn, also in print', async () => {
  const { rows, close } = await openTable(20_000)
  expect(rows()).toHaveLength(12)
  await userEvent.click(screen.getByRole('button', { name: 'Show 500 more' }))
  expect(rows()).toHaveLength(512)
  expect(document.activeElement?.textContent).toBe('Show 500 more')
  await act(async () => void window.dispatchEvent(new Event('beforeprint')))
  expect(rows()).toHaveLength(2_000)
  expect(screen.getByText('2,000 / 20,000')).toBeTruthy()
  await close()
})

test.each([
  ['a member', `/?address=${addressOf(0)}`, 'Members by level', 'Level 512'],
  ['a member as of a block', `/?address=${addressOf(0)}&asOf=40500000`, 'Members by level', 'Level 512'],
  ['the community as of a block', '/metrics?asOf=40500000', 'Members by depth', 'Depth 511'],
])(
  'attack: of a line of 700 members, each below the last, a part of the levels is loaded, of %s',
  async (_, path, name, last) => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    const { close } = await renderApp(path, { language: 'en', line: 700 })
    const asked = () =>
      fetched.mock.calls.flatMap(
        ([url]) => /\/(?:levels|metrics)\?.*(?:level|depth)To=\d+/.exec(String(url))?.[0].split('To=')[1] ?? [],
      )
    const table = await screen.findByRole('table', { name: new RegExp(name) })
    expect(asked().every((to) => ['499', '500'].includes(to))).toBe(true)
    const more = within(table.closest('section') as HTMLElement).getByRole('button', { name: 'Show 500 more' })
    await userEvent.click(more)
    await expect.poll(() => table.querySelectorAll('tbody tr')).toHaveLength(512)
    expect(table.querySelector('tbody tr:last-of-type th')?.textContent).toBe(last)
    expect(asked().at(-1)).toMatch(/999|1000/)
    await close()
  },
)

test.each([
  ['a member', `/?address=${addressOf(0)}`, 'Members by level'],
  ['the community as of a block', '/metrics?asOf=40500000', 'Members by depth'],
])(
  'behavior: more levels of %s cannot be loaded: those that are loaded stay, and the button says so and asks again',
  async (_, path, name) => {
    const { api, close } = await renderApp(path, { language: 'en', line: 1_010 })
    const table = await screen.findByRole('table', { name: new RegExp(name) })
    const rows = () => table.querySelectorAll('tbody tr')
    const press = (button: RegExp) =>
      userEvent.click(within(table.closest('section') as HTMLElement).getByRole('button', { name: button }))
    await press(/^Show 500 more/)
    await expect.poll(rows).toHaveLength(512)
    api.state.brokenOn = 'From=100'
    await press(/^Show \d+ more/)
    await expect.poll(() => document.activeElement?.textContent).toBe('Could not load. Retry')
    expect(rows()).toHaveLength(1_000)
    expect(announced()).toContain('Could not load.')
    api.state.brokenOn = undefined
    await press(/Retry/)
    await expect.poll(() => document.activeElement?.textContent).toBe('Show fewer')
    expect(rows().length).toBeGreaterThan(1_000)
    await close()
  },
)
