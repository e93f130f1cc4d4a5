import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { indexSchema } from '@lineage/database'
import { startTestPostgres } from '@lineage/database/testing'
import { testCommunity } from '../test/community.ts'
import { openIndex, poll, startReader } from '../test/reader.ts'
import type { HistoryNodeOptions, HistoryNodeStats } from './historyNode.ts'

export type MeasureHistoryParameters = HistoryNodeOptions & {
  /** Seconds after which the reader is killed with SIGKILL and started again; `undefined` for never. */
  killAfter: number | undefined
}

/** `calls` also counts the requests inside batches; `rows` identifies the stored binds. */
export type HistoryRun = {
  seconds: number
  bindsPerSecond: number
  requests: number
  calls: number
  megabytes: number
  /** Processor time of the reader. */
  processorSeconds: number
  peakMegabytes: number
  databaseMegabytes: number
  rows: string
}

/** Measures how long a process takes to store all binds of a made-up node on this machine in an empty PostgreSQL. */
export async function measureHistory({ killAfter, ...options }: MeasureHistoryParameters): Promise<HistoryRun> {
  const folder = await mkdtemp(join(tmpdir(), 'lineage-history-'))
  const config = join(folder, 'config.json')
  await writeFile(config, JSON.stringify({ communities: [testCommunity()] }))
  const postgres = await startTestPostgres()
  const database = await postgres.createDatabase()
  const index = openIndex(database)
  const node = await startNode(options)
  const start = () => startReader({ config, url: node.url, database })
  const launched = performance.now()
  let reader = await start()
  try {
    if (killAfter !== undefined) {
      await poll(async () => performance.now() - launched > killAfter * 1_000, 3_600_000)
      await reader.kill('SIGKILL')
      reader = await start()
    }
    await poll(async () => {
      if (reader.hasEnded()) throw new Error(`The reader ended:\n${reader.output()}`)
      return (await index.source())?.state === 'live'
    }, 3_600_000)
    const seconds = (performance.now() - launched) / 1_000
    const { requests, calls, bytes } = await node.readStats()
    const peakMegabytes = Math.round(readPeak(reader.pid) / 1_024)
    const [found] = await index.query<Pick<HistoryRun, 'rows' | 'databaseMegabytes'>>(
      `select count(*) || ' ' || md5(string_agg(event::text, ',' order by block, log_index)) as rows,
        (pg_database_size(current_database()) / 1000000)::int as "databaseMegabytes" from ${indexSchema}.event`,
    )
    return {
      seconds: Math.round(seconds * 10) / 10,
      bindsPerSecond: Math.round(options.binds / seconds),
      requests,
      calls: Object.values(calls).reduce((sum, count) => sum + count, 0),
      megabytes: Math.round(bytes / 1e5) / 10,
      processorSeconds: readProcessorTime(reader.pid),
      peakMegabytes,
      databaseMegabytes: found?.databaseMegabytes ?? 0,
      rows: found?.rows ?? '',
    }
  } finally {
    await reader.kill('SIGTERM')
    node.stop()
    await index.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startNode(options: HistoryNodeOptions) {
  const program = join(import.meta.dirname, 'historyNode.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] })
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

/** Returns the processor time of a process in seconds; 0 if the system does not report it. */
function readProcessorTime(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return 0
  }
}
