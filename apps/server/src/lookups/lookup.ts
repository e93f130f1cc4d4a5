import type { Forest, MemberId } from '@lineage/forest'
import type { BodyOf, JsonId, ResponseOf } from '@lineage/referral-api'
import type { LookupId, Routes } from '@lineage/referral-api/routes'
import type { Address } from 'viem'
import type { Community } from '../../../config/index.ts'
import type { toMap, toMetrics } from '../http/serialize.ts'
import type { IndexReader } from '../reader/createIndexReader.ts'
import type { IndexView } from '../reader/indexState.ts'
import type { Tables } from '../tables/createTables.ts'
import type { InSlices } from './createSlicer.ts'
import type { ReadTransactions } from './createTransactionReader.ts'
import type { Named } from './findMember.ts'
import type { MapBy, Query } from './parameters.ts'
import type { throttleByCost } from './throttleByCost.ts'

/** Data for lookups. */
export type Sources = {
  communities: readonly Community[]
  index: Pick<IndexReader, 'view' | 'status'>
  tables: Pick<Tables, 'readBinds' | 'readMemberEvents'>
  readTransactions: ReadTransactions
  inSlices: InSlices
  /** Returns the reason why a community is not served. */
  withheld(community: string): string | undefined
}

/** A request for a lookup. All of it belongs to one moment, until the next await. */
export type Lookup<id extends LookupId> = {
  view: IndexView
  query: Query<id>
  /** Names of all parameters, repeated as often as given. */
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
type NamedLookup<id extends LookupId> = CommunityLookup<id> & Named
type AddressLookup<id extends LookupId> = Lookup<id> & { address: Address }
type BodyLookup<id extends LookupId> = BodyOf<id> extends undefined ? unknown : { body: BodyOf<id> }

/**
 * Input of a lookup. Its path decides whether that has a community, a member, an address in a community or an address;
 * the contract decides whether it has a body.
 */
export type LookupOf<id extends LookupId> = BodyLookup<id> &
  (Routes[id] extends `${string}{community}${string}{address}/events${string}`
    ? NamedLookup<id>
    : Routes[id] extends `${string}{community}${string}{address}${string}`
      ? MemberLookup<id>
      : Routes[id] extends `${string}{community}${string}`
        ? CommunityLookup<id>
        : Routes[id] extends `${string}{address}${string}`
          ? AddressLookup<id>
          : Lookup<id>)

/** Omits `asOf` from each type of a union. */
type WithoutAsOf<answer> = answer extends unknown ? Omit<answer, 'asOf'> : never

export type Result<id extends LookupId> = {
  body: id extends JsonId ? WithoutAsOf<ResponseOf<id>> : ReadableStream<Uint8Array>
  /** Moment of the body, if it differs from that of the request. */
  view?: IndexView
  headers?: Record<string, string>
  /** `partial`: data is missing that a later request may return. */
  state?: 'whole' | 'partial'
  /** Milliseconds of work after the first await. */
  work?: number
}

/** Handlers by operation. The compiler requires one per lookup, and compares its body with the schema. */
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
