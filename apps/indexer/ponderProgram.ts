import type { sql } from 'ponder'
import type { Address, Hex } from 'viem'
import type { HistoryLog } from './history/HistorySource.ts'
import type { HistoryStore } from './history/readHistory.ts'
import { insertSyncRows, ponderVersion, type SyncRows, type SyncTable, toSyncRows } from './ponderInternals.ts'

/**
 * Parts of Ponder's program that this file uses: how to start it, and how to fill its store of responses before it reads.
 *
 * Read in these sources of `ponderVersion`: `bin/ponder.ts` and `internal/options.ts` (options), `bin/commands/serve.ts`,
 * `bin/commands/start.ts` (`onBuild` is called after the tables are created, before any block is read), `runtime/index.ts` (which ranges are missing),
 * `sync-store/index.ts` (which ranges were read), `sync-historical/index.ts` (which transactions and logs a block is
 * stored with).
 */
type PonderApp = {
  common: object
  indexingBuild: {
    chains: { id: number }[]
    finalizedBlocks: { number: Hex }[]
    eventCallbacks: { filter: Filter }[][]
  }
  database: { syncQB: QueryBuilder }
}
type Filter = { address: Address; topic0: Hex; fromBlock: number | undefined }
type QueryBuilder = {
  transaction(task: (transaction: QueryBuilder) => Promise<void>): Promise<void>
  wrap(
    task: (database: { execute(statement: ReturnType<typeof sql>): Promise<unknown> }) => Promise<unknown>,
  ): Promise<unknown>
}
type Interval = [from: number, to: number]
type IntervalWithFilter = { filter: Filter; interval: Interval }
type SyncStore = {
  insertIntervals(parameters: { intervals: IntervalWithFilter[]; factoryIntervals: []; chainId: number }): Promise<void>
}
type Required = { filters: Filter[]; interval: Interval; cachedIntervals: unknown }

const load = async (file: string) => import(new URL(file, import.meta.resolve('ponder')).href)

/** Loads Ponder's modules, so that `startPonder` takes less time. */
export async function preloadPonder(): Promise<void> {
  await load('./bin/commands/start.js')
}

/** Starts Ponder as a replica in this process: it serves the API, and reads no block. */
export async function servePonder(root: string): Promise<void> {
  const { serve } = (await load('./bin/commands/serve.js')) as {
    serve(parameters: { cliOptions: object }): Promise<unknown>
  }
  await serve({ cliOptions: toOptions('serve', root) })
}

/** Starts Ponder in this process. `beforeReading` fills its store; Ponder reads nothing until it resolves. */
export async function startPonder(root: string, beforeReading: (store: HistoryStore) => Promise<void>): Promise<void> {
  const { start } = (await load('./bin/commands/start.js')) as {
    start(parameters: { cliOptions: object; onBuild: (app: PonderApp) => Promise<PonderApp> }): Promise<unknown>
  }
  await start({
    cliOptions: toOptions('start', root),
    async onBuild(app) {
      await beforeReading(await openHistoryStore(app))
      return app
    },
  })
}

const toOptions = (command: string, root: string) => ({
  ...{ command, version: ponderVersion, root, config: 'ponder.config.ts' },
  ...{ logFormat: 'pretty', hostname: '127.0.0.1' },
})

async function openHistoryStore({ common, indexingBuild, database }: PonderApp): Promise<HistoryStore> {
  const [chain] = indexingBuild.chains
  const [final] = indexingBuild.finalizedBlocks
  const [callbacks] = indexingBuild.eventCallbacks
  if (!chain || !final || !callbacks) throw new Error('Ponder has no chain.')
  const { createSyncStore } = (await load('./sync-store/index.js')) as {
    createSyncStore(parameters: { common: object; qb: QueryBuilder }): SyncStore
  }
  const { getCachedIntervals, getRequiredIntervals, getRequiredIntervalsWithFilters } = (await load(
    './runtime/index.js',
  )) as {
    getCachedIntervals(parameters: { chain: object; filters: Filter[]; syncStore: SyncStore }): Promise<unknown>
    getRequiredIntervals(parameters: Required): Interval[]
    getRequiredIntervalsWithFilters(parameters: Required): { intervals: IntervalWithFilter[] }
  }
  const filters = callbacks.map(({ filter }) => filter)
  const syncStore = createSyncStore({ common, qb: database.syncQB })
  const cachedIntervals = await getCachedIntervals({ chain, filters, syncStore })
  const first = Math.min(...filters.map(({ fromBlock }) => fromBlock ?? 0))
  const last = Number(final.number)
  const missing = first > last ? [] : getRequiredIntervals({ filters, interval: [first, last], cachedIntervals })
  const required = getRequiredIntervalsWithFilters({
    filters,
    interval: [first, Math.max(first, last)],
    cachedIntervals,
  })
  return {
    missing: missing.map(([fromBlock, toBlock]) => ({ fromBlock, toBlock })),
    filter: required.intervals.map(({ filter: { address, topic0 }, interval: [fromBlock] }) => ({
      address,
      topic: topic0,
      fromBlock,
    })),
    async save({ range, logs, blocks }) {
      const interval: Interval = [range.fromBlock, range.toBlock]
      const { intervals } = getRequiredIntervalsWithFilters({ filters, interval, cachedIntervals })
      const wanted = logs.filter((log) => intervals.some(({ filter, interval }) => isWanted(log, filter, interval)))
      const rows = toSyncRows(wanted, blocks)
      await database.syncQB.transaction(async (transaction) => {
        const store = createSyncStore({ common, qb: transaction })
        const chainId = chain.id
        await insertRows(transaction, chainId, 'blocks', rows.blocks)
        await insertRows(transaction, chainId, 'transactions', rows.transactions)
        await insertRows(transaction, chainId, 'logs', rows.logs)
        await store.insertIntervals({ intervals, factoryIntervals: [], chainId })
      })
    },
  }
}

/**
 * Inserts rows of one table with one statement. Ponder's own statement, with a parameter for each value, would take
 * most of the time.
 */
async function insertRows(transaction: QueryBuilder, chainId: number, table: SyncTable, rows: SyncRows[typeof table]) {
  if (rows.length === 0) return
  // Not imported above, because `runWithoutVite` must be called before Ponder is loaded.
  const { sql } = await import('ponder')
  const statement = sql`${sql.raw(insertSyncRows(table, chainId))}
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) rows(value) on conflict do nothing`
  await transaction.wrap((database) => database.execute(statement))
}

function isWanted(log: HistoryLog, filter: Filter, [from, to]: Interval): boolean {
  const block = Number(log.blockNumber)
  if (block < Math.max(from, filter.fromBlock ?? 0) || block > to || log.topics[0] !== filter.topic0) return false
  return log.address.toLowerCase() === filter.address.toLowerCase()
}
