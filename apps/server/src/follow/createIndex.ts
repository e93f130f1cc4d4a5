import { Worker } from 'node:worker_threads'
import type { Community } from '@lineage/communities'
import { describeError } from '@lineage/database'
import type { ProblemCode } from '@lineage/referral-api'
import type { LookupId } from '@lineage/referral-api/routes'
import { ProblemError } from '../lib/problem.ts'
import type { FilePart } from '../lookups/fileStream.ts'
import type { WatchedEvents, WatchedRequest } from '../lookups/findWatchedEvents.ts'
import {
  type Index,
  type IndexChange,
  type IndexStatus,
  type LookupAnswer,
  type LookupRequest,
  LookupStoppedError,
  type ServedState,
} from '../lookups/Index.ts'

export type CreateIndexParameters = Omit<WorkerParameters, 'communities'> & {
  communities: readonly Community[]
  log?: (message: string, level?: 'info' | 'error') => void
}

/** Milliseconds between the end of a worker and the start of the next one. */
const restartDelay = 500
/** Seconds without a message after which a worker hangs for good. It sends its state every second. */
const silence = 10

type Waiting = { resolve: (reply: Reply) => void; reject: (error: unknown) => void }
type States = Omit<Extract<FromWorker, { type: 'state' }>, 'type'>

const starting: IndexStatus = {
  state: 'starting',
  progress: { phase: 'starting', done: 0, total: 0 },
  asOf: null,
  headBlock: null,
  note: null,
  warnings: [],
  reasons: [],
  spotChecks: [],
}

const noStates = (status: Partial<IndexStatus> = {}): States => ({
  status: { ...starting, ...status },
  communities: new Map(),
  refusals: new Map(),
})

const loadingAgain = () => new ProblemError('indexing', 'The index is being loaded again. Try again later.')

const print = (message: string, level?: 'info' | 'error') => (level === 'error' ? console.error : console.log)(message)

/** Starts the worker that follows the tables and answers lookups. A worker that ends or hangs is replaced. */
export function createIndex({ log = print, ...parameters }: CreateIndexParameters): Index {
  const waiting = new Map<number, Waiting>()
  const listeners = new Set<(change: IndexChange) => void>()
  /** Number of watchers by community and address. */
  const teams = new Map<string, number>()
  let states = noStates()
  let questions = 0
  /** `failed`: the worker has ended, and the next one is not started yet. */
  let state: 'open' | 'failed' | 'closed' = 'open'
  let timer: NodeJS.Timeout | undefined
  /** Resolves when the modules of the worker have been loaded: Node crashes if it is ended before. */
  let loaded: Promise<unknown> | undefined
  let worker = start()
  /** Seconds without a message, counted by turns: a process that was paused has not waited. */
  let silent = 0
  const watch = setInterval(endIfHanging, 1_000)

  function start(): Worker {
    const started = new Worker(new URL('./indexWorker.ts', import.meta.url), { workerData: parameters })
    loaded = new Promise((resolve) => started.once('message', resolve).once('exit', resolve))
    started.on('message', receive)
    started.on('error', (error) => log(`The thread of the index failed: ${describeError(error)}`, 'error'))
    started.once('exit', () => {
      if (state === 'open') timer = setTimeout(restart, restartDelay)
      state = state === 'closed' ? 'closed' : 'failed'
      const note = 'The index is being loaded again after a failure.'
      states = noStates({ headBlock: states.status.headBlock, note })
      for (const { reject } of waiting.values()) reject(loadingAgain())
      waiting.clear()
    })
    return started
  }

  function restart(): void {
    log('The thread of the index is started again.')
    worker = start()
    state = 'open'
    for (const key of teams.keys()) sendTeam('watchTeam', key)
  }

  /** Ends a worker that does not answer. While it loads tables, it may be busy for long. */
  function endIfHanging(): void {
    silent++
    if (silent <= silence || waiting.size === 0 || state !== 'open' || states.status.state !== 'ready') return
    log(`The thread of the index does not answer for ${silence} seconds: it is ended.`, 'error')
    silent = 0
    void worker.terminate()
  }

  function receive(message: FromWorker): void {
    silent = 0
    if (message.type === 'log') log(message.message, message.level)
    else if (message.type === 'state') states = message
    else if (message.type === 'change') for (const listener of listeners) listener(message.change)
    else {
      waiting.get(message.number)?.resolve(message)
      waiting.delete(message.number)
    }
  }

  const send = (message: ToWorker) => worker.postMessage(message)

  /** Resolves to the reply of the worker. */
  async function ask<type extends Question['type']>(question: Question & { type: type }, number = ++questions) {
    if (state !== 'open') throw loadingAgain()
    const reply = await new Promise<Reply>((resolve, reject) => {
      waiting.set(number, { resolve, reject })
      send({ ...question, number })
    })
    if (reply.type === 'problem') throw new ProblemError(reply.code, reply.detail, reply.extra)
    if (reply.type === 'stopped') throw new LookupStoppedError(reply.work)
    if (reply.type === 'failure') throw new Error(reply.message)
    return reply as Extract<Reply, { type: type }>
  }

  async function lookUp(...[request, { visitor = '', signal } = {}]: Parameters<Index['lookUp']>) {
    if (signal?.aborted) throw new LookupStoppedError(0)
    const number = ++questions
    // The worker replies when it has stopped.
    const onAbort = () => send({ type: 'cancel', number })
    signal?.addEventListener('abort', onAbort)
    try {
      const { answer } = await ask({ type: 'lookUp', request, visitor }, number)
      if (signal?.aborted) {
        onAbort()
        throw new LookupStoppedError(answer.work)
      }
      return { ...answer, body: answer.body === 'csv' ? createCsv(number) : answer.body } satisfies LookupAnswer
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Creates the stream of a CSV, which reads at most one part before it is asked for. */
  function createCsv(of: number): ReadableStream<FilePart> {
    return new ReadableStream<FilePart>(
      {
        async pull(controller) {
          const { part } = await ask({ type: 'readPart', of })
          if (part) controller.enqueue(part)
          else controller.close()
        },
        cancel: () => send({ type: 'cancel', number: of }),
      },
      // The worker reads one part while another one is sent.
      { highWaterMark: 1 },
    )
  }

  function sendTeam(type: 'watchTeam' | 'forgetTeam', key: string): void {
    const [community = '', address = ''] = key.split(' ')
    send({ type, community, address })
  }

  return {
    communities: parameters.communities.map(({ id }) => id),
    lookUp,
    findWatchedEvents: async (community, request) =>
      (await ask({ type: 'findWatchedEvents', community, request })).events,
    status: () => states.status,
    stateOf: (community) => states.communities.get(community),
    refusalOf: (community) => states.refusals.get(community),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    watchTeam(community, address) {
      const key = `${community} ${address.toLowerCase()}`
      const count = teams.get(key) ?? 0
      teams.set(key, count + 1)
      if (count === 0) sendTeam('watchTeam', key)
      let watch: 'on' | 'off' = 'on'
      return () => {
        if (watch === 'off') return
        watch = 'off'
        const left = (teams.get(key) ?? 1) - 1
        if (left > 0) teams.set(key, left)
        else {
          teams.delete(key)
          sendTeam('forgetTeam', key)
        }
      }
    },
    async close() {
      state = 'closed'
      clearTimeout(timer)
      clearInterval(watch)
      await loaded
      await worker.terminate()
    },
  }
}

export type WorkerParameters = {
  communities: readonly Community[]
  databaseUrl: string
  /** Age in seconds at which the newest block is too old; 0 for never. */
  maxAge: number
}

/** A question of the server to the worker. Each is answered by one `Reply` with the same number. */
export type Question =
  | { type: 'lookUp'; request: LookupRequest<LookupId>; visitor: string }
  | { type: 'findWatchedEvents'; community: string; request: WatchedRequest }
  /** Reads the next part of the CSV that answered question `of`. */
  | { type: 'readPart'; of: number }

export type ToWorker =
  | (Question & { number: number })
  /** Ends a question: its answer, or its CSV, is no longer needed. */
  | { type: 'cancel'; number: number }
  | { type: 'watchTeam'; community: string; address: string }
  | { type: 'forgetTeam'; community: string; address: string }

/** `csv`: its parts are read one by one. */
type WorkerAnswer = Omit<LookupAnswer, 'body'> & { body: Uint8Array<ArrayBuffer> | 'csv' }

export type Reply =
  | { type: 'lookUp'; answer: WorkerAnswer }
  | { type: 'findWatchedEvents'; events: WatchedEvents }
  /** `null` at the end of the CSV. */
  | { type: 'readPart'; part: FilePart | null }
  /** The lookup was cancelled; `work`: the milliseconds of processor time that it took. */
  | { type: 'stopped'; work: number }
  | { type: 'problem'; code: ProblemCode; detail: string; extra: ProblemError['extra'] }
  /** The CSV cannot be continued. */
  | { type: 'failure'; message: string }

export type FromWorker =
  | (Reply & { number: number })
  | { type: 'log'; message: string; level: 'info' | 'error' }
  | { type: 'change'; change: IndexChange }
  /** Sent with each change and every second. A community that is missing is not served. */
  | {
      type: 'state'
      status: IndexStatus
      communities: ReadonlyMap<string, ServedState>
      /** Why communities are withheld until their configuration is corrected. */
      refusals: ReadonlyMap<string, string>
    }
