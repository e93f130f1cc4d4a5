/**
 * Two soaks, which end with code 1 if anything was wrong.
 *
 * `pnpm soak --minutes 60`: the server and the indexer under faults of nodes, disk, clock and tables, and kills; every answer is
 * compared with an oracle, and what is wrong must be said within ten seconds.
 *
 * `pnpm soak [--runs 50] [--seed 1] [--database pglite|postgres]`: kills the indexer at random moments and compares its
 * tables and forest in the end with those of a fresh index, byte for byte. Takes about ten minutes.
 */
import { parseArgs } from 'node:util'
import { runSoak } from '../apps/indexer/test/soak.ts'
import { isInTime, soakService } from './soak/soakService.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    runs: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    database: { type: 'string', default: 'pglite' },
  },
})
const log = (message: string) => console.log(message)

process.exit((await (values.minutes === undefined ? compareTables() : compareAnswers(Number(values.minutes)))) ? 0 : 1)

async function compareAnswers(minutes: number): Promise<boolean> {
  const { faults, answers, blocks } = await soakService({ minutes, log })
  console.table(faults)
  for (const wrong of answers.wrong.slice(0, 20)) log(`WRONG ${wrong}`)
  const late = faults.filter((report) => !isInTime(report))
  log(
    `${faults.length} faults, ${late.length} of them said too late or for ever; ${blocks} blocks; ${answers.right} answers right, ${answers.wrong.length} wrong, ${answers.refused} refused, ${answers.silent} silent.`,
  )
  return answers.wrong.length === 0 && answers.right > 0 && late.length === 0
}

async function compareTables(): Promise<boolean> {
  const { hashes, crashes, ...counts } = await runSoak({
    kind: values.database === 'postgres' ? 'PostgreSQL' : 'PGlite',
    kills: Number(values.runs),
    seed: Number(values.seed),
    log,
  })
  console.log(counts)
  console.table(hashes)
  for (const crash of crashes) console.log(crash)
  const isSame =
    counts.rows === counts.logs &&
    hashes.killed.tables === hashes.fresh.tables &&
    hashes.killed.forest === hashes.fresh.forest
  console.log(isSame ? 'The same, byte for byte.' : 'NOT the same.')
  return isSame && crashes.length === 0
}
