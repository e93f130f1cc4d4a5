import { expect, test } from 'vitest'
import { databaseKinds } from './databases.ts'
import { runSoak } from './soak.ts'

test.each(databaseKinds)(
  'behavior: killed at random moments on %s, it has in the end what a fresh index has',
  async (kind) => {
    const { hashes, rows, logs, crashes } = await runSoak({ kind, kills: 2, seed: 2026 })
    expect(crashes).toEqual([])
    expect(hashes.killed).toEqual(hashes.fresh)
    expect(rows).toBe(logs)
    expect(rows).toBeGreaterThan(100)
  },
  600_000,
)
