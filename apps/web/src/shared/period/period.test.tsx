import { createCalendar } from '@lineage/referral-api/days'
import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { addressOf, createForest, now } from '../../../test/forest.ts'
import { loadedSection, renderApp } from '../../../test/renderApp.tsx'
import { lastDays } from './queries.ts'

const forest = createForest()
const member = addressOf(1)
const number = new Intl.NumberFormat('en')
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
const section = (name: string) => screen.findByRole('region', { name })

test('behavior: the last days include both ends, over the end of a month', () => {
  expect(lastDays('2026-03-02', 7)).toEqual({ from: '2026-02-24', to: '2026-03-02' })
  expect(lastDays('2026-03-02', 1)).toEqual({ from: '2026-03-02', to: '2026-03-02' })
})

test.each(['/', '/search'])('behavior: %s shows the ranks of a member, also those it shares', async (path) => {
  await open(`${path}?address=${addressOf(forest.deepest)}`)
  const ranks = await section('Ranks')
  const alike = forest.rows.filter(({ team }) => team === forest.rows[forest.deepest]?.team).length
  const better = forest.rows.filter(({ team }) => team > (forest.rows[forest.deepest]?.team ?? 0)).length
  const of = number.format(forest.rows.length)
  expect(
    await within(ranks).findAllByText(
      `No. ${number.format(better + 1)}, tied (${number.format(alike)} alike), of ${of}`,
    ),
  ).toHaveLength(2)
})

test('behavior: a root is not compared with directs of a referrer', async () => {
  await open(`/?address=${addressOf(0)}`)
  const ranks = await section('Ranks')
  expect(await within(ranks).findAllByText(/^No\. 1 of /)).toBeTruthy()
  expect(within(ranks).queryByText(/referrer/)).toBeNull()
})

test('behavior: the teams that grew most, of the community by volume in the days of the link', async () => {
  await open('/metrics?dayFrom=2026-08-01&dayTo=2026-08-31&tz=Asia/Shanghai')
  const risers = await loadedSection('Fastest growing teams')
  expect(await within(risers).findByText('Aug 1, 2026 to Aug 31, 2026, both days included · China UTC+8')).toBeTruthy()
  const { firstSecond, lastSecond } = createCalendar('Asia/Shanghai')
  const [from, to] = [firstSecond('2026-08-01'), lastSecond('2026-08-31')]
  const came = forest.rows.slice(1).filter(({ joinedAt }) => joinedAt >= from && joinedAt <= to).length
  expect((await within(risers).findAllByRole('row'))[1]?.textContent).toContain(`+${number.format(came)}`)
  await userEvent.click(within(risers).getByRole('radio', { name: 'Volume' }))
  expect(await within(risers).findAllByText(/USDT$/)).toHaveLength(10)
})

test('behavior: active members of a team, by month as a table', async () => {
  await open(`/?address=${member}`)
  const activity = await loadedSection('Active members')
  fireEvent.click(within(activity).getByRole('radio', { name: 'Month' }))
  await within(activity).findByRole('slider', { name: 'Active' })
  fireEvent.click(await within(activity).findByRole('button', { name: 'Show as table' }))
  const table = await within(activity).findByRole('table')
  const [, newest] = within(table).getAllByRole('row')
  const month = createCalendar('UTC').firstSecond('2026-11-01')
  const joined = forest
    .levels(1)
    .flat()
    .filter((index) => (forest.rows[index]?.joinedAt ?? 0) >= month).length
  expect(newest?.textContent).toContain(`Nov 2026`)
  expect(within(newest as HTMLElement).getAllByText(number.format(joined)).length).toBeGreaterThan(0)
  expect(now).toBeGreaterThan(month)
})

test('behavior: the growth of a team by own volume, which the link keeps', async () => {
  await open(`/?address=${member}&measure=ownVolume&interval=month`)
  const growth = await section('Growth')
  const chart = await within(growth).findByRole('slider', { name: 'Own volume, cumulative' })
  expect(chart.getAttribute('aria-valuetext')).toContain('USDT')
  fireEvent.click(within(growth).getByRole('radio', { name: 'Team rewards' }))
  expect(await within(growth).findByRole('slider', { name: 'Team rewards, cumulative' })).toBeTruthy()
})

test('error: one part that fails leaves the others', async () => {
  await open('/metrics', { brokenOn: '/risers' })
  expect(await within(await loadedSection('Fastest growing teams')).findByRole('alert')).toBeTruthy()
  expect(await within(await loadedSection('Active members')).findByRole('slider')).toBeTruthy()
})

test('behavior: lists show the amounts of the days of the link, the greatest first', async () => {
  await open(`/referrals?address=${addressOf(0)}&level=1&dayFrom=2026-08-01&dayTo=2026-08-31`)
  const table = await screen.findByRole('table', { name: 'Level 1' })
  const { firstSecond, lastSecond } = createCalendar('UTC')
  const [from, to] = [firstSecond('2026-08-01'), lastSecond('2026-08-31')]
  const volumeOf = (index: number): bigint =>
    [index, ...forest.levels(index).flat()]
      .map((of) => forest.rows[of])
      .filter((row) => row && row.joinedAt >= from && row.joinedAt <= to)
      .reduce((sum, row) => sum + (row?.ownVolume ?? 0n), 0n)
  const [greatest] = (forest.rows[0]?.children ?? []).map(volumeOf).sort((a, b) => (a < b ? 1 : -1))
  const text = number.format(Number((greatest ?? 0n) / 10n ** 18n))
  expect(within(table).getAllByRole('row')[1]?.textContent).toContain(text)
  expect(
    within(table)
      .getByRole('columnheader', { name: /Own and team volume/ })
      .getAttribute('aria-sort'),
  ).toBe('descending')
  expect(await screen.findByRole('button', { name: /^Remove.*Amounts from 2026-08-01/ })).toBeTruthy()
})

test('behavior: another address keeps the days of the link', async () => {
  await open(`/?address=${addressOf(0)}&dayFrom=2026-08-01&dayTo=2026-08-31`)
  await screen.findByRole('table', { name: 'Two days compared' })
  const field = screen.getByRole('textbox', { name: 'Address' })
  fireEvent.change(field, { target: { value: member } })
  await expect.poll(() => document.title).toContain(member.slice(0, 4))
  expect(await screen.findByRole('table', { name: 'Two days compared' })).toBeTruthy()
})
