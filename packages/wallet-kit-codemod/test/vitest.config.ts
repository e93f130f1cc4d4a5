import { defineConfig } from 'vitest/config'

/** Tests the package as published. Build it first. */
export default defineConfig({
  root: import.meta.dirname,
  test: { environment: 'node', include: ['package.test.ts'], hookTimeout: 120_000, testTimeout: 60_000 },
})
