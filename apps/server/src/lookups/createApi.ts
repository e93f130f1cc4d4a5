import { InvalidCursorError, QueryTooCostlyError } from '@lineage/forest'
import type { BodyOf, Reason, ResponseOf, SpotCheck, Warning } from '@lineage/referral-api'
import { indexerRoutes } from '@lineage/referral-api/indexer-routes'
import { findUnknownMoment, methodsOf } from '@lineage/referral-api/operations'
import { bodyLimit, isBlockingReason } from '@lineage/referral-api/problems'
import { type LookupId, lookupRoutes, pageRoutes, serviceRoutes, splitRoute } from '@lineage/referral-api/routes'
import { watchedBodyLimit } from '@lineage/referral-api/watched'
import { type Context, type Handler, Hono, type HonoRequest, type MiddlewareHandler } from 'hono'
import type { Community } from '../../config/index.ts'
import { nameMoment } from './http/nameMoment.ts'
import { invalidCursor, ProblemError, toResponse } from './http/problems.ts'
import { limitBody, readBatchRequest, readWatchedRequest, requireJson } from './http/readRequest.ts'
import { describeError } from './lib/describeError.ts'
import type { LiveFeed } from './live/createLiveFeed.ts'
import { streamFeed } from './live/streamFeed.ts'
import { createLookupReader, requireCommunity, requireView } from './lookups/createLookupReader.ts'
import { createSlicer } from './lookups/createSlicer.ts'
import { createTransactionReader } from './lookups/createTransactionReader.ts'
import type { Result, Sources } from './lookups/lookup.ts'
import { lookups } from './lookups/lookups.ts'
import { notCached, sendCacheable, sendUncached } from './lookups/sendResult.ts'
import type { IndexReader } from './reader/createIndexReader.ts'
import type { Tables } from './tables/createTables.ts'
import { createWatchedReader } from './watched/createWatchedReader.ts'

export type ApiParameters = {
  /** Name of the index, which is its schema. */
  name: string
  communities: readonly Community[]
  index: Pick<IndexReader, 'view' | 'status'> & Partial<Pick<IndexReader, 'tail'>>
  tables: Pick<Tables, 'findTxs' | 'readBinds' | 'readMemberEvents'> & Partial<Pick<Tables, 'readEvents'>>
  log: (message: string) => void
  watch: Watch
  /** Feed from which the server makes its streams. */
  live?: Pick<LiveFeed, 'subscribe'>
}

/** Faults that the operator should fix. */
type Watch = Pick<Sources, 'withheld'> & {
  warnings(): Warning[]
  spotChecks(): SpotCheck[]
  /** Returns the reasons why the index is not ready. */
  reasons(): Reason[]
}

/** Operations about the state of the index. The server handles the others of `serviceRoutes`. */
type ServiceId = 'status' | 'health' | 'ready'

/** Creates the HTTP API of the indexer: every lookup of `@lineage/referral-api`, and the state of the index. */
export function createApi({ name, communities, index, tables, log, watch, live }: ApiParameters): Hono {
  const readTransactions = createTransactionReader({ tables, log })
  const { withheld } = watch
  const sources: Sources = { communities, index, tables, readTransactions, inSlices: createSlicer(), withheld }
  const service: { [id in ServiceId]: () => ResponseOf<id> } = {
    status: () => ({
      ...index.status(),
      warnings: watch.warnings(),
      reasons: watch.reasons(),
      spotChecks: watch.spotChecks(),
    }),
    health: () => ({ status: 'ok' }),
    ready: () => toReady(sources, watch.reasons()),
  }

  const app = new Hono().basePath('/v1')
  app.use(timeRequest, nameMoment(index, name))
  addLookups(app, sources)
  for (const [id, respond] of Object.entries(service)) {
    const { path } = splitRoute({ ...pageRoutes, ...serviceRoutes }[id as ServiceId])
    app.all(path, refuseOtherMethods(path))
    app.get(path, (context) => context.json(respond(), 200, notCached))
  }
  if (live) app.get(toHonoPath(splitRoute(indexerRoutes.steps).path), sendFeed(sources, live))
  const { tail } = index
  const { readEvents } = tables
  if (tail && readEvents) {
    // Lookups do not wait for alerts, and alerts do not wait for lookups.
    const readWatched = createWatchedReader({ sources: { ...sources, inSlices: createSlicer() }, tail, readEvents })
    const { path } = splitRoute(indexerRoutes.watched)
    app.post(toHonoPath(path), requireJson, limitBody(watchedBodyLimit), async ({ req, json }) =>
      json(await readWatched(req.param('community') ?? '', await readWatchedRequest(req)), 200, notCached),
    )
  }
  app.all('*', () => {
    throw new ProblemError('not_found', 'The API has no such path.')
  })
  app.onError((error) => {
    if (error instanceof ProblemError) return toResponse(error)
    if (error instanceof InvalidCursorError) return toResponse(invalidCursor())
    if (error instanceof QueryTooCostlyError) return toResponse(new ProblemError('too_costly', error.message))
    log(`A request failed: ${describeError(error)}${toFrames(error)}`)
    return toResponse(new ProblemError('internal', 'The request failed because of an internal error. Try again later.'))
  })
  return app
}

/** Returns the handler of the feed for the server. The feed is not part of the public contract. */
function sendFeed(sources: Sources, live: Pick<LiveFeed, 'subscribe'>): Handler {
  return (context) => {
    const id = context.req.param('community') ?? ''
    requireCommunity(sources, id)
    const body = streamFeed({
      subscribe: (listener) => live.subscribe(id, listener),
      /** Ends the feed of a community that is no longer served. */
      asOf: () => (sources.withheld(id) === undefined ? sources.index.view()?.asOf : undefined),
    })
    return context.body(body, 200, { 'content-type': 'application/x-ndjson', ...notCached })
  }
}

function addLookups(app: Hono, sources: Sources): void {
  const readLookup = createLookupReader(sources)

  const answerGet =
    (id: LookupId): Handler =>
    async (context) => {
      const { output, work } = measureWork(() => {
        const lookup = readLookup(id, context)
        return { view: lookup.view, pending: lookups[id](lookup as never) }
      })
      const { view, pending } = output
      const result: Result<LookupId> = await pending
      nameWork(context, work, result)
      return sendCacheable(context, result.view ?? view, result)
    }

  const answerPost =
    (id: PostId): Handler =>
    async (context) => {
      const body = await bodyReaders[id](context.req)
      const { output, work } = measureWork(() => {
        const lookup = { ...readLookup(id, context), body }
        return { view: lookup.view, pending: lookups[id](lookup) }
      })
      const { view, pending } = output
      const result = await pending
      nameWork(context, work, result)
      return sendUncached(context, view, result)
    }

  for (const id of Object.keys(lookupRoutes) as LookupId[]) {
    const { path } = splitRoute(lookupRoutes[id])
    const route = toHonoPath(path)
    app.all(route, refuseOtherMethods(path), refuseUnknownMoments(id))
    if (isPost(id)) app.post(route, requireJson, limitBody(bodyLimit), answerPost(id))
    else app.get(route, answerGet(id))
  }
}

/** Returns the path with its parameters in the form of Hono. */
const toHonoPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Returns that the index is ready. @throws {ProblemError} `indexing` or `unavailable`, with the reasons */
function toReady({ index }: Sources, reasons: Reason[]): ResponseOf<'ready'> {
  const blocking = reasons.filter(isBlockingReason)
  if (blocking.length === 0) return requireView({ index }) && { status: 'ready', reasons }
  const { progress } = index.status()
  const code = blocking.some((reason) => reason.code === 'indexing') ? 'indexing' : 'unavailable'
  const detail = blocking.map(({ message }) => message).join(' ')
  throw new ProblemError(code, detail, { ...(progress && { progress }), reasons })
}

/** Returns the place where an error was thrown, without its text. */
const toFrames = ({ stack = '' }: Error) => stack.match(/\n\s+at .*/g)?.join('') ?? ''

type PostId = { [id in LookupId]: BodyOf<id> extends undefined ? never : id }[LookupId]
const bodyReaders: { [id in PostId]: (request: HonoRequest) => Promise<BodyOf<id>> } = { batch: readBatchRequest }
const isPost = (id: LookupId): id is PostId => id in bodyReaders

function refuseOtherMethods(path: string): MiddlewareHandler {
  const allow = methodsOf(path) ?? ''
  return ({ req }, next) => {
    if (allow.split(', ').includes(req.method)) return next()
    throw new ProblemError('method_not_allowed', `This path allows ${allow}, not ${req.method}.`, { allow })
  }
}

/** Refuses a past moment where a lookup only knows the present: its answer would be untrue for that moment. */
function refuseUnknownMoments(id: LookupId): MiddlewareHandler {
  return ({ req }, next) => {
    const found = findUnknownMoment(id, Object.keys(req.query()))
    if (!found) return next()
    const { name, operations } = found
    const paths = operations.map(({ path }) => path).join(', ')
    const detail = `This lookup has no "${name}": leave it out for the present, or use one that has it: ${paths}.`
    throw new ProblemError('invalid_parameter', detail, { parameter: name })
  }
}

const timeRequest: MiddlewareHandler = async (context, next) => {
  const start = performance.now()
  await next()
  context.header('server-timing', `app;dur=${(performance.now() - start).toFixed(2)}`, { append: true })
}

/** Adds a header with the milliseconds that a lookup took, for which the server charges the visitor. */
function nameWork(context: Context, work: number, result: Pick<Result<LookupId>, 'work'>): void {
  context.header('server-timing', `work;dur=${(work + (result.work ?? 0)).toFixed(2)}`)
}

/** Runs the synchronous part of a request and measures its processor time, without that of other requests. */
function measureWork<output>(compute: () => output): { output: output; work: number } {
  const before = process.threadCpuUsage()
  const output = compute()
  const { user, system } = process.threadCpuUsage(before)
  return { output, work: (user + system) / 1_000 }
}
