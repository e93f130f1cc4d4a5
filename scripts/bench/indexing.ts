/**
 * `pnpm bench:index [--binds 100000] [--latency 50] [--transactions 150] [--range 5000] [--database postgres|pglite]
 * [--json]`: measures the time to read a history with one bind per block from a node on this machine. The options set
 * the node's latency, the transactions per block and the largest range of logs. It runs Ponder alone (before), then
 * the product (after).
 *
 * `pnpm bench:index --local [--events 20000] [--per-block 50]`: measures how many events per second are indexed from
 * a local chain, the first time and after a change of the configuration.
 */
import { parseArgs } from 'node:util'
import { measureHistory } from '../../apps/indexer/bench/measureHistory.ts'
import { measureCatchUp } from '../../apps/indexer/test/catchUp.ts'

const { values } = parseArgs({
  options: {
    local: { type: 'boolean', default: false },
    binds: { type: 'string', default: '100000' },
    latency: { type: 'string', default: '50' },
    transactions: { type: 'string', default: '150' },
    range: { type: 'string', default: '5000' },
    events: { type: 'string', default: '20000' },
    'per-block': { type: 'string', default: '50' },
    database: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const database = values.database ?? (values.local ? 'pglite' : 'postgres')
const kind = database === 'postgres' ? 'PostgreSQL' : 'PGlite'

if (values.local)
  print(await measureCatchUp({ kind, events: Number(values.events), perBlock: Number(values['per-block']) }))
else {
  const { binds, latency, transactions, range } = values
  const options = { binds: Number(binds), latency: Number(latency), transactions: Number(transactions) }
  const { before, after } = await measureHistory({ kind, ...options, range: Number(range) })
  print({ before, after })
  if (!values.json) console.log(`${(before.seconds / after.seconds).toFixed(1)} times as fast.`)
  if (before.rows !== after.rows) {
    console.error('The tables differ.')
    process.exit(1)
  }
}
// An open handle of the embedded PostgreSQL would keep this process running.
process.exit(0)

function print(measured: object): void {
  if (values.json) console.log(JSON.stringify({ database, ...measured }))
  else console.table(measured)
}
