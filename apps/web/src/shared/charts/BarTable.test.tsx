import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderApp } from '../../../test/renderApp.tsx'
import { WithCommunity } from '../lookup/WithCommunity.tsx'
import { BarTable } from './BarTable.tsx'

test('attack: of a line of 20,000 members, each below the last, a part of the levels is drawn, also in print', async () => {
  const bars = Array.from({ length: 20_000 }, (_, at) => ({
    key: String(at),
    label: `Level ${at}`,
    value: 1,
    text: '1',
  }))
  const source = { asOf: { block: 1, timestamp: 1, finalizedBlock: 1 } }
  const columns = { label: 'Level', value: 'Members' }
  const table = <BarTable caption="Levels" columns={columns} bars={bars} source={source} />
  const content = <WithCommunity skeleton={null}>{() => table}</WithCommunity>
  const { close } = await renderApp('/', { language: 'en', content })
  const rows = () => within(screen.getByRole('table', { name: 'Levels' })).getAllByRole('rowheader')
  await expect.poll(() => screen.queryByRole('table')).toBeTruthy()
  expect(rows()).toHaveLength(12)
  await userEvent.click(screen.getByRole('button', { name: 'Show 500 more' }))
  expect(rows()).toHaveLength(512)
  expect(document.activeElement?.textContent).toBe('Show 500 more')
  await act(async () => void window.dispatchEvent(new Event('beforeprint')))
  expect(rows()).toHaveLength(2_000)
  expect(screen.getByText('2,000 / 20,000')).toBeTruthy()
  await close()
})
