import type { Forest, Level, Member, MemberId } from '@lineage/forest'
import type { BodyOf, JsonId, ResponseOf } from '@lineage/referral-api'
import type { LookupId, Routes } from '@lineage/referral-api/routes'
import type { Address } from 'viem'
import { checksumAddress } from '../../config/checksumAddress.ts'
import type { Community } from '../../config/index.ts'
import type { IndexReader } from './createIndexReader.ts'
import type { Tables } from './createTables.ts'
import type { ReadTransactions } from './createTransactionReader.ts'
import { findDatabaseFault } from './describeError.ts'
import { readEventsCursor, toEventsCursor } from './eventsCursor.ts'
import { findMember } from './findMember.ts'
import type { IndexView } from './indexState.ts'
import {
  type MapBy,
  type Query,
  readFilteredReferrals,
  readInterval,
  readLimit,
  readMapBy,
  readPage,
  readPair,
  readPrefix,
  readReferrals,
  readReferrers,
} from './parameters.ts'
import { answerPast, compare, pastLevels, pastMember, pastReferrals, pastReferrers } from './pastLookups.ts'
import type { Position } from './position.ts'
import { ProblemError } from './problems.ts'
import { readFilter } from './readFilter.ts'
import { mapLimit, toCard, toCommunity, toEvent, toMap, type toMetrics, toSummary } from './serialize.ts'
import { streamCsv } from './streamCsv.ts'
import type { throttleByCost } from './throttleByCost.ts'

/** What lookups read from. */
export type Sources = {
  communities: readonly Community[]
  index: Pick<IndexReader, 'view' | 'status'>
  tables: Pick<Tables, 'readBinds'>
  readTransactions: ReadTransactions
  /** Why a community is not served. */
  withheld(community: string): string | undefined
}

/** A request for a lookup. All of it belongs to one moment, until the next await. */
export type Lookup<id extends LookupId> = {
  view: IndexView
  query: Query<id>
  /** Names of all parameters, as often as they were given. */
  names: readonly string[]
  sources: Sources
}
type CommunityLookup<id extends LookupId> = Lookup<id> & {
  community: Community
  forest: Forest
  metrics: Metrics
  maps: Maps
}
type MemberLookup<id extends LookupId> = CommunityLookup<id> & { id: MemberId }
type AddressLookup<id extends LookupId> = Lookup<id> & { address: Address }
type BodyLookup<id extends LookupId> = BodyOf<id> extends undefined ? unknown : { body: BodyOf<id> }

/** A lookup has what its path names: a community, a member of it or an address, and a body if the contract does. */
export type LookupOf<id extends LookupId> = BodyLookup<id> &
  (Routes[id] extends `${string}{community}${string}{address}${string}`
    ? MemberLookup<id>
    : Routes[id] extends `${string}{community}${string}`
      ? CommunityLookup<id>
      : Routes[id] extends `${string}{address}${string}`
        ? AddressLookup<id>
        : Lookup<id>)

/** Of a union, each of its types. */
type WithoutAsOf<answer> = answer extends unknown ? Omit<answer, 'asOf'> : never

export type Result<id extends LookupId> = {
  body: id extends JsonId ? WithoutAsOf<ResponseOf<id>> : ReadableStream<Uint8Array>
  /** Moment of the body, where it is not that of the request. */
  view?: IndexView
  headers?: Record<string, string>
  /** `partial`: something is missing that a later request may return. */
  state?: 'whole' | 'partial'
}

/** Handlers by operation: the compiler asks for one per lookup, and compares its body with the schema. */
export type Lookups = { [id in LookupId]: (lookup: LookupOf<id>) => Result<id> | Promise<Result<id>> }

/** Computes the metrics of a community, whose cost grows with it. */
export type Metrics = ReturnType<
  typeof throttleByCost<{ forest: Forest; view: IndexView }, ReturnType<typeof toMetrics>>
>

/** Draws the map of a community, whose cost may grow with it. */
export type Maps = Record<
  MapBy,
  ReturnType<typeof throttleByCost<{ forest: Forest; view: IndexView }, ReturnType<typeof toMap>>>
>

export const lookups: Lookups = {
  communities: ({ view, sources: { communities, withheld } }) => ({
    body: {
      items: communities.map((community) => {
        const members = view.forests.get(community.id)?.counts.members ?? 0
        return toCommunity(community, withheld(community.id) ? 'indexing' : 'ready', members)
      }),
    },
  }),

  addresses: ({ view, address, sources: { communities, withheld } }) => ({
    body: {
      items: communities.map(({ id: community, name }) => {
        const forest = withheld(community) ? undefined : view.forests.get(community)
        const id = forest?.find(address)
        const member = forest && id !== undefined ? toCard(forest.member(id)) : null
        return { community, name, asOf: view.asOf, status: forest ? 'ready' : 'indexing', member }
      }),
    },
  }),

  metrics({ forest, view, metrics }) {
    const { input, output } = metrics({ forest, view })
    return { body: output, view: input.view }
  },

  map({ forest, view, query, maps }) {
    const { input, output } = maps[readMapBy(query)]({ forest, view })
    return { body: output, view: input.view }
  },

  teamMap({ forest, id, view, query }) {
    const by = readMapBy(query)
    return { body: toMap(forest.map(id, { by, most: mapLimit, now: view.asOf.timestamp }), by) }
  },

  search: ({ forest, query }) => ({
    body: { items: forest.searchPrefix(readPrefix(query), readLimit(query)).map(toSummary) },
  }),

  async events({ community, forest, view, query, sources: { tables } }) {
    const { limit, cursor } = readPage(query)
    const range = { block: view.asOf.block, before: readEventsCursor(cursor) }
    // One more than requested shows whether there is a next page.
    const rows = await tables.readBinds(community.id, range, limit + 1).catch((error: unknown) => {
      if (findDatabaseFault(error) === undefined) throw error
      throw new ProblemError(
        'unavailable',
        'The database does not respond, so events cannot be listed. Try again later.',
      )
    })
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return {
      body: {
        items: page.map((row) => toEvent(row, forest.statusAt(row))),
        nextCursor: last && rows.length > limit ? toEventsCursor(last) : null,
      },
    }
  },

  relation({ community, forest, query }) {
    const { a, b } = readPair({ forest, community, query })
    const { common, ...relation } = forest.relation(a, b)
    const addressOf = (id: MemberId) => checksumAddress(forest.summary(id).address)
    return { body: { a: addressOf(a), b: addressOf(b), ...relation, common: common && checksumAddress(common) } }
  },

  line({ community, forest, query }) {
    const { a, b } = readPair({ forest, community, query })
    const { items, nextCursor } = forest.line(a, b, readPage(query))
    return {
      body: { items: items.map((item) => ({ ...toSummary(item), step: item.step, side: item.side })), nextCursor },
    }
  },

  async batch({ community, forest, body: { addresses, tx }, sources: { readTransactions } }) {
    const found = addresses.map((input) => {
      const result = findMember(forest, community, input)
      return 'id' in result ? { member: forest.member(result.id), error: null } : { member: null, error: result.error }
    })
    const positions = found.map(({ member }) => member && positionOf(member))
    const txs = tx ? ((await readTransactions(community.id, positions)) ?? []) : undefined
    return {
      body: {
        items: found.map(({ member, error }, index) => ({
          input: addresses[index] as string,
          card: member && { ...toCard(member), ...(txs && { tx: txs[index] ?? null }) },
          error,
        })),
      },
    }
  },

  async member(lookup) {
    const past = answerPast(lookup, pastMember)
    if (past) return past
    const { community, forest, id, sources } = lookup
    const member = forest.member(id)
    const txs = await sources.readTransactions(community.id, [positionOf(member)])
    return { body: { ...toCard(member), tx: txs?.[0] ?? null }, state: txs ? 'whole' : 'partial' }
  },

  levels(lookup) {
    const { forest, id } = lookup
    const toLevel = ({ level, count, volume }: Level) => ({ level, count, volume: volume.toString() })
    return answerPast(lookup, pastLevels) ?? { body: { items: forest.levels(id).map(toLevel) } }
  },

  compare,

  growth({ forest, id, view, query }) {
    const interval = readInterval(query)
    return { body: { interval, items: forest.growth(id, { interval, now: view.asOf.timestamp }) } }
  },

  referrals(lookup) {
    const past = answerPast(lookup, pastReferrals)
    if (past) return past
    const { forest, id, query, names } = lookup
    const filter = readFilter(query, names)
    const { items, ...page } = filter
      ? forest.filteredReferrals(id, readFilteredReferrals(query, filter))
      : forest.referrals(id, readReferrals(query))
    return { body: { items: items.map((item) => ({ ...toSummary(item), level: item.level })), ...page } }
  },

  referralsCsv({ community, forest, id, query, names, sources: { index } }) {
    const address = checksumAddress(forest.summary(id).address)
    return {
      body: streamCsv(() => index.view()?.forests.get(community.id), address, readFilter(query, names)),
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="${community.id}-${address}.csv"`,
      },
    }
  },

  referrers(lookup) {
    const past = answerPast(lookup, pastReferrers)
    if (past) return past
    const { forest, id, query } = lookup
    const { items, nextCursor } = forest.referrers(id, readReferrers(query))
    return { body: { items: items.map(toSummary), nextCursor } }
  },
}

/** Position of a member's own bind; `null` for a placeholder. */
function positionOf({ block, logIndex }: Member): Position | null {
  return block === null || logIndex === null ? null : { block, logIndex }
}
