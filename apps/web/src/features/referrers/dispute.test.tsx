import { toDecimal } from '@lineage/referral-api'
import { createCalendar } from '@lineage/referral-api/days'
import { screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { addressOf, createForest } from '../../../test/forest.ts'
import { renderApp } from '../../../test/renderApp.tsx'
import { unusedParameters } from '../../parameters.ts'
import { readList } from './query.ts'
import { toSheetCsv } from './toSheetCsv.ts'

const { rows, levels } = createForest()
const sizes = rows.map((_, index) => [index, levels(index).flat().length] as const)
const leaders = sizes.filter(([, size]) => size > 5 && size < 25).map(([index]) => index)
const first = leaders[0] as number
/** A small team, and one that is neither above nor below it. */
const other = leaders.find(
  (index) => index !== first && !levels(first).flat().includes(index) && !levels(index).flat().includes(first),
) as number
const [a, b] = [addressOf(first), addressOf(other)]
const dayOf = (index: number) => new Date((rows[index]?.joinedAt ?? 0) * 1_000).toISOString().slice(0, 10)
const period = `dayFrom=${dayOf(0)}&dayTo=${dayOf(rows.length - 1)}&tz=UTC`
let closing: (() => Promise<void>) | undefined

afterEach(async () => {
  await closing?.()
  closing = undefined
})
const open = async (rest: string) => {
  const app = await renderApp(`/referrers?view=dispute&address=${a}&to=${b}${rest}`, { language: 'en' })
  closing = app.close
  return app
}
const tableOf = (name: RegExp) => screen.findByRole('table', { name })
const sizeOf = (index: number) => (sizes[index]?.[1] ?? 0) + 1

test('behavior: both teams side by side, and each bind that did not count with the one that held', async () => {
  await open(`&${period}`)
  const summary = await tableOf(/^Both teams/)
  const [, , bound] = within(summary).getAllByRole('row')
  expect(bound?.textContent).toBe(`Members bound to the team${sizeOf(first)}${sizeOf(other)}`)
  const [, row] = within(await tableOf(/^Binds that did not count/)).getAllByRole('row')
  expect(within(row as HTMLElement).getByRole('rowheader').textContent).toMatch(/^0x/)
  const [status, claimed, when, held] = within(row as HTMLElement).getAllByRole('cell')
  expect(status?.textContent).toBe('Duplicate')
  expect(claimed?.textContent).toMatch(/B$/)
  expect(when?.textContent).toMatch(/block 40,\d{3},\d{3}/)
  expect(held?.textContent).toMatch(/0x/)
  for (const name of ['A', 'B']) expect(await tableOf(new RegExp(`^Binds in team ${name}`))).toBeTruthy()
})

test('behavior: the amounts of both teams, with those of the leaders', async () => {
  await open(`&dayFrom=2026-08-01&dayTo=2026-08-31&tz=UTC`)
  const { firstSecond, lastSecond } = createCalendar('UTC')
  const sumOf = (leader: number) =>
    [leader, ...levels(leader).flat()]
      .map((index) => rows[index])
      .filter((row) => row && row.joinedAt >= firstSecond('2026-08-01') && row.joinedAt <= lastSecond('2026-08-31'))
      .reduce((sum, row) => sum + (row?.ownVolume ?? 0n), 0n)
  const row = await within(await tableOf(/^Both teams/)).findByRole('row', { name: /^Volume \(USDT\) \d/ })
  const cells = within(row).getAllByRole('cell')
  expect(cells.map((cell) => cell.textContent?.replaceAll(',', ''))).toEqual(
    [first, other].map((leader) => toDecimal(String(sumOf(leader)), 18)),
  )
})

test('behavior: an exact amount that is longer than a phone is wide breaks', async () => {
  await open(`&${period}`)
  const row = await within(await tableOf(/^Both teams/)).findByRole('row', { name: /^Volume \(USDT\) \d/ })
  const texts = within(row)
    .getAllByText(/^[\d,.]+$/)
    .map((one) => getComputedStyle(one))
  expect(texts.map(({ overflowWrap, whiteSpace }) => [overflowWrap, whiteSpace])).toEqual([
    ['anywhere', 'normal'],
    ['anywhere', 'normal'],
  ])
})

test('behavior: the link is pinned to the block, the days and the zone', async () => {
  await open('')
  const link = await screen.findByRole('link', { name: /^Pin to block/ })
  const pinned = new URL(link.getAttribute('href') ?? '', 'http://localhost').searchParams
  expect(pinned.get('asOf')).toMatch(/^\d+$/)
  expect([...pinned.keys()]).toEqual(['view', 'address', 'to', 'asOf', 'dayFrom', 'dayTo', 'tz'])
  expect(unusedParameters('referrers', pinned)).toEqual([])
  pinned.set('view', 'relation')
  expect(unusedParameters('referrers', pinned)).toEqual(['dayFrom', 'dayTo'])
})

test('behavior: a list of members is checked in portions, each with its row', async () => {
  const all = rows.slice(0, 201).map((_, index) => ({ address: addressOf(index), referrer: addressOf(0) }))
  const { signal } = new AbortController()
  const { links, next } = await readList(all)(undefined, signal)
  expect([links.length, links[199]?.row, next]).toEqual([200, 199, '200'])
  expect(await readList(all)(next, signal)).toEqual({ links: [{ ...all[200], row: 200 }], next: undefined })
})

test('behavior: a row of the CSV has the bind, the one that held, and what the contract returned', () => {
  const bind = {
    referrer: b,
    block: 7,
    logIndex: 1,
    timestamp: 1_700_000_000,
    tx: null,
    grade: 'exact',
    between: null,
  } as const
  const csv = toSheetCsv(
    [
      {
        ...bind,
        address: a,
        status: 'duplicate',
        memberSide: 'a',
        referrerSide: 'b',
        held: { ...bind, referrer: a, referrerSide: 'a' },
      },
    ],
    { asOf: '9', hops: new Map([[a, { kind: 'agrees' }]]) },
  )
  const [head, row] = csv
    .slice(1)
    .split('\r\n')
    .map((line) => line.replaceAll('"', '').split(','))
  const cells = Object.fromEntries(head?.map((name, index) => [name, row?.[index]]) ?? [])
  expect(cells).toMatchObject({ member: a, referrer: b, status: 'duplicate', time: '2023-11-14T22:13:20Z', block: '7' })
  expect(cells).toMatchObject({ heldBy: a, heldSide: 'a', heldBlock: '7', onChain: 'agrees', asOf: '9' })
})

test('behavior: without days, a sheet of a past day has the thirty days up to it', async () => {
  await open('&asOf=2026-06-30&tz=UTC')
  expect(await screen.findByText(/^\w+ 1, 2026 to \w+ 30, 2026, both/)).toBeTruthy()
})
