import { expect, test } from 'vitest'
import { runSoak } from './soak.ts'

/** In short, and with the database of whoever starts it here: `pnpm soak` does it at length, and with PostgreSQL. */
test('behavior: killed at random moments, it has in the end what a fresh index has', async () => {
  const { hashes, rows, logs, crashes } = await runSoak({ kind: 'PGlite', kills: 2, seed: 2026 })
  expect(crashes).toEqual([])
  expect(hashes.killed).toEqual(hashes.fresh)
  expect(rows).toBe(logs)
  expect(rows).toBeGreaterThan(100)
}, 600_000)
