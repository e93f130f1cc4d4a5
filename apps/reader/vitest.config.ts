import { defineConfig } from 'vitest/config'
import { severalWorkers, shared } from '../../scripts/vitest/shared.ts'

export default defineConfig({
  test: { ...shared, maxWorkers: severalWorkers },
})
