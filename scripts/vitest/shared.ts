import { join } from 'node:path'

/** Vitest settings of all packages, with time limits that only a hanging test reaches, even on a busy machine. */
export const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  setupFiles: [join(import.meta.dirname, 'setup.ts')],
}
