import { createCalendar } from '@lineage/referral-api/days'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useNavigate } from 'react-router-dom'
import { afterEach, expect, test } from 'vitest'
import { addressOf, createForest } from '../../../test/forest.ts'
import { renderApp } from '../../../test/renderApp.tsx'
import { Router } from '../../router.tsx'

const forest = createForest()
const member = addressOf(1)
let closing: (() => Promise<void>) | undefined

const open = async (query: string) => {
  const app = await renderApp(`/?address=${member}${query}`, { language: 'en' })
  closing = app.close
}
afterEach(async () => {
  await closing?.()
  closing = undefined
})

test.each([
  ['UTC', 'UTC'],
  ['Asia/Shanghai', 'China UTC+8'],
])('behavior: a link with two days shows who joined on them or between them in %s', async (timeZone, zone) => {
  await open(`&dayFrom=2026-08-01&dayTo=2026-11-01&tz=${timeZone}`)
  const { firstSecond, lastSecond } = createCalendar(timeZone)
  const [from, to] = [firstSecond('2026-08-01') - 1, lastSecond('2026-11-01')]
  const joins = forest
    .levels(1)
    .flat()
    .map((index) => forest.rows[index]?.joinedAt ?? 0)
  const [before, after] = [from, to].map((until) => joins.filter((at) => at <= until).length) as [number, number]
  const table = await screen.findByRole('table', { name: 'Two days compared' })
  const team = within(table).getByRole('row', { name: /^Team/ })
  expect(team.textContent).toBe(`Team${before}${after}+${after - before}`)
  expect(screen.getByText(`${after - before} joined`)).toBeTruthy()
  expect(screen.getByText('Amounts of these days').parentElement?.textContent).toMatch(
    /Own volume.*.USDTTeam volume.*.USDTOwn rewards.*.USDTTeam rewards.*.USDTThe team is the one after the last day\./,
  )
  const comparison = within(screen.getByRole('region', { name: 'Two days compared' }))
  expect(comparison.getByText(`Aug 1, 2026 to Nov 1, 2026, both days included · ${zone}`)).toBeTruthy()
})

test('behavior: a past day also shows the two days that its link names', async () => {
  await open('&asOf=2026-11-05&dayFrom=2026-08-01&dayTo=2026-11-01')
  expect(await screen.findByRole('table', { name: 'Two days compared' })).toBeTruthy()
  expect(screen.getByText(/^As of Nov 5/)).toBeTruthy()
})

test('accessibility: the menu that compares two days has a name, and leads to the days', async () => {
  await open('')
  for (const _ of ['no days yet', 'the days of before']) {
    await act(async () => (await screen.findByRole('button', { name: 'Time: now' })).click())
    expect((await screen.findByRole('menu')).ariaLabel).toBe('Time: now')
    await act(async () => screen.getByRole('menuitem', { name: 'Two days compared' }).click())
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('From')))
  }
})

test('accessibility: Back and Forward leave the focus where it is', async () => {
  function Steps() {
    const navigate = useNavigate()
    return [-1, 1].map((step) => (
      <button key={step} type="button" onClick={() => navigate(step)}>
        {`step ${step}`}
      </button>
    ))
  }
  const content = [<Router key="router" />, <Steps key="steps" />]
  closing = (await renderApp(`/?address=${member}`, { language: 'en', content })).close
  await userEvent.click(await screen.findByRole('button', { name: 'Time: now' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Two days compared' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('From')))
  await userEvent.click(screen.getByRole('button', { name: 'step -1' }))
  await waitFor(() => expect(screen.queryByLabelText('From')).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'step 1' }))
  const first = await screen.findByLabelText('From')
  await act(async () => undefined)
  expect(document.activeElement).not.toBe(first)
})

test('error: the first day must not be after the last', async () => {
  await open('&dayFrom=2026-08-01&dayTo=2026-11-01')
  fireEvent.change(await screen.findByLabelText('To'), { target: { value: '2026-01-01' } })
  await userEvent.click(screen.getByRole('button', { name: 'Compare' }))
  expect(await screen.findByText('The first day must not be after the last.')).toBeTruthy()
})

test('error: a day before the first block says what to do', async () => {
  await open('&dayFrom=2020-01-01&dayTo=2020-11-01')
  expect(await screen.findByText(/^This day is before the community’s first block/)).toBeTruthy()
})
