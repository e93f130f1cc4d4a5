import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['@lineage/source'] },
  test: { environment: 'node' },
})
