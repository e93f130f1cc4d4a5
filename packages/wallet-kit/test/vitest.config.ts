import { defineConfig } from 'vitest/config'

/** Tests the published package and the examples. Build it first. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    environment: 'node',
    include: ['*.test.ts'],
    hookTimeout: 180_000,
    testTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
