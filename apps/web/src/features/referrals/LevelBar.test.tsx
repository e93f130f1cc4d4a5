import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { addressOf } from '../../../test/forest.ts'
import { announced, renderApp } from '../../../test/renderApp.tsx'

test.each([
  ['now', '', ''],
  ['as of a block', '&asOf=40500000', ' · 40,500,000'],
])(
  'attack: of a line of 1,300 members, each below the last, a part of the levels is loaded and shown, and after the others the chosen one, %s',
  async (_, search) => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    const { close } = await renderApp(`/referrals?address=${addressOf(0)}&level=1200${search}`, {
      language: 'en',
      line: 1_300,
    })
    const bar = await screen.findByRole('toolbar', { name: 'Levels' })
    const buttons = () => [...bar.querySelectorAll('button')]
    const names = () => buttons().map(({ textContent }) => textContent)
    const showMore = () => userEvent.click(within(bar).getByRole('button', { name: /^Show/ }))
    const asked = () =>
      fetched.mock.calls.flatMap(([url]) => /\/levels\?(levelFrom=\d+&levelTo=\d+)/.exec(String(url))?.[1] ?? [])
    await expect.poll(() => names().slice(-3)).toEqual(['Level 1001', 'Show 500 more', 'Level 12001'])
    expect(names()).toHaveLength(103)
    expect(buttons().find((button) => button.getAttribute('aria-pressed') === 'true')?.textContent).toBe('Level 12001')
    expect(asked()).toEqual(['levelFrom=1&levelTo=500', 'levelFrom=1200&levelTo=1200'])
    await act(async () => void window.dispatchEvent(new Event('beforeprint')))
    expect(names().slice(-3)).toEqual(['Level 5003', 'Show 500 more', 'Level 12001'])
    expect(bar.lastElementChild?.textContent).toBe('501 / 1,302')
    await act(async () => void window.dispatchEvent(new Event('afterprint')))
    for (const [focused, last] of [
      [101, 600],
      [601, 1_100],
    ]) {
      await showMore()
      expect(document.activeElement?.textContent).toMatch(`Level ${focused}`)
      await expect.poll(() => names().at(-3)).toMatch(`Level ${last}`)
    }
    await showMore()
    await expect.poll(() => names().at(-1)).toMatch('Level 1302')
    await close()
  },
)

test('behavior: more levels cannot be loaded: those that are loaded stay, and the button says so and asks again', async () => {
  const { api, close } = await renderApp(`/referrals?address=${addressOf(0)}&level=900`, {
    language: 'en',
    line: 1_300,
  })
  const bar = await screen.findByRole('toolbar', { name: 'Levels' })
  const names = () => [...bar.querySelectorAll('button')].map(({ textContent }) => textContent)
  await expect.poll(() => names().slice(-3)).toEqual(['Level 1001', 'Show 500 more', 'Level 9001'])
  api.state.brokenOn = 'levelFrom=501'
  await userEvent.click(within(bar).getByRole('button', { name: 'Show 500 more' }))
  await expect.poll(() => names().slice(-3)).toEqual(['Level 5003', 'Could not load. Retry', 'Level 9001'])
  expect(announced()).toContain('Could not load.')
  api.state.brokenOn = undefined
  await userEvent.click(within(bar).getByRole('button', { name: 'Could not load. Retry' }))
  await expect.poll(() => names().slice(-3)).toEqual(['Level 6001', 'Show 500 more', 'Level 9001'])
  expect(screen.getByRole('toolbar', { name: 'Levels' })).toBe(bar)
  await close()
})

test('behavior: a second press while more levels load asks for no more of them', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  const { close } = await renderApp(`/referrals?address=${addressOf(0)}`, { language: 'en', line: 1_300 })
  const bar = await screen.findByRole('toolbar', { name: 'Levels' })
  await userEvent.dblClick(await within(bar).findByRole('button', { name: 'Show 500 more' }))
  await within(bar).findByRole('button', { name: /^Level 600/ })
  expect(within(bar).queryByRole('button', { name: /^Level 601/ })).toBeNull()
  expect(fetched.mock.calls.filter(([url]) => String(url).includes('/levels?'))).toHaveLength(2)
  await close()
})
