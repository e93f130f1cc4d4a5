import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '../vitest/freePort.ts'

export type Server = Awaited<ReturnType<typeof startServer>>

type StartServerParameters = {
  /** Path of the configuration. */
  config: string
  database: string
  /** URLs of the nodes. */
  nodes: string
  /** Other variables of the environment. */
  env?: Record<string, string>
}

/** Starts the server in its own process, for a test. */
export async function startServer({ config, database, nodes, env }: StartServerParameters) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const main = join(import.meta.dirname, '../../apps/server/src/main.ts')
  const child = spawn(process.execPath, ['--conditions=@lineage/source', main], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: String(port),
      DATABASE_URL: database,
      LINEAGE_CONFIG: config,
      LINEAGE_RPC_URLS: nodes,
      LINEAGE_MAX_AGE: '0',
      LINEAGE_LIMIT_LOOKUPS: '10000',
      LINEAGE_SESSION_SECRET: 'a secret for tests, of thirty-two bytes',
      LINEAGE_WEB_DIR: 'none',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = once(child, 'exit')
  const request = (path: string, init?: RequestInit) => fetch(`${url}/v1${path}`, init)
  return {
    url,
    request,
    /** Requests a path of the API, and returns the body of the answer, whatever its status. */
    get: async <body>(path: string) => (await (await request(path)).json()) as body,
    /** Returns the status of an answer; 0 if there is none. */
    statusOf: (path: string) =>
      request(path).then(
        ({ status }) => status,
        () => 0,
      ),
    /** Returns everything printed so far. */
    output: () => output,
    exitCode: async () => ((await ended) as [number | null])[0],
    async kill(signal: NodeJS.Signals) {
      child.kill(signal)
      await ended
    },
  }
}
