import { defineConfig } from 'vitest/config'
import { shared } from '../../scripts/vitest/shared.ts'

const conditions = ['@lineage/source']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { ...shared, environment: 'node', globalSetup: ['test/globalSetup.ts'] },
})
