import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { shared } from '../../scripts/vitest/shared.ts'

// Most of these files wait for processes that they have started, so one worker would leave a second core idle.
const maxWorkers = Math.max(2, availableParallelism() - 1)

// A worker loads the modules only once, so a spy that a failed test left behind would reach the next file.
const workers = { maxWorkers, isolate: false, restoreMocks: true }

export default defineConfig({ test: { ...shared, ...workers, testTimeout: 300_000, hookTimeout: 300_000 } })
