import { screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { addressOf, createForest } from '../../../test/forest.ts'
import { renderApp } from '../../../test/renderApp.tsx'

const forest = createForest()
/** Members of the fake API with mixed grades: of three, one is exact, one `between` and one `observed`. */
const [exact, between, observed] = [addressOf(0), addressOf(1), addressOf(122)]
const isUndated = (index: number) => index % 3 > 0
const countOf = (indexes: readonly number[]) => new Intl.NumberFormat('en').format(indexes.filter(isUndated).length)
const everyone = forest.rows.map((_, index) => index)
let closing: (() => Promise<void>) | undefined

const open = async (path: string) => {
  const app = await renderApp(path, { language: 'en', grades: 'mixed' })
  closing = app.close
}
afterEach(async () => {
  await closing?.()
  closing = undefined
})
const timesIn = (element: HTMLElement) => element.querySelectorAll('time').length

test('behavior: the page of an undated member names the blocks, and says how many of its team are in no day', async () => {
  await open(`/?address=${between}`)
  const blocks = await screen.findByText('Joined within blocks 40,000,000–40,000,001')
  expect(timesIn(blocks.parentElement as HTMLElement)).toBe(0)
  const text = `In no day, because the joining time is unknown: ${countOf(forest.levels(1).flat())}`
  expect(await screen.findByText(text)).toBeTruthy()
})

test('behavior: rows of undated members have their grade instead of a date', async () => {
  await open(`/referrals?address=${exact}&level=1`)
  const rowOf = async (address: string) =>
    (await screen.findByText(address)).closest<HTMLElement>('[role=row], tr') as HTMLElement
  for (const [address, text] of [[between, 'Between blocks'] as const, [observed, 'Found later'] as const]) {
    const row = await rowOf(address)
    expect(within(row).getByText(text)).toBeTruthy()
    expect(timesIn(row)).toBe(0)
  }
})

test('behavior: a filter by days says how many undated members it leaves out', async () => {
  await open(`/referrals?address=${exact}&level=1&joinedFrom=2020-01-01`)
  const text = `Not counted: ${countOf(forest.rows[0]?.children ?? [])} without an exact joining time, matching all but the days.`
  expect(await screen.findByText(text)).toBeTruthy()
})

test('behavior: the figures of a community say how many members are in no day', async () => {
  await open('/metrics')
  const text = `In no day, because the joining time is unknown: ${countOf(everyone)}`
  expect(await screen.findByText(text)).toBeTruthy()
  const binds = await screen.findByRole('table', { name: 'Latest bind events' })
  expect(within(binds).getAllByText('Between blocks').length).toBeGreaterThan(0)
})

test('behavior: the timeline has binds of an unknown time apart from those of a day', async () => {
  await open(`/search?address=${between}&kind=bind`)
  const timeline = await screen.findByRole('region', { name: 'Timeline' })
  expect(await within(timeline).findByRole('heading', { name: 'Time unknown' })).toBeTruthy()
  expect(timesIn(timeline)).toBe(0)
})

test('behavior: a past day at which it is not known whether the address was bound shows no figures', async () => {
  await open(`/?address=${addressOf(1_000)}&asOf=2026-03-01`)
  expect((await screen.findByRole('alert')).textContent).toMatch(/^It is not known whether this address/)
})
