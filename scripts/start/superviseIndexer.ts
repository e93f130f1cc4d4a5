import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startChild, withParent } from '../lib/startChild.ts'
import type { Supervised } from '../lib/supervise.ts'
import type { Phase } from '../lib/terminal.ts'
import { preparing } from './createNews.ts'
import { createSilenceWatch } from './createSilenceWatch.ts'
import { describeProgress } from './describeProgress.ts'
import type { Product } from './product.ts'

/** `crashed`: it has answered before, and is being restarted. */
type Health = 'starting' | 'answered' | 'ready' | 'crashed'

const root = join(import.meta.dirname, '../..')

/** Starts the indexer, restarts it when it ends, and reports its progress to the terminal and the page. */
export function superviseIndexer(product: Product, env: NodeJS.ProcessEnv): Supervised {
  const { data, terminal, processes, news } = product
  const phase = terminal.phase('Reading the chain')
  const indexer = { health: 'starting' as Health }
  news.send(preparing('starting', null))
  const supervised = processes.supervise({
    name: 'The indexer',
    logFile: data.log('indexer'),
    launch: () => launch(product, env),
    onCrash() {
      news.send(preparing('starting', 'The index is being opened again.'))
      if (indexer.health === 'starting') return 'never_worked'
      indexer.health = 'crashed'
      return 'worked'
    },
  })
  void watchStatus(product, indexer, phase, supervised)
  return supervised
}

function launch({ settings, data, terminal, news }: Product, env: NodeJS.ProcessEnv) {
  return startChild({
    ...withParent(process.execPath, ['--conditions=@lineage/source', join(root, 'apps/indexer/start.ts')]),
    cwd: join(root, 'apps/indexer'),
    env: {
      ...process.env,
      API_PORT: String(settings.apiPort),
      LINEAGE_RPC_URLS: settings.rpcUrls.join(','),
      PONDER_TELEMETRY_DISABLED: '1',
      ...env,
    },
    logFile: data.log('indexer'),
    onLine(line) {
      if (!/locked by a different Ponder app/.test(line)) return
      const note = 'The index was not closed the last time. It opens when its lock runs out, within 25 s.'
      terminal.line(note)
      news.send(preparing('starting', note))
    },
  })
}

/** Polls the progress of the indexer until it has ended. */
async function watchStatus(
  product: Product,
  indexer: { health: Health },
  phase: Phase,
  { ended, kill }: Pick<Supervised, 'ended' | 'kill'>,
) {
  const { settings, terminal, news } = product
  const silence = createSilenceWatch(settings.restartAfter)
  const gone = ended.then(() => 'gone' as const)
  const shown = new Set<string>()
  let announced: 'not_yet' | 'announced' = 'not_yet'
  while ((await Promise.race([delay(indexer.health === 'ready' ? 5_000 : 400), gone])) !== 'gone') {
    const status = await readStatus(settings.apiPort)
    // An indexer may be busy for a long time while it opens its index.
    const isFine = status !== undefined || indexer.health !== 'ready' || (await answers(settings.apiPort))
    if (silence.note(isFine ? 'answered' : 'silent')) {
      terminal.line(`The indexer has not answered for ${settings.restartAfter / 1_000} s. It is restarted.`)
      kill()
    }
    if (!status) continue
    for (const { message } of status.warnings) if (!shown.has(message)) terminal.line(message)
    for (const { message } of status.warnings) shown.add(message)
    if (indexer.health === 'ready') continue
    if (indexer.health === 'starting') indexer.health = 'answered'
    const text = describeProgress(status)
    if (text !== undefined) phase.update(text)
    if (status.state !== 'ready') continue
    indexer.health = 'ready'
    news.send({ type: 'progress', progress: null, note: null })
    if (announced === 'announced') terminal.line('The indexer answers again')
    else announce(product, phase)
    announced = 'announced'
  }
}

/** Requests an endpoint that does not wait for the database. */
const answers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/v1/health`, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  )

type Status = {
  state: 'starting' | 'indexing' | 'ready'
  progress: { done: number; total: number } | null
  note: string | null
  warnings: { message: string }[]
}

async function readStatus(port: number): Promise<Status | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v1/status`, { signal: AbortSignal.timeout(2_000) })
    return response.ok ? ((await response.json()) as Status) : undefined
  } catch {
    return undefined
  }
}

function announce({ settings, url, data, terminal }: Product, phase: Phase) {
  phase.done('The chain is read')
  const demo = [
    'This is a demo: a chain on this machine with a made-up community.',
    'To read a real one, see .env.example.',
    '',
  ]
  terminal.box([
    `Lineage is at ${url}`,
    '',
    ...(settings.source.kind === 'demo' ? demo : []),
    `logs     ${data.log('*')}`,
    `API      ${url}/v1`,
    'Press Ctrl-C to end it.',
  ])
}
