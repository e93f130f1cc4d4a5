/**
 * Runs one of three soaks, which exit with code 1 if anything was wrong.
 *
 * `pnpm soak --minutes 60`: runs the server and the indexer under faults of nodes, disk, clock and tables, and under
 * kills. Every answer is compared with an oracle, and each fault must be reported within ten seconds.
 *
 * `pnpm soak --changes --minutes 60`: runs two servers, the indexer and a replica on PostgreSQL under load. Each of
 * them is ended, and the configuration and the version are changed and changed back. No lookup may be lost, and the
 * tables must equal those of a fresh index. It makes at least one round, which takes some minutes.
 *
 * `pnpm soak [--runs 50] [--seed 1] [--database pglite|postgres]`: kills the indexer at random moments. At the end it
 * compares the tables and the forest with those of a fresh index, byte for byte. Takes about ten minutes.
 */
import { parseArgs } from 'node:util'
import { runSoak } from '../apps/indexer/test/soak.ts'
import { soakChanges } from './soak/soakChanges.ts'
import { isInTime, soakService } from './soak/soakService.ts'

const { values } = parseArgs({
  options: {
    changes: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    runs: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    database: { type: 'string', default: 'pglite' },
  },
})
const log = (message: string) => console.log(message)

process.exit((await run()) ? 0 : 1)

function run(): Promise<boolean> {
  if (values.changes) return changeAll(Number(values.minutes ?? 3))
  return values.minutes === undefined ? compareTables() : compareAnswers(Number(values.minutes))
}

async function changeAll(minutes: number): Promise<boolean> {
  const { operations, asked, lost, rows, tables } = await soakChanges({ minutes, log })
  console.table(operations)
  for (const one of lost.slice(0, 20)) log(`LOST ${one}`)
  log(`${asked} lookups, ${lost.length} lost; ${rows} rows, ${tables} to a fresh index.`)
  return lost.length === 0 && asked > 0 && tables === 'equal'
}

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
  const { hashes, ...counts } = await runSoak({
    kind: values.database === 'postgres' ? 'PostgreSQL' : 'PGlite',
    kills: Number(values.runs),
    seed: Number(values.seed),
    log,
  })
  console.log(counts)
  console.table(hashes)
  const isSame =
    counts.rows === counts.logs &&
    hashes.killed.tables === hashes.fresh.tables &&
    hashes.killed.forest === hashes.fresh.forest
  console.log(isSame ? 'The same, byte for byte.' : 'NOT the same.')
  return isSame
}
