import { defineConfig } from 'vitest/config'
import { shared } from '../../scripts/vitest/shared.ts'

export default defineConfig({
  test: { ...shared, environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'], restoreMocks: true },
})
