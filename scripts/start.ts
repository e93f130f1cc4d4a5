/** `npm start` and `pnpm dev`: the whole product on this machine. What it takes is in `.env.example`. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ConfigError, loadConfig } from '../apps/indexer/config/index.ts'
import { SettingsError } from '../apps/server/src/settings.ts'
import type { ServerMessage, StartMessage } from '../apps/server/src/startNews.ts'
import { firstTimestamp } from './demo-chain/community.ts'
import { demoConfig } from './demo-chain/config.ts'
import { demoAccounts } from './demo-chain/demoAccounts.ts'
import { startNewMembers } from './demo-chain/live.ts'
import { seedDemoChain } from './demo-chain/seed.ts'
import { blockHash, checkNodes, NodesError } from './lib/checkNodes.ts'
import { type Child, guarded, startChild } from './lib/child.ts'
import { DataDirError, dataDir } from './lib/dataDir.ts'
import { type Kept, keep } from './lib/keep.ts'
import { nextFree, portsMessage } from './lib/ports.ts'
import { createReport } from './lib/report.ts'
import { readStartSettings } from './lib/startSettings.ts'

/** What a person must put right; said without a stack. */
class StartError extends Error {
  override readonly name = 'StartError'
}

type Progress = Extract<StartMessage, { type: 'progress' }>
type Demo = Extract<StartMessage, { type: 'demo' }>

const root = join(import.meta.dirname, '..')
process.chdir(root)
if (existsSync('.env')) process.loadEnvFile('.env')

const mode = process.argv.includes('--dev') ? 'dev' : 'built'
const report = createReport()
const running: { stop: () => Promise<void> }[] = []
let ending: Promise<never> | undefined

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void end(0, `Ending (${signal}) …`))
// The command that started this one is gone, however it went.
process.once('disconnect', () => void end(0, 'Ending with the command that started it …'))
process.once('unhandledRejection', (error) => void fail(error))

main().catch(fail)

async function main() {
  const settings = readStartSettings(process.env)
  const data = dataDir(settings.dataDir, settings.port)
  const url = `http://localhost:${settings.port}`
  // In dev Vite has the port people reach, and passes /v1 on.
  const serverPort =
    mode === 'dev' ? await nextFree(settings.port + 1, [settings.apiPort, settings.rpcPort]) : settings.port
  let progress: Progress = { type: 'progress', progress: { phase: 'starting', done: 0, total: 0 }, note: null }
  let demo: Demo = { type: 'demo', demo: null }
  let server: Kept | undefined

  await checkPorts()
  await data.claim()
  running.push({ stop: data.release })
  await data.forgetLogs()

  if (settings.source.kind === 'demo') await Promise.all([servePages(), keepDemo()])
  else await Promise.all([servePages(), keepIndexed(await readChain(settings.source.configFile))])

  async function checkPorts() {
    const claimant = await data.claimant()
    const message = await portsMessage([
      { variable: 'PORT', port: settings.port, purpose: 'the page' },
      { variable: 'API_PORT', port: settings.apiPort, purpose: 'the indexer' },
      ...(settings.source.kind === 'demo'
        ? [{ variable: 'RPC_PORT' as const, port: settings.rpcPort, purpose: 'the demo chain' }]
        : []),
    ])
    if (message === undefined) return
    const known = claimant
      ? `Lineage runs here already: process ${claimant.pid}, since ${claimant.since}, at ${url}.\nEnd it with Ctrl-C in its terminal or \`kill ${claimant.pid}\`, or start another beside it.\n`
      : ''
    throw new StartError(known + message)
  }

  async function servePages() {
    if (mode === 'built' && !process.env.LINEAGE_WEB_DIR) await buildPages()
    const entry = { module: join(root, 'apps/server/src/main.ts'), nodeOptions: ['--conditions=@lineage/source'] }
    const env = {
      ...process.env,
      PORT: String(serverPort),
      LINEAGE_RPC_URLS: settings.rpcUrls.join(','),
      // In dev the server has another port than the page.
      LINEAGE_ORIGIN: settings.origins.join(','),
      LINEAGE_SESSION_SECRET: settings.sessionSecrets[0],
      LINEAGE_ACCOUNTS_DIR: data.accounts,
      ...(settings.source.kind === 'demo' && { DATABASE_URL: '' }),
      ...(mode === 'dev' && { LINEAGE_WEB_DIR: 'none' }),
    }
    const listening = Promise.withResolvers<void>()
    let state: 'starting' | 'listening' = 'starting'
    server = keepRunning(
      keep({
        launch() {
          const child = startChild({
            ...entry,
            env,
            logFile: data.log('server'),
            onMessage(message) {
              if ((message as ServerMessage).type !== 'listening') return
              state = 'listening'
              listening.resolve()
            },
          })
          child.send(progress)
          child.send(demo)
          return child
        },
        onCrash: (crash) => said('The server', crash, state === 'listening', data.log('server')),
      }),
      'The server',
      data.log('server'),
    )
    await listening.promise
    if (mode === 'dev') startVite()
    report.line(`The page is at ${url}`)
  }

  async function buildPages() {
    const phase = report.phase('Building the page')
    const turbo = createRequire(import.meta.url).resolve('turbo/bin/turbo')
    const args = [turbo, 'run', 'build', '--filter=@lineage/web', '--output-logs=new-only']
    const build = startChild({ ...guarded(process.execPath, args), cwd: root, logFile: data.log('build') })
    running.push(build)
    const { code } = await build.ended
    running.splice(running.indexOf(build), 1)
    if (code !== 0) throw failed('Building the page', build, data.log('build'))
    phase.done('The page is built')
  }

  function startVite() {
    const vite = createRequire(join(root, 'apps/web/package.json')).resolve('vite/package.json')
    const args = [join(vite, '../bin/vite.js'), '--port', String(settings.port), '--strictPort', '--host', 'localhost']
    const env = { ...process.env, LINEAGE_SERVER: `http://127.0.0.1:${serverPort}` }
    const child = startChild({
      ...guarded(process.execPath, args),
      cwd: join(root, 'apps/web'),
      env,
      logFile: data.log('vite'),
    })
    running.push(child)
    void child.ended.then(() => ending ?? fail(failed('Vite', child, data.log('vite'))))
  }

  /** A chain of our own lives as long as its process. Should that end, another takes its place, and is read anew. */
  async function keepDemo() {
    tell({ type: 'demo', demo: { privateKeys: demoAccounts.map(({ privateKey }) => privateKey), contract: null } })
    for (;;) {
      await data.forgetDemos()
      const { chain, contract, interesting, firstBlockHash } = await makeDemo()
      const indexer = keepIndexer({
        LINEAGE_CONFIG: data.demoConfig,
        LINEAGE_INDEX_DIR: data.index('demo', firstBlockHash),
        // Another demo chain has the same configuration: what a database knows of the last one would be taken for its own.
        DATABASE_URL: '',
      })
      const stopJoining = startNewMembers({
        rpcUrl: settings.rpcUrls[0] ?? '',
        contract,
        interesting,
        seed: Date.now(),
      })
      await chain.ended
      stopJoining()
      if (ending) return
      tell(preparing('chain', 'The demo chain has ended. Another is being made.'))
      report.line('The demo chain has ended by itself. Another is being made; what was bound in it is lost.')
      running.splice(running.indexOf(chain), 1)
      running.splice(running.indexOf(indexer), 1)
      await indexer.stop()
    }
  }

  async function makeDemo() {
    const phase = report.phase('Making the demo chain')
    const now = Math.floor(Date.now() / 1000)
    const answers = Promise.withResolvers<'answers'>()
    tell(preparing('chain', 'The demo chain is being made.'))
    const chain = startChild({
      module: join(root, 'scripts/lib/chain.ts'),
      args: [String(settings.rpcPort), String(firstTimestamp(now) - 1)],
      logFile: data.log('chain'),
      onMessage: () => answers.resolve('answers'),
    })
    running.push(chain)
    const gone = chain.ended.then(() => 'gone' as const)
    if ((await Promise.race([answers.promise, gone])) === 'gone')
      throw failed('The demo chain', chain, data.log('chain'))

    const seeding = seedDemoChain({
      rpcUrl: settings.rpcUrls[0] ?? '',
      now,
      onProgress({ done, total }) {
        phase.update(`${done} of ${total} blocks`)
        tell({ ...preparing('chain', 'The demo chain is being made.'), progress: { phase: 'chain', done, total } })
      },
    })
    seeding.catch(() => undefined)
    if ((await Promise.race([seeding, gone])) === 'gone') throw failed('The demo chain', chain, data.log('chain'))
    const { contract, startBlock, endBlock, firstBlockHash, interesting } = await seeding
    await writeFile(data.demoConfig, `${JSON.stringify(demoConfig({ contract, startBlock }), null, 2)}\n`)
    phase.done(`The demo chain is made: ${endBlock} blocks`)
    tell({ type: 'demo', demo: { privateKeys: demoAccounts.map(({ privateKey }) => privateKey), contract } })
    return { chain, contract, interesting, firstBlockHash }
  }

  async function readChain(configFile: string) {
    const { communities } = await loadConfig(configFile)
    const silent = await checkNodes(settings.rpcUrls)
    if (silent.length > 0) report.line(`No answer from ${silent.join(', ')}; going on with the other nodes`)
    const first = Math.min(...communities.map(({ startBlock }) => startBlock))
    return {
      LINEAGE_CONFIG: configFile,
      LINEAGE_INDEX_DIR: data.index('chain', await blockHash(settings.rpcUrls, first)),
    }
  }

  async function keepIndexed(env: NodeJS.ProcessEnv) {
    await keepIndexer(env).ended
  }

  function keepIndexer(env: NodeJS.ProcessEnv): Kept {
    const phase = report.phase('Reading the chain')
    const logFile = data.log('indexer')
    tell(preparing('starting', null))
    let health: 'starting' | 'answered' | 'ready' | 'crashed' = 'starting'
    const indexer = keepRunning(
      keep({
        launch: () =>
          startChild({
            ...guarded(process.execPath, ['--conditions=@lineage/source', join(root, 'apps/indexer/start.ts')]),
            cwd: join(root, 'apps/indexer'),
            env: {
              ...process.env,
              API_PORT: String(settings.apiPort),
              LINEAGE_RPC_URLS: settings.rpcUrls.join(','),
              PONDER_TELEMETRY_DISABLED: '1',
              ...env,
            },
            logFile,
            onLine(line) {
              if (!/locked by a different Ponder app/.test(line)) return
              const note = 'The index was not closed the last time. It opens when its lock runs out, within 25 s.'
              report.line(note)
              tell(preparing('starting', note))
            },
          }),
        onCrash(crash) {
          tell(preparing('starting', 'The index is being opened again.'))
          const worked = health !== 'starting'
          if (worked) health = 'crashed'
          return said('The indexer', crash, worked, logFile)
        },
      }),
      'The indexer',
      logFile,
    )

    void (async () => {
      const gone = indexer.ended.then(() => 'gone' as const)
      let announced: 'not yet' | 'announced' = 'not yet'
      const told = new Set<string>()
      while ((await Promise.race([delay(health === 'ready' ? 5_000 : 400), gone])) !== 'gone') {
        const status = await indexerStatus(settings.apiPort)
        if (!status) continue
        for (const { message } of status.warnings) if (!told.has(message)) report.line(message)
        for (const { message } of status.warnings) told.add(message)
        if (health === 'ready') continue
        if (health === 'starting') health = 'answered'
        if (status.progress) phase.update(`${status.progress.done} of ${status.progress.total}`)
        if (status.state !== 'ready') continue
        health = 'ready'
        tell({ type: 'progress', progress: null, note: null })
        if (announced === 'announced') {
          report.line('The indexer answers again')
          continue
        }
        announced = 'announced'
        phase.done('The chain is read')
        announce()
      }
    })()
    return indexer
  }

  function announce() {
    report.box([
      `Lineage is at ${url}`,
      '',
      ...(settings.source.kind === 'demo'
        ? [
            'This is a demo: a chain on this machine with a made-up community.',
            'To read a real one, see .env.example.',
            '',
          ]
        : []),
      `logs     ${data.log('*')}`,
      `API      ${url}/v1`,
      'Ctrl-C ends it.',
    ])
  }

  function tell(message: Progress | Demo) {
    if (message.type === 'progress') progress = message
    else demo = message
    server?.send(message)
  }
}

function preparing(phase: 'starting' | 'chain', note: string | null): Progress {
  return { type: 'progress', progress: { phase, done: 0, total: 0 }, note }
}

function keepRunning(kept: Kept, name: string, logFile: string): Kept {
  running.push(kept)
  void kept.ended.then(
    (how) => how === 'given_up' && fail(new StartError(`${name} does not start. All it said: ${logFile}`)),
  )
  return kept
}

/** What the indexer ends with when it may pass: a node or a database that does not answer yet. */
const mayPass = 75

/**
 * Says that something ended by itself. What has never worked is tried three times; what has worked, or says that it only
 * waits for something else, for ever.
 */
function said(
  name: string,
  { ending: { code, signal }, tail, inARow, wait }: Parameters<Parameters<typeof keep>[0]['onCrash']>[0],
  worked: boolean,
  logFile: string,
): 'restart' | 'give_up' {
  const how = signal ? `was ended by ${signal}` : `ended with code ${code}`
  const next = !worked && code !== mayPass && inARow >= 3 ? 'give_up' : 'restart'
  report.line(
    `${name} ${how}.${next === 'restart' ? ` It starts again in ${wait / 1000} s.` : ''} Its last words, from ${logFile}:`,
  )
  report.line(
    tail
      .slice(-12)
      .map((line) => `  ${line}`)
      .join('\n') || '  (none)',
  )
  return next
}

function failed(name: string, child: Child, logFile: string): StartError {
  return new StartError(`${name} failed. Its last words, from ${logFile}:\n${child.tail().join('\n')}`)
}

type IndexerStatus = {
  state: 'starting' | 'indexing' | 'ready'
  progress: { done: number; total: number } | null
  warnings: { message: string }[]
}

async function indexerStatus(port: number): Promise<IndexerStatus | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v1/status`, { signal: AbortSignal.timeout(2_000) })
    return response.ok ? ((await response.json()) as IndexerStatus) : undefined
  } catch {
    return undefined
  }
}

function fail(error: unknown): Promise<never> {
  const expected = [StartError, SettingsError, ConfigError, NodesError, DataDirError].some(
    (kind) => error instanceof kind,
  )
  return end(1, expected ? (error as Error).message : `It failed: ${error instanceof Error ? error.stack : error}`)
}

/** Ends everything, once, however often it is asked. */
function end(code: 0 | 1, words: string): Promise<never> {
  ending ??= (async () => {
    report.end()
    report.line(words)
    // Those that read come before those they read from.
    for (const one of running.toReversed()) await one.stop().catch(() => undefined)
    process.exit(code)
  })()
  return ending
}
