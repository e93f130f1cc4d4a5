import { defineConfig } from 'vitest/config'
import { shared } from '../../scripts/vitest/shared.ts'

const conditions = ['@lineage/source']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // The modules load only once, which takes a sixth of the time.
  test: { ...shared, environment: 'node', isolate: false },
})
