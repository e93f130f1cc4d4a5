import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderApp } from '../../../test/renderApp.tsx'

test('behavior: the irregular binds are listed below their numbers, each with its transaction, without those that count', async () => {
  const { close } = await renderApp('/metrics', { language: 'en' })
  await userEvent.click(await screen.findByRole('button', { name: 'List the binds' }))
  const table = await screen.findByRole('table', { name: 'Irregular events' })
  expect(within(table).getAllByText('Duplicate').length).toBeGreaterThan(2)
  expect(within(table).queryByText('Valid')).toBeNull()
  expect(within(table).getAllByText(/^block [\d,]+ · 0xab…abab$/).length).toBe(
    within(table).getAllByRole('row').length - 1,
  )
  await close()
})

test('behavior: a warning of a kind that a later server added is a plain sentence', async () => {
  const warning = { kind: 'node_on_holiday', node: null, community: null, message: '' } as never
  const { close } = await renderApp('/metrics', { language: 'en', warnings: [warning] })
  expect(await screen.findByText('Not known to this page yet: reload it')).toBeTruthy()
  await close()
})
