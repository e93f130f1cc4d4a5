import { join } from 'node:path'

/** What the tests of every package have in common: limits for what hangs, which a busy machine does not meet. */
export const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  // Sockets, chains and browsers on a machine that others use: in CI a test may fail once, never twice.
  retry: process.env.CI ? 1 : 0,
  setupFiles: [join(import.meta.dirname, 'setup.ts')],
}
