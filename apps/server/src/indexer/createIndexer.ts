import type { JsonId, ResponseOf, Status } from '@lineage/referral-api'
import { indexerHeaders } from '@lineage/referral-api/indexer-headers'
import type { LookupId, PathValues } from '@lineage/referral-api/routes'
import { responses } from '@lineage/referral-api/schemas'
import { proxy } from 'hono/proxy'
import { apiPath } from '../lib/apiPath.ts'
import { notFound, problem } from '../lib/problem.ts'
import type { StartupState } from '../settings/startupState.ts'
import type { KnownIndexer } from './chooseIndexer.ts'
import type { Indexers } from './createIndexers.ts'
import { isApiTarget } from './isApiTarget.ts'
import { withIdleTimeout } from './withIdleTimeout.ts'

/** Request headers that the indexer needs. Cookies, origins and forwarded addresses are not passed on. */
const requestHeaders = ['accept', 'content-type', 'if-none-match', 'if-modified-since']

/**
 * Returns whether a response header is Ponder's own, or only meant for this server. Such headers are not passed on to
 * visitors.
 */
const isInternalHeader = (name: string) =>
  ['server', 'set-cookie', 'x-powered-by', indexerHeaders.block, indexerHeaders.index].includes(name) ||
  name.startsWith('access-control-')

export type IndexerParameters = {
  indexers: Indexers
  startup: Pick<StartupState, 'progress' | 'note'>
  /** Time limit until the answer begins, and between two of its chunks, in milliseconds. */
  timeout: number
}

type ForwardParameters = {
  id: LookupId
  /** Path and query as the visitor sent them. */
  target: string
  body: string | null
  visitor: string
}

type ReadId = LookupId & JsonId

export type Indexer = {
  /** Forwards a request. A GET that an indexer cannot answer is forwarded once more, to another one. */
  forward: (request: Request, parameters: ForwardParameters) => Promise<Response>
  /** Reads the answer of a lookup for the server itself. Rejects if the status is not a success. */
  read: <id extends ReadId>(id: id, ...path: PathValues<id>) => Promise<ResponseOf<id>>
  /** Returns the status of the index, or that of the startup while no indexer answers. */
  getStatus: () => Promise<Status>
  /** Returns the number of members by community; empty while no indexer answers. */
  countMembers: () => Promise<ReadonlyMap<string, number>>
}

/** Creates the client of the indexers. */
export function createIndexer(parameters: IndexerParameters): Indexer {
  const read: Indexer['read'] = (id, ...path) => readLookup(parameters, id, apiPath(id, ...path))
  return {
    forward: (request, lookup) => forward(parameters, request, lookup),
    read,
    async countMembers() {
      const { items } = await read('communities').catch(() => ({ items: [] }))
      return new Map(items.map(({ id, members }) => [id, members]))
    },
    getStatus: () => findStatus(parameters),
  }
}

async function forward(
  { indexers, startup, timeout }: IndexerParameters,
  request: Request,
  lookup: ForwardParameters,
): Promise<Response> {
  const { id, target, body, visitor } = lookup
  if (!isApiTarget(target)) return notFound()
  const wanted = { visitor, prefer: throttled.has(id) ? 'first' : 'idle' } as const
  const one = indexers.choose(wanted)
  if (!one) return unavailable(startup)
  let answer = await ask(one, request, lookup, { indexers, timeout })
  const canRetry = body === null && !request.signal.aborted && isLost(answer)
  const other = canRetry ? indexers.choose({ ...wanted, except: one }) : undefined
  if (other) {
    if (typeof answer !== 'string') await answer.body?.cancel()
    answer = await ask(other, request, lookup, { indexers, timeout })
  }
  if (typeof answer === 'string') return unavailable(startup)
  if (answer.status < 500 || answer.status === 503) return toVisitorResponse(answer, timeout)
  await answer.body?.cancel()
  console.error(`The indexer answered with status ${answer.status}. See its log.`)
  return problem('unavailable', { detail: 'The index cannot answer this now. Try again later.', retryAfter: 5 })
}

/** Sends a request to one indexer. Returns `late` if no answer has begun in time. */
async function ask(
  one: KnownIndexer,
  request: Request,
  { target, body, visitor }: ForwardParameters,
  { indexers, timeout }: Pick<IndexerParameters, 'indexers' | 'timeout'>,
): Promise<Response | 'late' | 'failed'> {
  const ending = new AbortController()
  const end = () => ending.abort()
  const timer = setTimeout(end, timeout)
  const { signal } = request
  const atLeast = indexers.seenBy(visitor)
  const send = (silent: AbortSignal) =>
    proxy(`${one.origin}${target}`, {
      method: request.method,
      headers: toIndexerHeaders(request, atLeast),
      // Send bytes, because fetch would add a content-type for a string.
      body: body === null ? null : new TextEncoder().encode(body),
      signal: AbortSignal.any([ending.signal, silent]),
      redirect: 'manual',
    })
  try {
    const response = await indexers.track(one, send, () => ending.signal.aborted)
    // Attached only now: until the answer begins, a lookup whose visitor left still keeps the indexer busy, so it
    // keeps its place and is charged.
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
    const block = response.headers.get(indexerHeaders.block)
    if (block !== null && response.status < 500) indexers.noteSeen(visitor, Number(block), atLeast)
    return response
  } catch {
    return ending.signal.aborted ? 'late' : 'failed'
  } finally {
    clearTimeout(timer)
  }
}

async function readLookup<id extends ReadId>(
  { indexers, timeout }: IndexerParameters,
  id: id,
  path: string,
): Promise<ResponseOf<id>> {
  const { origin } = indexers.choose() ?? {}
  if (origin === undefined) throw new Error('No indexer answers.')
  const response = await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(Math.min(timeout, 2_000)) })
  if (response.ok) return responses[id].parse(await response.json()) as ResponseOf<id>
  await response.body?.cancel()
  throw new Error(`The indexer answered with status ${response.status}.`)
}

async function findStatus({ indexers, startup }: IndexerParameters): Promise<Status> {
  const status = (await indexers.refresh())?.status
  const { progress, note } = startup
  const all = toShown(indexers.all)
  // The startup's note is about waiting, which is over.
  if (status) return { ...status, note: status.note ?? (status.state === 'ready' ? null : note), ...all }
  const state = progress === null || progress.phase === 'starting' ? 'starting' : 'indexing'
  return { state, progress, asOf: null, headBlock: null, note, warnings: [], spotChecks: [], ...all }
}

/**
 * Lookups whose answer the indexer computes every few seconds for all visitors. Two indexers compute it at different
 * times, so each visitor always gets the same indexer.
 */
const throttled: ReadonlySet<LookupId> = new Set(['metrics', 'map'])

/** Returns whether another indexer may answer: this one does not respond, or has no index or database at the moment. */
const isLost = (answer: Response | 'late' | 'failed'): boolean =>
  answer === 'failed' || (typeof answer !== 'string' && answer.status >= 500)

function toIndexerHeaders(request: Request, atLeast: number | undefined): [string, string][] {
  const headers = requestHeaders.flatMap((name): [string, string][] => {
    const value = request.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return atLeast === undefined ? headers : [...headers, [indexerHeaders.atLeast, String(atLeast)]]
}

/** Returns the part of `/v1/status` about each indexer, if there are several. */
function toShown(all: readonly KnownIndexer[]): Pick<Status, 'indexers'> {
  if (all.length < 2) return {}
  return { indexers: all.map(({ name, state, block, index = null }) => ({ name, state, block: block || null, index })) }
}

function toVisitorResponse({ body, headers, status }: Response, timeout: number): Response {
  for (const name of [...headers.keys()]) if (isInternalHeader(name)) headers.delete(name)
  const createError = () => new Error(`The indexer sent nothing for ${timeout} ms.`)
  return new Response(body && withIdleTimeout(body, timeout, createError), { status, headers })
}

function unavailable({ progress, note }: IndexerParameters['startup']): Response {
  if (progress) return problem('indexing', { detail: note ?? 'The chain is being indexed.', progress, retryAfter: 2 })
  return problem('unavailable', { detail: 'The index does not answer. Try again later.', retryAfter: 5 })
}
