import { defineConfig } from 'vitest/config'
import { shared } from '../../scripts/vitest/shared.ts'

const conditions = ['@lineage/source']

// Node 24 with its compile cache sometimes ends with SIGSEGV while threads with PGlite end.
delete process.env.NODE_COMPILE_CACHE

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // The modules load only once, so a spy that a failed test left behind would reach the next file.
  test: { ...shared, environment: 'node', isolate: false, restoreMocks: true },
})
