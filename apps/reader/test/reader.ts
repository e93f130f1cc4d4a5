import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { indexSchema, openPool, type ReaderReport, type SourceRow } from '@lineage/database'
import { freePort } from '../../../scripts/vitest/freePort.ts'
import { waitLimit } from '../../../scripts/vitest/limits.ts'

export type Reader = Awaited<ReturnType<typeof startReader>>

export type StartReaderParameters = {
  /** Path of the configuration. */
  config: string
  /** URLs of the nodes. */
  url: string
  database: string
  /** Other variables of the environment. */
  env?: Record<string, string>
  /** @default 'start' */
  command?: 'start' | 'reread' | 'export' | 'prune'
  /** Arguments after the command. */
  args?: readonly string[]
}

/** A row of the table `event`, as the tests compare it. */
export type StoredEvent = {
  block: number
  log_index: number
  kind: number
  time: number
  tx: string
  member: string
  other: string | null
  amount: string | null
}

/** Starts the reader in its own process. */
export async function startReader({ config, url, database, command = 'start', args = [], env }: StartReaderParameters) {
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts'), command, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      LINEAGE_READER_PORT: String(port),
      LINEAGE_CONFIG: config,
      LINEAGE_RPC_URLS: url,
      DATABASE_URL: database,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = once(child, 'exit')
  return {
    pid: child.pid,
    port,
    request: (path: string) => fetch(`http://127.0.0.1:${port}${path}`),
    /** Returns everything printed so far. */
    output: () => output,
    exitCode: async () => ((await ended) as [number | null])[0],
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async kill(signal: NodeJS.Signals) {
      child.kill(signal)
      await ended
    },
  }
}

export type StoredIndex = ReturnType<typeof openIndex>

/** Opens the tables that readers fill. Before the first reader, they are empty. */
export function openIndex(database: string) {
  const pool = openPool({ url: database, timeout: 60_000 })
  const read = async <row>(text: string, values: unknown[] = []): Promise<row[]> => {
    try {
      return (await pool.query(text, values)).rows as row[]
    } catch (error) {
      if (['42P01', '3F000'].includes((error as { code: string }).code)) return []
      throw error
    }
  }
  const sources = () => read<SourceRow>(`select * from ${indexSchema}.source order by id`)
  return {
    query: read,
    sources,
    /** Reads the newest source of a community. */
    async source(community = 'demo'): Promise<SourceRow | undefined> {
      return (await sources()).findLast((source) => source.community === community)
    },
    /** Reads the events of a community in chain order, those of its newest source. */
    events: (community = 'demo') =>
      read<StoredEvent>(
        `select block, log_index, kind, time, '0x' || encode(tx, 'hex') as tx, '0x' || encode(member, 'hex') as member,
          '0x' || encode(other, 'hex') as other, amount from ${indexSchema}.event
          where source = (select max(id) from ${indexSchema}.source where community = $1)
          order by block, log_index, kind`,
        [community],
      ),
    /** Reads the report of the writer of a community's newest source. */
    async report(community = 'demo'): Promise<ReaderReport | undefined> {
      const rows = await read<{ report: ReaderReport }>(
        `select report from ${indexSchema}.source join ${indexSchema}.reader on reader.id = writer
          where community = $1 order by source.id desc limit 1`,
        [community],
      )
      return rows[0]?.report
    },
    close: () => pool.end(),
  }
}

/** Waits until a condition holds. Throws after the time limit. */
export async function poll(condition: () => Promise<boolean>, timeout = waitLimit): Promise<void> {
  const end = performance.now() + timeout
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`The condition did not hold within ${timeout} ms: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
