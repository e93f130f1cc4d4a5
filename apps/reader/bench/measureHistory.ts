import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { contract } from '../test/chain.ts'
import { type Database, type DatabaseKind, startDatabases } from '../test/databases.ts'
import { startIndexer } from '../test/indexer.ts'
import type { HistoryNodeOptions, HistoryNodeStats } from './historyNode.ts'

export type MeasureHistoryParameters = HistoryNodeOptions & { kind: DatabaseKind }

/** `calls` also counts the requests inside batches; `rows` identifies the content of the table of binds. */
export type HistoryRun = {
  seconds: number
  eventsPerSecond: number
  requests: number
  calls: number
  megabytes: number
  peakMegabytes: number
  databaseMegabytes: number | null
  rows: string
}

/**
 * Measures the time from the start of the process to the first lookup: `before` with Ponder alone, `after` with the
 * product. Each run starts with an empty database and reads from a node on this machine.
 */
export async function measureHistory({ kind, ...options }: MeasureHistoryParameters) {
  const folder = await mkdtemp(join(tmpdir(), 'lineage-history-'))
  const databases = await startDatabases(kind)
  const node = await startNode(options)
  const config = join(folder, 'config.json')
  const event = 'event Bound(address indexed member, address indexed referrer)'
  const community = { id: 'history', name: 'History', chainId: 56, address: contract, startBlock: 1, event }
  await writeFile(config, JSON.stringify({ communities: [{ ...community, member: 'member', referrer: 'referrer' }] }))

  async function run(program: string): Promise<HistoryRun> {
    const database = await databases.create()
    await node.readStats()
    const launched = performance.now()
    const indexer = await startIndexer({ config, url: node.url, database, program, patience: 3_600_000 })
    await indexer.untilReady()
    const seconds = (performance.now() - launched) / 1_000
    const { requests, calls, bytes } = await node.readStats()
    const peakMegabytes = Math.round(readPeak(indexer.pid) / 1_024)
    await indexer.kill('SIGTERM')
    return {
      seconds: Math.round(seconds * 10) / 10,
      eventsPerSecond: Math.round(options.binds / seconds),
      requests,
      calls: Object.values(calls).reduce((sum, count) => sum + count, 0),
      megabytes: Math.round(bytes / 1e5) / 10,
      peakMegabytes,
      ...(await describeTables(database)),
    }
  }

  try {
    const before = await run('bench/ponderAlone.ts')
    return { before, after: await run('start.ts') }
  } finally {
    node.stop()
    await databases.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startNode(options: HistoryNodeOptions) {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(import.meta.dirname, 'historyNode.ts'), JSON.stringify(options)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  if (!child.stdout) throw new Error('The node has no output.')
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {
    url,
    /** Returns the counts since the last call. */
    readStats: async () => (await (await fetch(`${url}/stats`)).json()) as HistoryNodeStats,
    stop: () => child.kill(),
  }
}

/** Returns the peak memory of a process in kilobytes; 0 if the system does not report it. */
function readPeak(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Returns a digest of the table of binds, to compare two runs, and the size of a PostgreSQL database. */
async function describeTables(database: Database): Promise<Pick<HistoryRun, 'rows' | 'databaseMegabytes'>> {
  const [found] = await database.query<{ schema: string }>(
    `select table_schema as schema from information_schema.tables where table_name = 'bind_event' and table_schema like 'lineage_%'`,
  )
  const [rows] = await database.query<{ rows: string }>(
    `select count(*) || ' ' || coalesce(md5(string_agg(bind_event::text, ',' order by block, log_index)), '') as rows
      from "${found?.schema}".bind_event`,
  )
  const size = 'select (pg_database_size(current_database()) / 1000000)::int as size'
  const [one] = database.kind === 'PostgreSQL' ? await database.query<{ size: number }>(size) : []
  return { rows: rows?.rows ?? '', databaseMegabytes: one?.size ?? null }
}
