import { defineConfig } from 'vitest/config'
import { shared } from '../../scripts/vitest/shared.ts'

export default defineConfig({
  // A rewritten app runs with the source of the kit, which need not be built.
  ssr: { resolve: { conditions: ['@lineage/source', 'module', 'node', 'development|production'] } },
  test: { ...shared, include: ['src/**/*.test.ts'] },
})
