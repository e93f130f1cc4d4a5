import { join } from 'node:path'

/** The Vitest settings of every package: limits that only a test that hangs reaches, also on a busy machine. */
export const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  setupFiles: [join(import.meta.dirname, 'setup.ts')],
}
