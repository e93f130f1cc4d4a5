/**
 * `pnpm bench:index [--binds 100000] [--latency 50] [--transactions 150] [--range 5000] [--kill-after 5] [--json]`:
 * measures the time to read a history with one bind per block from a node on this machine. The options set the node's
 * latency, the transactions per block, the largest range of logs, and after how many seconds the reader is killed and
 * started again.
 */

import { measureHistory } from '../../apps/reader/bench/measureHistory.ts'
import { readOptions } from '../lib/readOptions.ts'

const {
  'kill-after': killAfter,
  json,
  ...options
} = readOptions({
  ...{ binds: 100_000, latency: 50, transactions: 150, range: 5_000 },
  ...{ 'kill-after': 0, json: false },
})
const measured = await measureHistory({ ...options, killAfter: killAfter || undefined })
if (json) console.log(JSON.stringify(measured))
else console.table(measured)
