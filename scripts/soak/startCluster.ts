import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openPool } from '@lineage/database'
import { startChain } from '../../apps/reader/test/chain.ts'
import { testCommunity } from '../../apps/reader/test/community.ts'
import { type NodeProxy, startProxy } from '../../apps/reader/test/proxy.ts'
import { freePort } from '../vitest/freePort.ts'
import type { Host, Hosts } from './hosts.ts'
import { waitUntil } from './serverStatus.ts'

export type Cluster = Awaited<ReturnType<typeof startCluster>>
export type ClusterProcess = Cluster['servers'][number]

export type StartClusterParameters = {
  hosts: Pick<Hosts, 'own' | 'get'>
  servers: number
  /** Number of nodes. The readers use the first two, unless they are launched with another number. @default 2 */
  nodes?: number
}

const root = join(import.meta.dirname, '../..')
const source = '--conditions=@lineage/source'
/** Where accounts sign in. */
export const origin = 'http://localhost:5999'
export const community = testCommunity({ id: 'soak' })

/** Returns the names of the hosts of a cluster. */
export const hostNames = (servers: number): string[] => [
  ...['postgres', 'node-1', 'node-2', 'reader-1', 'reader-2'],
  ...Array.from({ length: servers }, (_, index) => `server-${index + 1}`),
]

/** Starts a chain, nodes, PostgreSQL, two readers and servers, each on a host of its own, and again when it ends. */
export async function startCluster({ hosts, servers: count, nodes: nodeCount = 2 }: StartClusterParameters) {
  const folder = mkdtempSync(join(tmpdir(), 'lineage-soak-'))
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  const kept: KeptProcess[] = []
  const run = (name: string, program: Program) => {
    const one = keepRunning(hosts.get(name), program)
    kept.push(one)
    return one
  }
  const inFolder = (file: string) => join(folder, file)
  writeFileSync(inFolder('lineage.json'), JSON.stringify({ communities: [community] }))
  const base = { PATH: process.env.PATH, HOME: folder, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

  const chain = await startChain({ timestamp: Math.floor(Date.now() / 1_000) - 600 })
  const nodes: [NodeProxy, NodeProxy, ...NodeProxy[]] = [await startProxy(chain.url), await startProxy(chain.url)]
  while (nodes.length < nodeCount) nodes.push(await startProxy(chain.url))
  const nodeUrls: string[] = []
  for (const [index, { url }] of nodes.entries()) {
    const port = new URL(url).port
    const { address } = hosts.get(`node-${index + 1}`)
    nodeUrls.push(url.replace('127.0.0.1', address))
    if (address === '127.0.0.1') continue
    const forward = (name: string, from: string, to: string) =>
      run(name, { args: [join(import.meta.dirname, 'forward.ts'), from, port, to, port], env: base })
    forward('own', hosts.own, '127.0.0.1')
    forward(`node-${index + 1}`, address, hosts.own)
  }

  const postgresPort = String(await freePort())
  const postgres = run('postgres', {
    args: [source, join(import.meta.dirname, 'postgres.ts'), inFolder('database'), postgresPort],
    env: base,
  })
  const readUrl = () => /postgres:\S+/.exec(postgres.output())?.[0]
  if (!(await waitUntil(() => readUrl() !== undefined, 60_000))) throw new Error(postgres.output())
  const databaseUrl = String(readUrl()).replace('127.0.0.1', hosts.get('postgres').address)
  const pool = openPool({ url: databaseUrl, max: 2 })

  const clockOf = (name: string) => inFolder(`${name}.clock`)
  const setClock = (name: string, offset: number) => writeFileSync(clockOf(name), String(offset))
  const shared = { ...base, DATABASE_URL: databaseUrl, LINEAGE_MAX_AGE: '6' }
  const clock = ['--import', join(import.meta.dirname, 'shiftClock.ts'), source]

  async function startProcess(name: string, program: 'reader' | 'server', variables: NodeJS.ProcessEnv) {
    setClock(name, 0)
    const port = String(await freePort())
    const { address } = hosts.get(name)
    const ofProgram = { PORT: port, LINEAGE_READER_PORT: port, LINEAGE_READER_HOST: address }
    const launch = ({ config = inFolder('lineage.json'), app = root, nodes: used = 2 } = {}): Program => ({
      args: [...clock, join(app, `apps/${program}/src/main.ts`)],
      env: {
        ...{ ...shared, ...ofProgram, ...variables },
        ...{ SOAK_CLOCK: clockOf(name), LINEAGE_CONFIG: config, LINEAGE_RPC_URLS: nodeUrls.slice(0, used).join() },
      },
    })
    return Object.assign(run(name, launch()), { url: `http://${address}:${port}`, launch })
  }
  const ofServers = {
    LINEAGE_ORIGIN: origin,
    LINEAGE_SESSION_SECRET: 'a secret for the soak, of thirty-two bytes',
    LINEAGE_TRUST_PROXY: '1',
    LINEAGE_LIMIT_LOOKUPS: '10000',
    LINEAGE_WEBHOOKS: 'any',
    LINEAGE_WEB_DIR: 'none',
  }
  const readers = [await startProcess('reader-1', 'reader', {}), await startProcess('reader-2', 'reader', {})]
  const servers = await Promise.all(
    Array.from({ length: count }, (_, index) => startProcess(`server-${index + 1}`, 'server', ofServers)),
  )
  return { hosts, folder, chain, nodes, postgres, databaseUrl, pool, readers, servers, setClock, startProcess, close }

  async function close(): Promise<void> {
    await pool.end()
    await Promise.all(kept.map((one) => one.end()))
    await Promise.all(nodes.map((node) => node.stop().catch(() => undefined)))
    await chain.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

export type Program = { args: readonly string[]; env: NodeJS.ProcessEnv }
type KeptProcess = ReturnType<typeof keepRunning>

/** Milliseconds until a process is replaced, and until one that should end is killed. */
const pause = 500
const patience = 15_000

/** Runs a program of Node on a host, and starts it again whenever it ends, until `end`. */
function keepRunning(host: Host, first: Program) {
  let program = first
  let state: 'kept' | 'paused' | 'ended' = 'kept'
  let output = ''
  let child = launch()
  process.once('exit', () => child.kill('SIGKILL'))

  function launch(): ChildProcess {
    const [command = '', ...args] = host.wrap([process.execPath, ...program.args])
    const launched = spawn(command, args, { env: program.env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [launched.stdout, launched.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = `${output}${text}`.slice(-20_000)
      })
    launched.once('exit', () => void delay(pause).then(() => child === launched && restart()))
    return launched
  }

  function restart(): void {
    if (state === 'kept' && hasEnded()) child = launch()
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null

  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (hasEnded()) return
    const timer = setTimeout(() => child.kill('SIGKILL'), patience)
    child.kill(signal)
    await once(child, 'exit')
    clearTimeout(timer)
  }

  return {
    host,
    pid: () => child.pid,
    /** The last lines that the program has written. */
    output: () => output,
    /** Ends the program, which then starts again. */
    kill: () => stop('SIGKILL'),
    /** Kills the program until `resume`. */
    async pause(): Promise<void> {
      state = 'paused'
      await stop('SIGKILL')
    },
    resume(): void {
      state = 'kept'
      restart()
    },
    /** Stops the program's time, until `thaw`. */
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    /** Starts another program in its place. */
    async replace(next: Program): Promise<void> {
      program = next
      await stop('SIGTERM')
    },
    async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
      state = 'ended'
      await stop(signal)
    },
  }
}
