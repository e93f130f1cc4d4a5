import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Status } from '@lineage/referral-api'
import type { Database } from './databases.ts'
import { freePort } from './freePort.ts'

export type Indexer = Awaited<ReturnType<typeof startIndexer>>

export type StartIndexerParameters = {
  config: string
  url: string
  database: Pick<Database, 'env'>
  /** @default 'start' */
  role?: 'start' | 'serve'
}

export async function startIndexer({ config, url, database, role = 'start' }: StartIndexerParameters) {
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../start.ts'), role], {
    env: {
      ...process.env,
      API_PORT: String(port),
      LINEAGE_CONFIG: config,
      LINEAGE_RPC_URLS: url,
      LINEAGE_INDEX_DIR: undefined,
      DATABASE_URL: undefined,
      ...database.env,
      // The tests' runner sets it, and the engine's build listens to it.
      VITEST: undefined,
      NODE_ENV: undefined,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = once(child, 'exit')
  const request = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}/v1${path}`, init)
  return {
    request,
    /** Everything printed so far. */
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
      }, 150_000)
    },
  }
}

/** Waits until something is so, and fails where it does not become so. */
export async function poll(condition: () => Promise<boolean>, timeout = 10_000): Promise<void> {
  const end = performance.now() + timeout
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Not so within ${timeout} ms: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
