import { defineConfig } from 'vitest/config'

// Chains of 100,000 and hundreds of random streams take seconds on a busy machine.
export default defineConfig({ test: { testTimeout: 120_000 } })
