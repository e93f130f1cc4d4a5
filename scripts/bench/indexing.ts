/**
 * `pnpm bench:index [--binds 100000] [--latency 50] [--transactions 150] [--range 5000] [--kill-after 5] [--json]`:
 * measures the time to read a history with one bind per block from a node on this machine. The options set the node's
 * latency, the transactions per block, the largest range of logs, and after how many seconds the reader is killed and
 * started again.
 */
import { parseArgs } from 'node:util'
import { measureHistory } from '../../apps/reader/bench/measureHistory.ts'

const { values } = parseArgs({
  options: {
    binds: { type: 'string', default: '100000' },
    latency: { type: 'string', default: '50' },
    transactions: { type: 'string', default: '150' },
    range: { type: 'string', default: '5000' },
    'kill-after': { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const { binds, latency, transactions, range, 'kill-after': killAfter } = values
const measured = await measureHistory({
  binds: Number(binds),
  latency: Number(latency),
  transactions: Number(transactions),
  range: Number(range),
  killAfter: killAfter === undefined ? undefined : Number(killAfter),
})
if (values.json) console.log(JSON.stringify(measured))
else console.table(measured)
