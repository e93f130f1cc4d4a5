import { join } from 'node:path'

/** What the tests of every package have in common: limits for what hangs, which a busy machine does not meet. */
export const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  setupFiles: [join(import.meta.dirname, 'setup.ts')],
}
