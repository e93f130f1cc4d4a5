import { defineConfig } from 'vitest/config'
import { testLimit } from '../../../scripts/vitest/limits.ts'

/** Tests the package as published. Build it first. */
export default defineConfig({
  root: import.meta.dirname,
  test: { environment: 'node', include: ['package.test.ts'], hookTimeout: testLimit, testTimeout: testLimit },
})
