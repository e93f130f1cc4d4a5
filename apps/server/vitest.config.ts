import { defineConfig } from 'vitest/config'
import { shared } from '../../scripts/vitest/shared.ts'

const conditions = ['@lineage/source']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // The modules load only once, so a spy that a failed test left behind would reach the next file.
  test: { ...shared, environment: 'node', isolate: false, restoreMocks: true, globalSetup: ['test/globalSetup.ts'] },
})
