/**
 * `pnpm soak [--runs 50] [--seed 1] [--database pglite|postgres]`: kills the indexer at random moments and compares its
 * tables and forest in the end with those of a fresh index, byte for byte. Takes about ten minutes.
 */
import { parseArgs } from 'node:util'
import { runSoak } from '../apps/indexer/test/soak.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    database: { type: 'string', default: 'pglite' },
  },
})

const { hashes, crashes, ...counts } = await runSoak({
  kind: values.database === 'postgres' ? 'PostgreSQL' : 'PGlite',
  kills: Number(values.runs),
  seed: Number(values.seed),
  log: (message) => console.log(message),
})
console.log(counts)
console.table(hashes)
for (const crash of crashes) console.log(crash)
const isSame =
  counts.rows === counts.logs &&
  hashes.killed.tables === hashes.fresh.tables &&
  hashes.killed.forest === hashes.fresh.forest
console.log(isSame ? 'The same, byte for byte.' : 'NOT the same.')
process.exit(isSame && crashes.length === 0 ? 0 : 1)
