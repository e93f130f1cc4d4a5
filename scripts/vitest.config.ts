import { defineConfig } from 'vitest/config'
import { shared } from './vitest/shared.ts'

export default defineConfig({
  test: { ...shared, isolate: true, include: ['**/*.test.ts'], exclude: ['browser/**', '**/node_modules/**'] },
})
