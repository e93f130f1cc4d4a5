import { expect, test } from 'vitest'
import { runSoak } from './soak.ts'

/** A short run with PGlite; `pnpm soak` runs longer, and also with PostgreSQL. */
test('behavior: after kills at random moments it holds the same as a fresh index', async () => {
  const { hashes, rows, logs } = await runSoak({ kind: 'PGlite', kills: 2, seed: 2026 })
  expect(hashes.killed).toEqual(hashes.fresh)
  expect(rows).toBe(logs)
  expect(rows).toBeGreaterThan(100)
}, 600_000)
