/** The lookups over the tables of DATABASE_URL, as the indexer serves them, without Ponder. Tells its parent how it stands. */
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { createSnapshots } from '@lineage/forest'
import { createApi } from '../src/api/createApi.ts'
import { createFollow } from '../src/api/follow.ts'
import { createTables } from '../src/api/tables.ts'
import { communities } from './communities.ts'

type Database = Parameters<typeof createTables>[0]

const fromPonder = createRequire(import.meta.resolve('ponder'))
const { Pool } = fromPonder('pg') as { Pool: new (options: object) => object }
const { drizzle } = fromPonder('drizzle-orm/node-postgres') as { drizzle: (pool: object) => Database }

const begun = performance.now()
const log = (message: string) => console.error(message)
const head = Number(process.env.BENCH_HEAD)
const tables = await createTables(drizzle(new Pool({ connectionString: process.env.DATABASE_URL })), 'serve')
const follow = createFollow({ communities, tables, log, snapshots: createSnapshots(), headBlock: async () => head })
follow.start()
const watch = { warnings: () => [], spotChecks: () => [], withheld: () => undefined }
const api = createApi({ communities, follow, tables, log, watch })
const server = createAdaptorServer({
  /** Tells the time on the processor as well: on a busy machine that is what is this code's own. */
  async fetch(request) {
    const before = process.threadCpuUsage()
    const response = await api.fetch(request)
    const { user, system } = process.threadCpuUsage(before)
    response.headers.append('server-timing', `cpu;dur=${(user + system) / 1_000}`)
    return response
  },
})

const untilReady = setInterval(() => {
  if (!follow.view()) return
  clearInterval(untilReady)
  const startMs = performance.now() - begun
  const { user, system } = process.cpuUsage()
  server.listen(0, '127.0.0.1', () =>
    process.send?.({
      type: 'ready',
      startMs,
      startCpuMs: (user + system) / 1_000,
      port: (server.address() as AddressInfo).port,
    }),
  )
}, 20)
process.on('message', () =>
  process.send?.({
    type: 'memory',
    rssMb: process.memoryUsage.rss() / 2 ** 20,
    peakMb: process.resourceUsage().maxRSS / 2 ** 10,
    isSnapshotDue: follow.view()?.forests.get('demo')?.isSnapshotDue,
  }),
)
process.once('disconnect', () => process.exit(0))
