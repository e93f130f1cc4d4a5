import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { shared } from '../../scripts/vitest/shared.ts'

// Most of these files wait for processes that they have started, so one worker would leave a second core idle.
const maxWorkers = Math.max(2, availableParallelism() - 1)

export default defineConfig({ test: { ...shared, maxWorkers, testTimeout: 300_000, hookTimeout: 300_000 } })
