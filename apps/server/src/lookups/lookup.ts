import type { Community } from '@lineage/communities'
import type { Forest, MemberId, Slices } from '@lineage/forest'
import type { AsOf, BodyOf, JsonId, ParsedQueryOf, ResponseOf } from '@lineage/referral-api'
import type { LookupId, Routes } from '@lineage/referral-api/routes'
import type { Address } from 'viem'
import type { View } from '../follow/createFollower.ts'
import type { IndexState } from '../follow/createStatus.ts'
import type { WorkMeter } from './createSlicer.ts'
import type { ReadTransactions } from './createTransactionReader.ts'
import type { EventTables } from './eventTables.ts'
import type { FilePart } from './fileStream.ts'
import type { Named } from './findMember.ts'
import type { toMap, toMemberMetrics, toMetrics } from './serialize.ts'

/** Data for lookups. */
export type Sources = {
  communities: readonly Community[]
  /** Returns the newest state of a community; `undefined` while it is not served. */
  viewOf(community: string): View | undefined
  /** Returns the newest state of a community. @throws {ProblemError} `community_not_found`, `withheld`, `indexing` */
  requireView(community: string): View
  refusal: IndexState['refusal']
  tables: EventTables
  readTransactions: ReadTransactions
  /** Computes an answer in slices, until the visitor leaves. */
  inSlices: <answer>(slices: Slices<answer>) => Promise<answer>
  /** Counts the work that a lookup does after its first await, apart from slices. */
  meter: WorkMeter
  /** Resolves when the forests have followed the tables as they are now. @throws {ProblemError} `unavailable` */
  catchUp: () => Promise<void>
}

/** A request for a lookup. All of it belongs to one moment, until the next await. */
type Lookup<id extends LookupId> = {
  query: ParsedQueryOf<id>
  /** Block that the client has seen; 0 for none. */
  atLeast: number
  sources: Sources
}
type CommunityLookup<id extends LookupId> = Lookup<id> & {
  community: Community
  view: View
  forest: Forest
  drawings: Drawings
}
type MemberLookup<id extends LookupId> = CommunityLookup<id> & { id: MemberId }
type NamedLookup<id extends LookupId> = CommunityLookup<id> & Named
/** `oldest`: the oldest moment of the communities that are served. */
type AddressLookup<id extends LookupId> = Lookup<id> & { address: Address; oldest: AsOf }
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

/** Moment of an answer, and the version of the state for entity tags. */
export type Moment = Pick<View, 'asOf' | 'version'>

/** Omits `asOf` from each type of a union. */
type WithoutAsOf<answer> = answer extends unknown ? Omit<answer, 'asOf'> : never

export type Result<id extends LookupId> = {
  body: id extends JsonId ? WithoutAsOf<ResponseOf<id>> : ReadableStream<FilePart>
  /** Moment of the body, if it differs from that of the request. */
  moment?: Moment
  headers?: Record<string, string>
  /** `partial`: data is missing that a later request may return. `final`: it can no longer change. */
  state?: 'whole' | 'partial' | 'final'
}

/** Handlers by operation. The compiler requires one per lookup, and compares its body with the schema. */
export type Lookups = { [id in LookupId]: (lookup: LookupOf<id>) => Result<id> | Promise<Result<id>> }

/** Returns an output and its moment, which is not older than a block. */
type Draw<drawn> = (view: View, atLeast: number) => { moment: Moment; output: drawn }
/** Answers about a whole community by the time zone of their days, whose cost grows with the community. */
export type Drawings = (timeZone: string) => {
  metrics: { full: Draw<ReturnType<typeof toMetrics>>; members: Draw<ReturnType<typeof toMemberMetrics>> }
  maps: Record<'members' | 'volume', Draw<ReturnType<typeof toMap>>>
}
