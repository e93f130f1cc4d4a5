import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { contract, startChain } from '../../apps/indexer/test/chain.ts'
import { startDatabases } from '../../apps/indexer/test/databases.ts'
import { startProxy } from '../../apps/indexer/test/proxy.ts'
import { freePort } from '../vitest/freePort.ts'
import type { Faults } from './faults.ts'

const root = join(import.meta.dirname, '../..')
/** Age in seconds at which the newest block is too old. */
const maxAge = 6

const community = {
  id: 'soak',
  name: 'Soak',
  chainId: 56,
  address: contract,
  startBlock: 1,
  event: 'event Bound(address indexed member, address indexed referrer)',
  member: 'member',
  referrer: 'referrer',
}

export type Service = Awaited<ReturnType<typeof startService>>

/**
 * Starts a chain, two nodes in front of it, the indexer on PGlite, and the server. Each process is restarted when it
 * ends.
 */
export async function startService() {
  const folder = await mkdtemp(join(tmpdir(), 'lineage-soak-'))
  const [configFile, faultsFile] = [join(folder, 'config.json'), join(folder, 'faults.json')]
  await writeFile(configFile, JSON.stringify({ communities: [community] }))
  const setFaults = (faults: Faults) => writeFileSync(faultsFile, JSON.stringify(faults))
  setFaults({ clockOffset: 0, disk: 'free' })

  const chain = await startChain({ timestamp: Math.floor(Date.now() / 1_000) - 600 })
  const nodes = [await startProxy(chain.url), await startProxy(chain.url)] as const
  const databases = await startDatabases('PGlite')
  const database = await databases.create()
  const [port, apiPort] = [await freePort(), await freePort()]
  const env = {
    ...process.env,
    ...database.env,
    NODE_PATH: undefined,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'faults.ts')}`,
    SOAK_FAULTS: faultsFile,
    PORT: String(port),
    API_PORT: String(apiPort),
    LINEAGE_CONFIG: configFile,
    LINEAGE_RPC_URLS: nodes.map(({ url }) => url).join(','),
    LINEAGE_MAX_AGE: String(maxAge),
    LINEAGE_SESSION_SECRET: 'a secret for the soak, of thirty-two bytes',
    LINEAGE_WEB_DIR: 'none',
    LINEAGE_ACCOUNTS_DIR: join(folder, 'accounts'),
  }
  const indexer = supervise([join(root, 'apps/indexer/start.ts')], env)
  const server = supervise(['--conditions=@lineage/source', join(root, 'apps/server/src/main.ts')], env)

  return {
    url: `http://127.0.0.1:${port}`,
    chain,
    nodes,
    database,
    indexer,
    server,
    setFaults,
    async stop() {
      await Promise.all([server.stop(), indexer.stop()])
      await Promise.all(nodes.map((node) => node.stop().catch(() => undefined)))
      await chain.stop()
      await databases.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Restarts a process whenever it ends, until it is stopped. */
function supervise(args: string[], env: NodeJS.ProcessEnv) {
  let child: ChildProcess | undefined
  let state: 'wanted' | 'stopped' = 'stopped'
  let output = ''
  let ends = 0

  function launch(...more: string[]): void {
    state = 'wanted'
    const launched = spawn(process.execPath, [...args, ...more], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    child = launched
    for (const stream of [launched.stdout, launched.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-20_000)
      })
    launched.once('exit', (code) => {
      if (child !== launched) return
      if (code) console.log(`${args.at(-1)} ended with ${code}:\n${output.slice(-1_500)}`)
      child = undefined
      ends++
      if (state === 'wanted') void delay(500).then(() => state === 'wanted' && !child && launch())
    })
  }
  launch()
  return {
    launch,
    kill: () => void child?.kill('SIGKILL'),
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      state = 'stopped'
      const ending = child
      if (!ending) return
      const timer = setTimeout(() => ending.kill('SIGKILL'), 15_000)
      ending.kill(signal)
      await once(ending, 'exit')
      clearTimeout(timer)
    },
    /** Returns how often the process has ended. */
    ends: () => ends,
    output: () => output,
  }
}
