/**
 * `pnpm bench:index [--events 20000] [--per-block 50] [--database pglite|postgres] [--json]`: measures how many
 * events a second the index catches up with on this machine.
 */
import { parseArgs } from 'node:util'
import { measureCatchUp } from '../../apps/indexer/test/catchUp.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '20000' },
    'per-block': { type: 'string', default: '50' },
    database: { type: 'string', default: 'pglite' },
    json: { type: 'boolean', default: false },
  },
})

const measured = await measureCatchUp({
  kind: values.database === 'postgres' ? 'PostgreSQL' : 'PGlite',
  events: Number(values.events),
  perBlock: Number(values['per-block']),
})
if (values.json) console.log(JSON.stringify({ database: values.database, ...measured }))
else console.table(measured)
// An open handle of the embedded PostgreSQL would keep this process running.
process.exit(0)
