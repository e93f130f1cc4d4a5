import { defineConfig } from 'vitest/config'
import { shared } from '../../scripts/vitest/shared.ts'

export default defineConfig({ test: shared })
