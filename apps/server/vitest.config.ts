import { defineConfig } from 'vitest/config'

const conditions = ['@lineage/source']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { environment: 'node' },
})
