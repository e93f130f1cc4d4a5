import { expect, test } from 'vitest'
import { runSoak } from './soak.ts'

test('behavior: after kills at random moments the rows are those of an undisturbed reader', async () => {
  const { rows, logs } = await runSoak({ kills: Number(process.env.SOAK_KILLS ?? 2), seed: 2026, log: console.log })
  expect(rows.killed).toEqual(rows.fresh)
  expect(rows.fresh).toHaveLength(logs)
  expect(logs).toBeGreaterThan(50)
}, 600_000)
