import { expect, test } from 'vitest'
import { createTerminal } from './terminal.ts'

function start(isTTY: boolean) {
  const clock = { time: 0 }
  const state = { text: '' }
  const out = { isTTY, columns: 60, write: (text: string) => (state.text += text) }
  return { terminal: createTerminal({ out, now: () => clock.time }), clock, state }
}

test('behavior: in a file a phase writes a line at its start, at intervals, and at its end', () => {
  const { terminal, clock, state } = start(false)
  const phase = terminal.phase('Making')
  for (const time of [1000, 2000, 5100, 6000]) {
    clock.time = time
    phase.update(`${time} of 9000`)
  }
  clock.time = 7500
  phase.done('Made')
  phase.update('late')
  expect(state.text).toBe('   0.0 s  Making …\n   5.1 s  Making: 5100 of 9000\n   7.5 s  Made\n')
})

test('behavior: on a terminal the phases share a last line, redrawn and cut to the width', () => {
  const { terminal, state } = start(true)
  const one = terminal.phase('Building')
  const two = terminal.phase('Making')
  two.update('1 of 9')
  expect(state.text.endsWith('\r\x1b[2K   0.0 s  Building · Making: 1 of 9 …')).toBe(true)
  two.update('x'.repeat(100))
  expect(state.text.split('\r\x1b[2K').at(-1)).toHaveLength(59)
  one.done('Built')
  expect(state.text).toContain('\r\x1b[2K   0.0 s  Built\n   0.0 s  Making')
  terminal.end()
  expect(state.text.endsWith('\r\x1b[2K')).toBe(true)
})

test('behavior: draws a box', () => {
  const { terminal, state } = start(false)
  terminal.box(['Lineage', 'is here.'])
  expect(state.text).toBe('\n┌────────────┐\n│  Lineage   │\n│  is here.  │\n└────────────┘\n\n')
})
