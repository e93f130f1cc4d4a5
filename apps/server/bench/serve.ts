/** Serves the lookups from the tables of DATABASE_URL without Ponder, and reports its state to the parent process. */
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { createSnapshots } from '@lineage/forest'
import { requireFromPonder } from '../openDatabase.ts'
import { createApi } from '../src/api/createApi.ts'
import { createIndexReader } from '../src/api/reader/createIndexReader.ts'
import { createTables } from '../src/api/tables/createTables.ts'
import { createCommunities } from './communities.ts'

type Database = Parameters<typeof createTables>[0]

const { Pool } = requireFromPonder('pg') as { Pool: new (options: object) => object }
const { drizzle } = requireFromPonder('drizzle-orm/node-postgres') as { drizzle: (pool: object) => Database }

const begun = performance.now()
const log = (message: string) => console.error(message)
const head = Number(process.env.BENCH_HEAD)
const communities = createCommunities(Number(process.env.BENCH_COMMUNITIES))
const tables = await createTables(drizzle(new Pool({ connectionString: process.env.DATABASE_URL })), 'serve')
const reader = createIndexReader({
  communities,
  tables,
  log,
  snapshots: createSnapshots(),
  headBlock: async () => head,
})
reader.start()
const watch = { warnings: () => [], spotChecks: () => [], reasons: () => [], withheld: () => undefined }
const api = createApi({ name: 'bench', communities, index: reader, tables, log, watch })
const server = createAdaptorServer({
  /** Adds the processor time, which other processes on a busy machine do not affect. */
  async fetch(request) {
    const before = process.threadCpuUsage()
    const response = await api.fetch(request)
    const { user, system } = process.threadCpuUsage(before)
    response.headers.append('server-timing', `cpu;dur=${(user + system) / 1_000}`)
    return response
  },
})
// The compared statements take longer than the default keep-alive.
Object.assign(server, { keepAliveTimeout: 0 })

const untilReady = setInterval(() => {
  if (!reader.view()) return
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
    isSnapshotDue: reader.view()?.forests.get('demo')?.isSnapshotDue,
  }),
)
process.once('disconnect', () => process.exit(0))
