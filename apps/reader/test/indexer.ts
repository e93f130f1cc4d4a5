import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Status } from '@lineage/referral-api'
import { freePort } from '../../../scripts/vitest/freePort.ts'
import type { Database } from './databases.ts'

export type Indexer = Awaited<ReturnType<typeof startIndexer>>

export type StartIndexerParameters = {
  config: string
  url: string
  database: Pick<Database, 'env'>
  /** Other variables of the environment. */
  env?: Record<string, string>
  /** @default 'start' */
  role?: 'start' | 'serve' | 'reread' | 'schemas' | 'export'
  /** Arguments after the role. */
  args?: readonly string[]
  /** Maximum age of the newest block in seconds. @default 0, no limit */
  maxAge?: number
  /** Relative to this package. @default 'start.ts' */
  program?: string
  /** @default a free one */
  port?: number
  /** Milliseconds that `untilReady` waits. @default 150_000 */
  patience?: number
}

/** Starts the indexer in its own process. */
export async function startIndexer(parameters: StartIndexerParameters) {
  const {
    config,
    url,
    database,
    role = 'start',
    maxAge = 0,
    program = 'start.ts',
    args = [],
    patience = 240_000,
  } = parameters
  const { port = await freePort() } = parameters
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', program), role, ...args], {
    env: {
      ...process.env,
      API_PORT: String(port),
      LINEAGE_CONFIG: config,
      LINEAGE_RPC_URLS: url,
      // The blocks of local chains are years old.
      LINEAGE_MAX_AGE: String(maxAge),
      LINEAGE_INDEX_DIR: undefined,
      DATABASE_URL: undefined,
      ...database.env,
      ...parameters.env,
      // Vitest sets these, and they change the behaviour of Ponder's build.
      VITEST: undefined,
      NODE_ENV: undefined,
      // pnpm sets this for its commands, and it makes packages available that production does not have.
      NODE_PATH: undefined,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = once(child, 'exit')
  const request = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}/v1${path}`, init)
  return {
    pid: child.pid,
    port,
    request,
    /** Returns everything printed so far. */
    output: () => output,
    exitCode: async () => ((await ended) as [number | null])[0],
    async kill(signal: NodeJS.Signals) {
      child.kill(signal)
      await ended
    },
    async untilReady(onStatus: (status: Status) => void = () => {}) {
      await poll(async () => {
        if (child.exitCode !== null) throw new Error(`The indexer ended with ${child.exitCode}:\n${output}`)
        const response = await request('/status').catch(() => undefined)
        if (!response) return false
        const status = (await response.json()) as Status
        onStatus(status)
        return status.state === 'ready'
      }, patience).catch((error: Error) => {
        throw new Error(`${error.message}\n${output}`)
      })
    },
  }
}

/** Waits until a condition holds. Throws after the time limit. */
export async function poll(condition: () => Promise<boolean>, timeout = 10_000): Promise<void> {
  const end = performance.now() + timeout
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`The condition did not hold within ${timeout} ms: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
