import type { Forest } from '@lineage/forest'
import type { LookupId } from '@lineage/referral-api/routes'
import type { Context } from 'hono'
import type { Community } from '../../../config/index.ts'
import { ProblemError } from '../http/problems.ts'
import { mapLimit, toMap, toMetrics } from '../http/serialize.ts'
import type { IndexView } from '../reader/indexState.ts'
import { readAddress, readMember, readNamed } from './findMember.ts'
import type { Lookup, LookupOf, Maps, Metrics, Sources } from './lookup.ts'
import type { MapBy } from './parameters.ts'
import { throttleByCost } from './throttleByCost.ts'

/** Reads the input of a lookup from a request: the community and the member in its path, and its query. */
export type ReadLookup = <id extends LookupId>(id: id, context: Context) => LookupOf<id>

/** Creates the reader of requests. It throws a `ProblemError` if the community or member does not exist. */
export function createLookupReader(sources: Sources): ReadLookup {
  type Entry = { community: Community; metrics: Metrics; maps: Maps }
  const entries = new Map(
    sources.communities.map((community): [string, Entry] => [
      community.id,
      { community, metrics: createMetrics(), maps: { members: createMap('members'), volume: createMap('volume') } },
    ]),
  )

  function readCommunity(id: string, view: IndexView) {
    const forest = requireCommunity(sources, id, view)
    return { ...(entries.get(id) as Entry), forest }
  }

  function readLookup(id: LookupId, { req }: Context): object {
    const view = requireView(sources)
    const lookup: Lookup<LookupId> = { view, sources, query: (name) => req.query(name), names: namesIn(req.queries()) }
    const { community, address } = req.param() as { community?: string; address?: string }
    if (community === undefined) return address === undefined ? lookup : { ...lookup, address: readAddress(address) }
    const entry = readCommunity(community, view)
    if (address === undefined) return { ...lookup, ...entry }
    if (id === 'memberEvents' || id === 'memberEventsCsv')
      return { ...lookup, ...entry, ...readNamed(entry.forest, entry.community, address) }
    return { ...lookup, ...entry, id: readMember(entry.forest, entry.community, address) }
  }

  // The path decides which of these a lookup has, as in `LookupOf`.
  return readLookup as ReadLookup
}

const namesIn = (queries: Record<string, string[]>): string[] =>
  Object.entries(queries).flatMap(([name, values]) => values.map(() => name))

/** Returns the data for lookups. Throws the problem `indexing` until the index is ready. */
export function requireView({ index }: Pick<Sources, 'index'>): IndexView {
  const view = index.view()
  if (view) return view
  const { progress, note } = index.status()
  const detail = note ?? 'The index is not ready: events are still being read from the chain. Try again later.'
  throw new ProblemError('indexing', detail, progress ? { progress } : {})
}

/** Returns the forest of a served community. Throws the problem `community_not_found` or `indexing`. */
export function requireCommunity(
  sources: Pick<Sources, 'index' | 'withheld'>,
  id: string,
  view = requireView(sources),
): Forest {
  const forest = view.forests.get(id)
  if (!forest) throw new ProblemError('community_not_found', 'There is no community with this id.')
  const reason = sources.withheld(id)
  if (reason) throw new ProblemError('indexing', reason)
  return forest
}

function createMap(by: MapBy): Maps[MapBy] {
  return throttleByCost(({ forest, view }) =>
    toMap(forest.map(null, { by, most: mapLimit, now: view.asOf.timestamp }), by),
  )
}

function createMetrics(): Metrics {
  return throttleByCost(({ forest, view }) => toMetrics(forest.metrics({ now: view.asOf.timestamp })))
}
