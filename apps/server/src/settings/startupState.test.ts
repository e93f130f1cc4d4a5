import { expect, test } from 'vitest'
import { createStartupState } from './startupState.ts'

const key = `0x${'ab'.repeat(32)}`

test('behavior: the latest message of each type counts', () => {
  const startup = createStartupState()
  expect([startup.progress, startup.note, startup.demo]).toEqual([null, null, null])
  startup.receive({
    type: 'progress',
    progress: { phase: 'chain', done: 1, total: 800 },
    note: 'The demo chain is being made.',
  })
  startup.receive({ type: 'demo', demo: { privateKeys: [key], contract: null } })
  expect(startup.progress).toEqual({ phase: 'chain', done: 1, total: 800 })
  expect(startup.demo).toEqual({ privateKeys: [key], contract: null })
  startup.receive({ type: 'progress', progress: null, note: null })
  expect([startup.progress, startup.note]).toEqual([null, null])
})

test.each([
  undefined,
  null,
  'x',
  {},
  { type: 'progress' },
  { type: 'demo', demo: { privateKeys: [] } },
  { type: 'other' },
])('error: the invalid message %j is ignored', (message) => {
  const startup = createStartupState()
  startup.receive(message)
  expect([startup.progress, startup.note, startup.demo]).toEqual([null, null, null])
})
