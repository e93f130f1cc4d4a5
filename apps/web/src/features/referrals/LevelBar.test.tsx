import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderApp } from '../../../test/renderApp.tsx'
import { LevelBar } from './LevelBar.tsx'
import type { DownlineView } from './useDownlineView.ts'

test('attack: of a line of 200,000 members, each below the last, a part of the levels is shown, and the chosen one', async () => {
  const levels = Array.from({ length: 200_000 }, (_, index) => ({ level: index + 1, count: 1 }))
  const view = { kind: 'table', level: 150_000 } as DownlineView
  const content = <LevelBar levels={levels} total={levels.length} view={view} onLevel={() => undefined} />
  const { close } = await renderApp('/', { language: 'en', content })
  const buttons = () => within(screen.getByRole('toolbar', { name: 'Levels' })).getAllByRole('button')
  const names = () => buttons().map(({ textContent }) => textContent)
  expect(buttons()).toHaveLength(503)
  expect(names().slice(-3)).toEqual(['Level 5001', 'Level 1500001', 'Show 500 more'])
  expect(screen.getByRole('button', { pressed: true }).textContent).toBe('Level 1500001')
  await userEvent.click(screen.getByRole('button', { name: 'Show 500 more' }))
  expect(names().slice(-3)).toEqual(['Level 10001', 'Level 1500001', 'Show 500 more'])
  expect(document.activeElement?.textContent).toBe('Level 5011')
  await close()
})
