import { expect, test } from 'vitest'
import { createReport } from './report.ts'

function start(isTTY: boolean) {
  const clock = { time: 0 }
  const state = { text: '' }
  const out = { isTTY, columns: 60, write: (text: string) => (state.text += text) }
  return { report: createReport({ out, now: () => clock.time }), clock, state }
}

test('behavior: in a file a phase speaks when it begins, rarely, and when it ends', () => {
  const { report, clock, state } = start(false)
  const phase = report.phase('Making')
  for (const time of [1000, 2000, 5100, 6000]) {
    clock.time = time
    phase.update(`${time} of 9000`)
  }
  clock.time = 7500
  phase.done('Made')
  phase.update('late')
  expect(state.text).toBe('   0.0 s  Making …\n   5.1 s  Making: 5100 of 9000\n   7.5 s  Made\n')
})

test('behavior: on a terminal the phases under way share a last line, drawn over and cut to the width', () => {
  const { report, state } = start(true)
  const one = report.phase('Building')
  const two = report.phase('Making')
  two.update('1 of 9')
  expect(state.text.endsWith('\r\x1b[2K   0.0 s  Building · Making: 1 of 9 …')).toBe(true)
  two.update('x'.repeat(100))
  expect(state.text.split('\r\x1b[2K').at(-1)).toHaveLength(59)
  one.done('Built')
  expect(state.text).toContain('\r\x1b[2K   0.0 s  Built\n   0.0 s  Making')
  report.end()
  expect(state.text.endsWith('\r\x1b[2K')).toBe(true)
})

test('behavior: a box', () => {
  const { report, state } = start(false)
  report.box(['Lineage', 'is here.'])
  expect(state.text).toBe('\n┌────────────┐\n│  Lineage   │\n│  is here.  │\n└────────────┘\n\n')
})
