import { db, publicClients } from 'ponder:api'
import { createSnapshots } from '@lineage/forest'
import type { Hono } from 'hono'
import { sql } from 'ponder'
import type { Address } from 'viem'
import { loadConfig } from '../../config/index.ts'
import { postRpc } from '../../nodes/rpc/postRpc.ts'
import { readHash } from '../../nodes/rpc/readHash.ts'
import { createPostgresPool } from '../../openDatabase.ts'
import { createApi } from './createApi.ts'
import { createChainWatch } from './createChainWatch.ts'
import { createDigestStore, type RunSql } from './createDigestStore.ts'
import { createIndexReader } from './createIndexReader.ts'
import { createKnownBlockStore } from './createKnownBlockStore.ts'
import { createLiveFeed } from './createLiveFeed.ts'
import { createSpotCheckQueries } from './createSpotCheckQueries.ts'
import { createSpotChecks } from './createSpotChecks.ts'
import { createTableAudit } from './createTableAudit.ts'
import { createTables } from './createTables.ts'
import { createWatchdog } from './createWatchdog.ts'
import { toWithheld } from './indexState.ts'
import { type NodesReport, readNodesReport } from './readNodesReport.ts'
import { runPeriodically } from './runPeriodically.ts'

const { communities } = await loadConfig(process.env.LINEAGE_CONFIG)
const { DATABASE_URL, DATABASE_SCHEMA = '', LINEAGE_INDEX_DIR, LINEAGE_MAX_AGE, LINEAGE_NODES_URL = '' } = process.env
const role = process.env.LINEAGE_ROLE === 'serve' ? 'serve' : 'start'
const tables = await createTables(db, role)
const log = (message: string) => console.log(message)

/** Writes to tables of our own: Ponder's connections to a PostgreSQL only read. */
const pool = DATABASE_URL ? createPostgresPool(DATABASE_URL) : undefined
const run: RunSql = (text) => (pool ? pool.query(text) : (db.execute(sql.raw(text)) as ReturnType<RunSql>))
const startBlock = Math.min(...communities.map((community) => community.startBlock))
const store = createDigestStore(run, DATABASE_SCHEMA)
const audit = createTableAudit({
  startBlock,
  tables,
  store: role === 'serve' ? { ...store, save: async () => {} } : store,
  log,
})
runPeriodically('The tables cannot be checked', log, audit.run)

const live = createLiveFeed({ communities, tables, log })
const reader = createIndexReader({
  communities,
  tables,
  log,
  audit,
  live,
  snapshots: createSnapshots(),
  headBlock: async () => Number(await publicClients.bsc.getBlockNumber({ cacheTime: 0 })),
})
reader.start()

const nodes = { url: LINEAGE_NODES_URL, headers: {} }
const chain = createChainWatch({
  startBlock,
  finalizedBlock: () => reader.view()?.asOf.finalizedBlock,
  readHash: (block) => readHash((rpc) => postRpc(nodes, rpc, 10_000), block),
  store: createKnownBlockStore(run, { schema: DATABASE_SCHEMA, role }),
  log,
})
runPeriodically('The chain of the nodes cannot be checked', log, chain.run)

const checks = createSpotChecks({
  communities,
  index: reader,
  queries: {
    ...createSpotCheckQueries(db),
    hasCode: async (address) => (await publicClients.bsc.getCode({ address })) !== undefined,
  },
  async readReferrer({ address, parentView }, member, block) {
    if (!parentView) throw new Error('The community has no parentView.')
    const { item } = parentView
    const call = { abi: [item], address, functionName: item.name, args: [member], blockNumber: BigInt(block) }
    return (await publicClients.bsc.readContract(call)) as Address
  },
  log,
})
runPeriodically('The spot checks failed', log, checks.run)

let report: NodesReport = { state: 'usable', warnings: [] }
runPeriodically('The state of the nodes cannot be read', log, async () => {
  report = await readNodesReport(LINEAGE_NODES_URL)
  return 2_000
})

const withheld = (id: string) =>
  audit.warnings().find(({ community }) => community === id)?.message ?? checks.withheld(id)
const index = {
  view: () => (chain.state() === 'checked' && chain.replaced() === undefined ? checks.view() : undefined),
  status: () =>
    chain.state() === 'unchecked' ? toWithheld(checks.status(), null) : toWithheld(checks.status(), chain.replaced()),
}
const watchdog = createWatchdog({
  maxAge: Number(LINEAGE_MAX_AGE),
  directory: DATABASE_URL ? undefined : LINEAGE_INDEX_DIR,
  read: () => ({
    status: index.status(),
    fault: reader.fault(),
    nodes: report.state,
    replaced: chain.replaced(),
    withheld: communities.flatMap(({ id }) => {
      const message = withheld(id)
      return message === undefined ? [] : { community: id, message }
    }),
  }),
})
runPeriodically('The disk cannot be checked', log, watchdog.run)

const watch = {
  warnings: () => [...report.warnings, ...chain.warnings(), ...audit.warnings(reader.fault()), ...checks.warnings()],
  spotChecks: checks.spotChecks,
  reasons: watchdog.reasons,
  withheld,
}
const api: Hono = createApi({ name: DATABASE_SCHEMA, communities, index, tables, log, watch, live })
export default api
