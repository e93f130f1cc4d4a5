import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { ByEnvironment } from './ByEnvironment.ts'

/** Number of workers for files that wait for processes which they have started: one would leave a second core idle. */
export const severalWorkers = Math.max(2, availableParallelism() - 1)

/** Vitest settings of all packages, with time limits that only a hanging test reaches, even on a busy machine. */
export const shared = {
  // A worker loads each module only once, so a spy that a failed test left behind would reach the next file.
  isolate: false,
  sequence: { sequencer: ByEnvironment },
  restoreMocks: true,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  setupFiles: [join(import.meta.dirname, 'setup.ts')],
}
