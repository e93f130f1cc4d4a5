/**
 * `pnpm bench:lookup [--members 1000000] [--communities 1] [--rounds 100] [--no-sql] [--json]`: measures every lookup
 * over HTTP on made-up communities, and the same in recursive SQL on PostgreSQL. Ten million members take half an hour
 * and 12 GB of disk.
 */

import { measureLookups } from '../../apps/server/bench/lookup.ts'
import { readOptions } from '../lib/readOptions.ts'
import { printTable } from './figures.ts'

const {
  json,
  'no-sql': noSql,
  ...options
} = readOptions({
  ...{ members: 1_000_000, communities: 1, rounds: 100 },
  ...{ 'no-sql': false, json: false },
})
const { lookups, csv, ...measured } = await measureLookups({
  ...options,
  sql: noSql ? 'skip' : 'compare',
  log: (message) => console.error(message),
})
if (json) {
  const { members, startMs, peakMb } = measured
  const figures = lookups.map(({ name, p50, p95, p99, rps, sqlP50 }) => ({ name, p50, p95, p99, rps, sqlP50 }))
  console.log(JSON.stringify({ members, lookups: figures, startMs, rssMb: peakMb }))
} else {
  printTable(lookups.map((one) => ({ ...one, within: one.serverP95 <= one.atMost })))
  printTable(measured)
  console.log('CSV of the largest downline')
  printTable(csv)
}
// An open handle of the embedded PostgreSQL would keep this process running.
process.exit(0)
