import { defineConfig } from 'vitest/config'
import { severalWorkers, shared } from './vitest/shared.ts'

export default defineConfig({
  test: {
    ...shared,
    maxWorkers: severalWorkers,
    include: ['**/*.test.ts'],
    exclude: ['browser/**', '**/node_modules/**'],
  },
})
