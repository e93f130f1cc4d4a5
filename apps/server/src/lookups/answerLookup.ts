import type { Community } from '@lineage/communities'
import { describeError } from '@lineage/database'
import { type Forest, InvalidCursorError, QueryTooCostlyError } from '@lineage/forest'
import type { AsOf } from '@lineage/referral-api'
import { type Calendar, createCalendar } from '@lineage/referral-api/days'
import type { LookupId } from '@lineage/referral-api/routes'
import type pg from 'pg'
import type { Follower, View } from '../follow/createFollower.ts'
import type { IndexState } from '../follow/createStatus.ts'
import { keepNewest } from '../lib/cache.ts'
import { notIndexed, ProblemError } from '../lib/problem.ts'
import { type Asker, createSlicer, createWorkMeter } from './createSlicer.ts'
import { createTransactionReader } from './createTransactionReader.ts'
import { createEventTables, EventsReplacedError, refuseWithoutDatabase } from './eventTables.ts'
import { findNamed, requireMember } from './findMember.ts'
import type { WatchedEvents, WatchedRequest } from './findWatchedEvents.ts'
import { type LookupAnswer, type LookupRequest, LookupStoppedError } from './Index.ts'
import type { Drawings, LookupOf, Moment, Result, Sources } from './lookup.ts'
import { lookups } from './lookups.ts'
import { readWatchedEvents } from './readWatchedEvents.ts'
import { daysOf, mapLimit, toMap, toMemberMetrics, toMetrics } from './serialize.ts'

export type LookupsParameters = {
  communities: readonly Community[]
  follower: Pick<Follower, 'view' | 'pollNow' | 'fault'>
  state: IndexState
  /** Connections for events and transactions, which the forests do not hold. */
  pool: Pick<pg.Pool, 'query'>
  log: (message: string) => void
}

/** Data that all lookups share. */
type SharedSources = Omit<Sources, 'inSlices' | 'meter'>

/** Creates the functions that answer lookups from the forests and the tables. */
export function createLookups(parameters: LookupsParameters) {
  const { communities, follower, state, pool, log } = parameters
  const tables = createEventTables(pool, follower.fault)
  const viewOf = (id: string) => (state.withheld(id) === undefined ? follower.view(id) : undefined)
  const sources: SharedSources = {
    communities,
    viewOf,
    requireView: (id) => requireView({ communities, viewOf, state }, id),
    refusal: state.refusal,
    tables,
    readTransactions: createTransactionReader({ tables, log }),
    catchUp: () => follower.pollNow().catch(refuseWithoutDatabase),
  }
  // Lookups do not wait for alerts, and alerts do not wait for lookups.
  const [slicer, watchedSlicer] = [createSlicer(), createSlicer()]
  const readInput = createInputReader(sources, parameters)

  async function answer(request: LookupRequest<LookupId>, asker: Asker): Promise<LookupAnswer> {
    const { meter } = asker
    const own: Sources = { ...sources, meter, inSlices: (slices) => slicer(slices, asker) }
    const { moment, pending } = meter.measure(() => {
      const input = readInput(request, own)
      // The path and the contract decide what a lookup has, as in `LookupOf`.
      return { moment: input.moment, pending: lookups[request.id](input.lookup as LookupOf<LookupId> as never) }
    })
    const result: Result<LookupId> = await pending
    return toAnswer(request.id, result.moment ?? moment, { ...result, work: meter.work() })
  }

  return {
    /** Answers a lookup. @throws {ProblemError} @throws {LookupStoppedError} after `signal` */
    async lookUp(request: LookupRequest<LookupId>, by: Pick<Asker, 'visitor' | 'signal'>): Promise<LookupAnswer> {
      const asker = { ...by, meter: createWorkMeter() }
      try {
        return await answer(request, asker).catch(async (error: unknown) => {
          if (!(error instanceof EventsReplacedError)) throw error
          await sources.catchUp()
          return answer(request, asker)
        })
      } catch (error) {
        throw by.signal.aborted ? new LookupStoppedError(asker.meter.work()) : error
      }
    },
    /**
     * Finds events that concern watched addresses, in a state that is not older than the tables are now: of two servers
     * that ask one after the other, the second does not see an earlier fork.
     */
    async findWatchedEvents(community: string, request: WatchedRequest): Promise<WatchedEvents> {
      await sources.catchUp()
      const asker = { visitor: '', signal: new AbortController().signal, meter: createWorkMeter() }
      const inSlices: Sources['inSlices'] = (slices) => watchedSlicer(slices, asker)
      return readWatchedEvents({ ...sources, inSlices }, community, request)
    },
  }
}

/** Creates the function that reads the input of a lookup: the community and the member in its path, and its query. */
function createInputReader(shared: SharedSources, parameters: LookupsParameters) {
  const { communities } = shared
  const drawings = new Map(communities.map(({ id }) => [id, createDrawings()]))
  return ({ id, path, query, body, atLeast }: LookupRequest<LookupId>, sources: Sources) => {
    const lookup = { query, body, atLeast, sources }
    if (path.community === undefined) {
      const moment = momentOfAll(sources, parameters)
      return { moment, lookup: { ...lookup, address: path.address, oldest: moment.asOf } }
    }
    const view = sources.requireView(path.community)
    // A reorganisation may have shortened the chain since the wait for this block.
    if (view.asOf.block < atLeast) throw notIndexed(atLeast)
    const community = communities.find((one) => one.id === path.community) as Community
    const own = { ...lookup, community, view, forest: view.forest, drawings: drawings.get(community.id) }
    if (path.address === undefined) return { moment: view, lookup: own }
    const found =
      id === 'memberEvents' || id === 'memberEventsCsv'
        ? findNamed(view.forest, community, path.address)
        : { id: requireMember(view.forest, community, path.address) }
    return { moment: view, lookup: { ...own, ...found } }
  }
}

/** Converts any error of a lookup to the problem that answers it. */
export function toProblem(error: unknown, log: (message: string) => void): ProblemError {
  if (error instanceof ProblemError) {
    if (error.cause !== undefined) log(`Events cannot be read: ${describeError(error.cause)}`)
    return error
  }
  if (error instanceof InvalidCursorError)
    return new ProblemError('invalid_cursor', 'Invalid cursor: it belongs to another list. Start from the first page.')
  if (error instanceof QueryTooCostlyError) return new ProblemError('too_costly', error.message)
  log(`A request failed: ${describeError(error)}${toFrames(error)}`)
  return new ProblemError('internal', 'The request failed because of an internal error. Try again later.')
}

/** Returns the place where an error was thrown, without its text. */
const toFrames = (error: unknown) => (error instanceof Error ? (error.stack?.match(/\n\s+at .*/g)?.join('') ?? '') : '')

function toAnswer(id: LookupId, { asOf, version }: Moment, result: Result<LookupId> & { work: number }): LookupAnswer {
  const { body, state = 'whole', headers = { 'content-type': 'application/json' }, work } = result
  const caching = id === 'batch' || state === 'partial' ? 'none' : state === 'final' ? 'final' : 'present'
  if (body instanceof ReadableStream) return { asOf, version, caching, headers, work, body }
  const known = result.moment && drawn.get(result.moment)
  const bytes = known ?? encoder.encode(JSON.stringify({ asOf, ...body }))
  if (result.moment) drawn.set(result.moment, bytes)
  // The bytes of an answer are handed over to another thread.
  return { asOf, version, caching, headers, work, body: result.moment ? bytes.slice() : bytes }
}

/** The JSON of drawings by their moment, because each is the answer to many requests. */
const drawn = new WeakMap<Moment, Uint8Array<ArrayBuffer>>()
const encoder = new TextEncoder()

type ViewSources = Pick<Sources, 'communities' | 'viewOf'> & { state: IndexState }

function requireView({ communities, viewOf, state }: ViewSources, id: string): View {
  if (!communities.some((one) => one.id === id))
    throw new ProblemError('community_not_found', 'There is no community with this id.')
  const view = viewOf(id)
  if (view) return view
  const { progress } = state.status()
  const refusal = state.refusal(id)
  if (refusal) throw new ProblemError('withheld', refusal.message)
  const detail = state.withheld(id) ?? 'The index is being built. Try again later.'
  throw new ProblemError('indexing', detail, progress ? { progress } : {})
}

/**
 * Returns the oldest moment of the communities that are served, and the versions of all. If none is, the moment is that of
 * communities that are withheld: the list tells why.
 */
function momentOfAll({ communities, viewOf, refusal }: SharedSources, { state, follower }: LookupsParameters): Moment {
  const states = communities.map(({ id }) => {
    const refused = refusal(id)
    return { refused, view: refused ? follower.view(id) : viewOf(id) }
  })
  const served = states.filter(({ refused, view }) => view && !refused)
  const [oldest] = (served.length > 0 ? served : states)
    .flatMap(({ view }) => view?.asOf ?? [])
    .sort((left: AsOf, right: AsOf) => left.block - right.block)
  const versions = states.map(({ refused, view }) => `${view?.version ?? '-'}${refused ? `.${refused.reason}` : ''}`)
  if (oldest) return { asOf: oldest, version: versions.join('_') }
  const { progress, note } = state.status()
  throw new ProblemError('indexing', note ?? 'The index is being built. Try again later.', progress ? { progress } : {})
}

/** Largest number of time zones whose drawings are kept. */
const mostZones = 16

function createDrawings(): Drawings {
  const kept = new Map<string, ReturnType<Drawings>>()
  return (timeZone) => {
    const drawings = kept.get(timeZone) ?? createDrawingsOf(createCalendar(timeZone))
    keepNewest(kept, timeZone, drawings, mostZones)
    return drawings
  }
}

function createDrawingsOf(calendar: Calendar): ReturnType<Drawings> {
  const days = daysOf(calendar)
  const createMap = (by: 'members' | 'volume') =>
    throttleByCost(({ forest, asOf }) =>
      toMap(forest.map(null, { by, most: mapLimit, now: asOf.timestamp, days }), { by, calendar }),
    )
  const readMetrics = ({ forest, asOf }: View) => toMetrics(forest.metrics({ now: asOf.timestamp, days }), calendar)
  return {
    metrics: {
      full: throttleByCost(readMetrics),
      members: throttleByCost((view) => toMemberMetrics(readMetrics(view))),
    },
    maps: { members: createMap('members'), volume: createMap('volume') },
  }
}

type Drawn<output> = { moment: Moment; output: output }

/**
 * Wraps a computation so that it takes at most a twentieth of the time. In between it returns its last output of the
 * forest, if that is not older than a block. So an expensive result becomes slightly outdated instead of delaying other
 * requests.
 */
export function throttleByCost<output>(
  compute: (view: View) => output,
  now: () => number = () => performance.now(),
): (view: View, atLeast: number) => Drawn<output> {
  // A forest that was replaced must not stay in memory.
  const drawn = new WeakMap<Forest, Drawn<output> & { until: number }>()
  return (view, atLeast) => {
    const start = now()
    const last = drawn.get(view.forest)
    if (last && start < last.until && last.moment.asOf.block >= atLeast) return last
    const { asOf, version } = view
    const output = compute(view)
    const end = now()
    const next = { moment: { asOf, version }, output, until: end + (end - start) * 20 }
    drawn.set(view.forest, next)
    return next
  }
}
