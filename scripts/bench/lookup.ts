/**
 * `pnpm bench:lookup [--members 1000000] [--communities 1] [--rounds 100] [--no-sql] [--json]`: measures every lookup
 * over HTTP on made-up communities, and the same in recursive SQL on PostgreSQL. Ten million members take half an hour
 * and 12 GB of disk.
 */

import { measureLookups } from '../../apps/server/bench/lookup.ts'
import { readOptions } from '../lib/readOptions.ts'
import { printTable, short } from './figures.ts'

const {
  json,
  'no-sql': noSql,
  ...options
} = readOptions({
  ...{ members: 1_000_000, communities: 1, rounds: 100 },
  ...{ 'no-sql': false, json: false },
})
const { lookups, members, communities, startMs, startCpuMs, rssMb, peakMb, bindToVisibleMs, csv } =
  await measureLookups({
    ...options,
    sql: noSql ? 'skip' : 'compare',
    log: (message) => console.error(message),
  })
if (json) {
  const figures = lookups.map(({ name, p50, p95, p99, rps, sqlP50 }) => ({ name, p50, p95, p99, rps, sqlP50 }))
  console.log(JSON.stringify({ members, lookups: figures, startMs, rssMb: peakMb }))
} else {
  printTable([
    ['ms', 'p50', 'p95', 'p99', 'p95 in the server', 'at most', 'on the processor', 'kB', 'requests/s', 'SQL p50'],
    ...lookups.map(({ name, refused, p50, p95, p99, serverP95, atMost, cpuP95, kilobytes, rps, sqlP50 }) => [
      refused === 0 ? name : `${name} (${refused} refused)`,
      ...[p50, p95, p99, serverP95].map(short),
      `${atMost} ${serverP95 <= atMost ? '✓' : '✗'}`,
      ...[cpuP95, kilobytes, rps].map(short),
      sqlP50 === null ? '> 5000 or none' : short(sqlP50),
    ]),
  ])
  console.log(
    `${communities} × ${members} members, from tables to ready ${short(startMs)} ms (${short(startCpuMs)} of the processor)`,
  )
  console.log(`${short(rssMb)} MB resident after another snapshot, ${short(peakMb)} MB at most`)
  console.log(`from a bind in the tables to an answer ${short(bindToVisibleMs)} ms`)
  console.log(
    `CSV of the largest downline: ${short(csv.megabytes)} MB in ${short(csv.seconds)} s, memory grown by ${short(csv.grownMb)} MB`,
  )
}
// An open handle of the embedded PostgreSQL would keep this process running.
process.exit(0)
