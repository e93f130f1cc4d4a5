import { defineConfig } from 'vitest/config'
import { shared } from '../../scripts/vitest/shared.ts'

// Chains of 100,000 and thousands of random streams take long on a busy machine.
export default defineConfig({ test: { ...shared, testTimeout: 120_000 } })
