import { defineConfig } from 'vitest/config'
import { testLimit, waitLimit } from '../../../scripts/vitest/limits.ts'

/** Tests the published package and the examples. Build it first. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    environment: 'node',
    include: ['*.test.ts'],
    hookTimeout: testLimit,
    testTimeout: testLimit,
    expect: { poll: { timeout: waitLimit } },
  },
})
