import { defineConfig } from 'vitest/config'
import { shared } from '../../scripts/vitest/shared.ts'

export default defineConfig({
  test: {
    ...shared,
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // Each file has its own jsdom; the worker loads React and MUI once, which was most of the processor time.
    isolate: false,
  },
})
