import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Community,
  createReferralClient,
  type Metrics,
  nameIn,
  type Progress,
  type ReferralClient,
  type Status,
} from '@lineage/referral-api'
import { startChild, withParent } from '../lib/startChild.ts'
import type { Supervised } from '../lib/supervise.ts'
import type { Phase } from '../lib/terminal.ts'
import type { Product } from './createProcesses.ts'

const root = join(import.meta.dirname, '../..')

export type RunServicesParameters = {
  databaseUrl: string
  /** Variables that differ from those of this process. */
  env: NodeJS.ProcessEnv
}

/** Starts the reader and the server, restarts them when they end, and shows progress. Returns how to end them. */
export function runServices(product: Product, parameters: RunServicesParameters): () => Promise<void> {
  const { processes, terminal } = product
  const phase = terminal.phase('Reading the chain')
  const reader = startReader(product, parameters)
  const server = startServer(product, parameters)
  const ended = Promise.race([reader.supervised.ended, server.ended]).then(() => 'ended' as const)
  void watchReader(product, reader, ended)
  void watchStatus(product, phase, ended)
  return async () => {
    for (const service of [server, reader.supervised]) {
      processes.remove(service)
      await service.stop()
    }
  }
}

/** `silent`: it has not answered since its last start. */
type Reader = { supervised: Supervised; state: () => 'silent' | 'answers'; answered: () => 'first' | 'again' }

function startReader(product: Product, { databaseUrl, env }: RunServicesParameters): Reader {
  const { settings, data, processes } = product
  let history: 'worked' | 'never_worked' = 'never_worked'
  let state: 'silent' | 'answers' = 'silent'
  const supervised = processes.supervise({
    name: 'The reader',
    logFile: data.log('reader'),
    launch: () =>
      startChild({
        ...withParent(process.execPath, ['--conditions=@lineage/source', join(root, 'apps/reader/src/main.ts')]),
        env: {
          ...process.env,
          DATABASE_URL: databaseUrl,
          LINEAGE_CONFIG: settings.configPath,
          LINEAGE_RPC_URLS: settings.rpcUrls.join(),
          LINEAGE_READER_PORT: String(settings.readerPort),
          ...env,
        },
        logFile: data.log('reader'),
      }),
    onCrash() {
      state = 'silent'
      return history
    },
  })
  return {
    supervised,
    state: () => state,
    answered() {
      const which = history === 'worked' && state === 'silent' ? 'again' : 'first'
      history = 'worked'
      state = 'answers'
      return which
    },
  }
}

function startServer(product: Product, { databaseUrl, env }: RunServicesParameters): Supervised {
  const { mode, settings, data, terminal, processes, serverPort, url } = product
  let history: 'worked' | 'never_worked' = 'never_worked'
  return processes.supervise({
    name: 'The server',
    logFile: data.log('server'),
    launch: () =>
      startChild({
        module: join(root, 'apps/server/src/main.ts'),
        // The second one as in `run.mjs`.
        nodeOptions: ['--conditions=@lineage/source', '--max-semi-space-size=8'],
        env: {
          ...process.env,
          PORT: String(serverPort),
          DATABASE_URL: databaseUrl,
          LINEAGE_CONFIG: settings.configPath,
          LINEAGE_HOST: settings.host ?? '',
          LINEAGE_RPC_URLS: settings.rpcUrls.join(),
          // In dev, the server and the page have different ports.
          LINEAGE_ORIGIN: settings.origins.join(),
          LINEAGE_SESSION_SECRET: settings.sessionSecrets[0],
          ...(mode === 'dev' && { LINEAGE_WEB_DIR: 'none' }),
          ...env,
        },
        logFile: data.log('server'),
        // Its only message says that it listens.
        onMessage() {
          if (history === 'never_worked') terminal.line(`The page is at ${url}`)
          history = 'worked'
        },
      }),
    onCrash: () => history,
  })
}

/** Restarts the reader when it hangs. A reader that has not answered yet is still starting. */
async function watchReader({ settings, terminal }: Product, reader: Reader, ended: Promise<'ended'>): Promise<void> {
  const silence = createSilenceWatch(settings.restartAfter)
  const url = `http://127.0.0.1:${settings.readerPort}/health`
  while ((await Promise.race([delay(1_000), ended])) !== 'ended') {
    const answer = await read(url)
    if (answer !== undefined && reader.state() === 'silent' && reader.answered() === 'again')
      terminal.line('The reader answers again')
    if (!silence.note(answer !== undefined || reader.state() === 'silent' ? 'answered' : 'silent')) continue
    terminal.line(`The reader has not answered for ${settings.restartAfter / 1_000} s. It is restarted.`)
    reader.supervised.kill()
  }
}

/** Milliseconds for which a warning waits for the banner, below which it stands. */
const patience = 15_000

/** Shows the progress, then each community with its figures, and the warnings of the server's status. */
async function watchStatus(product: Product, phase: Phase, ended: Promise<'ended'>): Promise<void> {
  const { terminal, serverPort } = product
  const api = createReferralClient({ baseUrl: `http://127.0.0.1:${serverPort}/v1`, timeout: 2_000 })
  const told = new Set<string>()
  const chooseWarnings = createWarningChoice()
  let state: 'preparing' | 'ready' = 'preparing'
  while ((await Promise.race([delay(state === 'ready' ? 5_000 : 200), ended])) !== 'ended') {
    const status = await api.status().catch(() => undefined)
    if (status === undefined) continue
    const progress = describeProgress(status)
    if (state === 'ready') for (const text of await describeCommunities(api, told)) terminal.line(text)
    else if (status.state === 'ready') {
      state = 'ready'
      phase.done('The chain is read')
      terminal.box(await describeStart(product, api, told))
    } else if (progress !== undefined) phase.update(progress)
    for (const text of chooseWarnings(status.warnings, state === 'ready' ? 0 : patience)) terminal.line(text)
  }
}

type Warning = Pick<Status['warnings'][number], 'kind' | 'node' | 'community' | 'message'>

/** Creates a function that chooses the warnings to show: each once until it ends, also while its figures change. */
export function createWarningChoice() {
  /** When each warning was first seen; `undefined` once it was shown. */
  const seenAt = new Map<string, number | undefined>()
  return (warnings: readonly Warning[], wait: number, now = performance.now()): string[] => {
    const all = warnings.map((warning) => ({ ...warning, key: keyOf(warning) }))
    for (const key of seenAt.keys()) if (!all.some((one) => one.key === key)) seenAt.delete(key)
    const due: string[] = []
    for (const { key, message } of all) {
      const at = seenAt.has(key) ? seenAt.get(key) : now
      const isDue = at !== undefined && now - at >= wait
      if (isDue) due.push(message)
      seenAt.set(key, isDue ? undefined : at)
    }
    return due
  }
}

/** Names a warning without its figures, such as its age. */
const keyOf = ({ kind, node, community, message }: Warning): string =>
  [kind, node, community, message.replaceAll(/\d+/g, '')].join()

/** Describes the progress of the reading: in blocks if they can be counted, otherwise by the current task. */
export function describeProgress({
  progress,
  note,
}: {
  progress: Pick<Progress, 'done' | 'total'> | null
  note: string | null
}): string | undefined {
  if (!progress) return undefined
  if (progress.total === 0) return note?.replace(/\.$/, '')
  return `${progress.done} of ${progress.total} blocks`
}

/** Returns the JSON at a URL; `undefined` if there is none. */
async function read(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    return response.ok ? await response.json() : undefined
  } catch {
    return undefined
  }
}

async function describeStart({ settings, url, data }: Product, api: Api, told: Set<string>): Promise<string[]> {
  const demo = [
    'This is a demo: a chain on this machine with a made-up community.',
    'To read a real one: npm start 0x…contract… https://your-node.example',
    '',
  ]
  const communities = await describeCommunities(api, told)
  return [
    `Lineage is at ${url}`,
    '',
    ...(settings.source === 'demo' ? demo : []),
    ...communities.flatMap((text) => [...text.split('\n'), '']),
    `logs     ${data.log('*')}`,
    `API      ${url}/v1`,
    'Press Ctrl-C to end it.',
  ]
}

/**
 * Creates a watch over a process that is polled repeatedly, because a process that hangs does not end.
 *
 * @param limit Milliseconds without an answer after which the process counts as hanging; 0 for never.
 */
export function createSilenceWatch(limit: number) {
  let since: number | undefined
  return {
    /** Records whether the process answered. Returns `true`, and starts again, after silence for the limit. */
    note(outcome: 'answered' | 'silent', now = performance.now()): boolean {
      since = outcome === 'silent' ? (since ?? now) : undefined
      if (since === undefined || limit === 0 || now - since < limit) return false
      since = undefined
      return true
    },
  }
}

type Api = Pick<ReferralClient, 'communities' | 'metrics'>

/** Describes the communities that are answered or withheld, except those that were told before, and notes them. */
async function describeCommunities(api: Api, told: Set<string>): Promise<string[]> {
  const items = await api.communities().then(
    (found) => found.items.filter(({ id, status }) => status !== 'indexing' && !told.has(id)),
    () => [],
  )
  const texts: string[] = []
  for (const community of items) {
    const metrics = community.status === 'ready' ? await api.metrics(community.id).catch(() => undefined) : null
    // Asked for again in the next round.
    if (metrics === undefined) continue
    told.add(community.id)
    texts.push(describeCommunity(community, metrics))
  }
  return texts
}

/** Describes a community by its members, roots, first bind and largest team; one that is withheld has none. */
export function describeCommunity({ name }: Pick<Community, 'name'>, metrics: Figures | null): string {
  const title = nameIn(name, 'en')
  if (metrics === null) return `${title} is withheld: the reason stands below`
  const { members, roots, series, undated, leaders } = metrics
  const [first] = series
  const [largest] = leaders.team
  const facts = [
    toCount(members, 'member'),
    toCount(roots, 'root'),
    ...(first ? [`first bind on ${first.day}`] : []),
    ...(undated > 0 ? [`${undated.toLocaleString('en')} without a date`] : []),
  ]
  return [
    title,
    `  ${facts.join(' · ')}`,
    ...(largest ? [`  largest team: ${largest.team.toLocaleString('en')} below ${largest.address}`] : []),
  ].join('\n')
}

type Figures = Pick<Metrics, 'members' | 'roots' | 'series' | 'undated' | 'leaders'>

const toCount = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
