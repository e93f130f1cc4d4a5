import { db } from 'ponder:api'
import { createSnapshots } from '@lineage/forest'
import type { Hono } from 'hono'
import { sql } from 'ponder'
import { loadConfig } from '../../config/index.ts'
import { createPostgresPool } from '../../openDatabase.ts'
import { createDigestStore } from './audit/createDigestStore.ts'
import { createTableAudit } from './audit/createTableAudit.ts'
import { createWatchdog } from './checks/createWatchdog.ts'
import { followReport } from './checks/followReport.ts'
import { requestHeadBlock, watchNodes } from './checks/watchNodes.ts'
import { createApi } from './createApi.ts'
import { runPeriodically } from './lib/runPeriodically.ts'
import { createLiveFeed } from './live/createLiveFeed.ts'
import { createIndexReader } from './reader/createIndexReader.ts'
import { isServed, toShownStatus } from './reader/indexState.ts'
import { createReportStore } from './tables/createReportStore.ts'
import { createTables } from './tables/createTables.ts'
import type { RunSql } from './tables/runSql.ts'

const { communities } = await loadConfig(process.env.LINEAGE_CONFIG)
const {
  DATABASE_URL,
  DATABASE_SCHEMA = '',
  LINEAGE_INDEX_DIR,
  LINEAGE_MAX_AGE,
  LINEAGE_NODES_URL: nodesUrl = '',
} = process.env
/** Milliseconds between two reports to replicas. */
const reportInterval = 2_000
const role = process.env.LINEAGE_ROLE === 'serve' ? 'serve' : 'start'
const tables = await createTables(db, role)
const log = (message: string) => console.log(message)

/** Writes to our own tables; Ponder's connections to PostgreSQL only read. */
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
const reports = createReportStore(run, DATABASE_SCHEMA)
const followed = role === 'serve' ? followReport(reports) : undefined
const reader = createIndexReader({
  communities,
  tables,
  log,
  audit,
  live,
  snapshots: createSnapshots(),
  headBlock: followed?.loadHeadBlock ?? requestHeadBlock,
})
reader.start()

const watched = followed
  ? followed.report
  : watchNodes({ communities, startBlock, index: reader, db, run, schema: DATABASE_SCHEMA, nodesUrl, log })
if (pool && !followed)
  runPeriodically('The report for replicas cannot be saved', log, async () => {
    // Keep the last report until this run has checked the same, so that replicas continue.
    const { chain, members } = watched()
    if (chain === 'checked' && members === 'checked') await reports.save(watched())
    return reportInterval
  })

const withheld = (id: string) =>
  [...audit.warnings(), ...watched().withheld].find(({ community }) => community === id)?.message
const index = {
  view: () => (isServed(watched()) ? reader.view() : undefined),
  tail: reader.tail,
  status: () => toShownStatus(reader.status(), watched()),
}
const watchdog = createWatchdog({
  maxAge: Number(LINEAGE_MAX_AGE),
  directory: DATABASE_URL ? undefined : LINEAGE_INDEX_DIR,
  read: () => ({
    status: index.status(),
    fault: reader.fault(),
    nodes: watched().nodes,
    replaced: watched().replaced ?? undefined,
    withheld: communities.flatMap(({ id }) => {
      const message = withheld(id)
      return message === undefined ? [] : { community: id, message }
    }),
  }),
})
runPeriodically('The disk cannot be checked', log, watchdog.run)

const watch = {
  warnings: () => [...watched().warnings, ...audit.warnings(reader.fault())],
  spotChecks: () => watched().spotChecks,
  reasons: watchdog.reasons,
  withheld,
}
const api: Hono = createApi({ name: DATABASE_SCHEMA, communities, index, tables, log, watch, live })
export default api
