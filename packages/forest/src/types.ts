import type { Snapshot, SnapshotInput } from './snapshot.ts'

/** An address in lower case: `0x` and 40 hex digits. */
export type Address = `0x${string}`

/** Names a member or placeholder until the next `rollback`; not to be kept longer, nor shown. */
export type MemberId = number

/** What became of a bind. Only `bound` makes an edge (or a root); the others are counted and change nothing else. */
export type BindStatus = 'bound' | 'self' | 'duplicate' | 'cycle'

/** `member`: its own bind counts. `placeholder`: named as a referrer, never bound itself. */
export type MemberStatus = 'member' | 'placeholder'

/** Where an event stands on the chain. Events are handed in by rising `block`, then `logIndex`. */
export interface EventPosition {
  block: number
  logIndex: number
  /** Unix seconds, never falling from one event to the next. */
  timestamp: number
}

/** `0x` and 40 hex digits in any case; or, where there are millions, the twenty bytes as five words, the first bytes first. */
type AddressInput = string | Uint32Array

/** A uint256, in the token's smallest unit; or, where there are millions, its eight words, the least first. */
export type AmountInput = bigint | Uint32Array

export interface BindEvent extends EventPosition {
  member: AddressInput
  referrer: AddressInput
}

/** Volume or reward of one member. */
export interface AmountEvent extends EventPosition {
  member: AddressInput
  amount: AmountInput
}

/** A row of the tables, in log order. The forest keeps nothing of it: one object may be handed in again and again. */
export type ForestEvent =
  | ({ kind: 'bind' } & BindEvent)
  | ({ kind: 'volume' } & AmountEvent)
  | ({ kind: 'reward' } & AmountEvent)

export interface ForestParameters {
  /** Referrers that mean "no referrer", besides `0x0…0` and `0x…dEaD`. */
  sentinels?: readonly string[] | undefined
  /** `true`: a later bind moves the member to its new referrer. Otherwise the first bind stays for good. */
  rebind?: boolean | undefined
}

/** A member as a row of a list. */
export interface MemberSummary {
  address: Address
  status: MemberStatus
  /** `null` for a root. */
  referrer: Address | null
  /** 0 for a root. */
  depth: number
  /** Of the first bind; `null` for a placeholder. */
  joinedAt: number | null
  directs: number
  /** The whole downline, without the member itself. */
  team: number
  ownVolume: bigint
  /** Of the downline, without the member itself. */
  teamVolume: bigint
}

export interface Member extends MemberSummary {
  root: Address
  /** Of the first bind, as `logIndex`; both `null` for a placeholder. */
  block: number | null
  logIndex: number | null
  /** How many levels the downline has; 0 without one. */
  maxLevel: number
  /** Own and team volume of the direct referral whose sum is the greatest. */
  largestLeg: bigint
  /** `teamVolume − largestLeg`. */
  otherLegs: bigint
  rewards: bigint
}

export interface Level {
  /** Level 1 are the direct referrals. */
  level: number
  count: number
  volume: bigint
}

export type ReferralsSort = 'joined' | 'team' | 'volume'

export interface ReferralsParameters {
  /** 1 are the direct referrals; `all` is the whole downline. */
  level: number | 'all'
  /** `volume` is own and team volume together. Equals stand in join order. */
  sort: ReferralsSort
  order: 'asc' | 'desc'
  limit: number
  cursor?: string | null | undefined
}

export interface Referral extends MemberSummary {
  /** Counted from the member asked about. */
  level: number
}

export type GrowthInterval = 'day' | 'week' | 'month'

export interface GrowthParameters {
  interval: GrowthInterval
  /** Unix seconds; one before the newest event counts as that event's. */
  now: number
}

/** A day, week or month in the growth of a team. */
export interface Growth {
  /** The first UTC day of the period, as `2026-11-20`. Weeks begin on Mondays. */
  from: string
  /** Of today's downline, how many joined in the period. */
  members: number
  /** … and how many up to its end. */
  total: number
}

export interface ReferrersParameters {
  limit: number
  /** How many of the nearest a first page leaves out. Default: 0. */
  skip?: number | undefined
  cursor?: string | null | undefined
}

export interface Page<item> {
  items: item[]
  /** `null` on the last page. */
  nextCursor: string | null
}

export interface Period {
  members: number
  volume: bigint
  rewards: bigint
}

export interface Leader {
  address: Address
  directs: number
  team: number
  teamVolume: bigint
}

/** Every field of the HTTP contract's `metrics` but `asOf`, amounts as `bigint`. */
export interface Metrics {
  members: number
  /** Members and placeholders with at least one direct referral. */
  referrers: number
  /** Members without a referrer, and placeholders. */
  roots: number
  maxDepth: number
  /** Edges ÷ `referrers`; `null` without one. */
  averageDirects: number | null
  volume: bigint
  rewards: bigint
  last24h: Period
  last7d: Period
  last30d: Period
  dirty: { self: number; duplicate: number; cycle: number; placeholder: number }
  /** One row a UTC day, from the first member's to that of `now`, quiet days included. */
  series: { day: string; members: number; totalMembers: number; volume: bigint; rewards: bigint }[]
  depths: { depth: number; count: number }[]
  directsHistogram: { from: number; to: number | null; count: number }[]
  /** The ten greatest of each, none of them zero; equals in the order in which they were first seen. */
  leaders: { team: Leader[]; directs: Leader[]; volume: Leader[] }
}

export interface ForestCounts {
  members: number
  placeholders: number
  /** Members without a referrer, and placeholders. */
  roots: number
  self: number
  duplicate: number
  cycle: number
}

/** Bytes by part; `total` is their sum. Columns of amounts take none before the first amount. */
export interface ForestMemory {
  /** Tree links, depth, joins. */
  nodes: number
  /** The order of the snapshot, team sizes, join order. */
  slots: number
  addresses: number
  hash: number
  /** Addresses in order, for the search by prefix. */
  order: number
  ownVolume: number
  legVolume: number
  rewards: number
  timeline: number
  /** Where the binds stand that made no edge. */
  refusals: number
  total: number
  /** Of `total`, for each member and placeholder. */
  perMember: number
}

export type SnapshotJob =
  | { part: 'tree'; input: SnapshotInput }
  | { part: 'addresses'; words: Uint32Array; length: number }

export type SnapshotResult = { part: 'tree'; snapshot: Snapshot } | { part: 'addresses'; sorted: Uint32Array }

/** Work on a snapshot for a worker: `job` is posted to it, `finish` takes its answer. */
export interface SnapshotTask {
  job: SnapshotJob
  /** `false`: what happened meanwhile has made the answer worthless, and nothing was changed. */
  finish(result: SnapshotResult): boolean
}

/** The referral forest of one community. */
export interface Forest {
  /** Classifies a bind and, when `bound`, adds its edge or root. */
  bind(event: BindEvent): BindStatus
  addVolume(event: AmountEvent): void
  addReward(event: AmountEvent): void
  /** Undoes exactly every event in blocks above `toBlock`. Throws `RollbackError` below the committed block. */
  rollback(toBlock: number): void
  /** Hands in many events, as `bind`, `addVolume` and `addReward` would, and computes what follows from them once. */
  load(events: Iterable<ForestEvent>): void
  /** Blocks up to `block` are final: nothing in them is remembered for `rollback`, not even what is added later. */
  commit(block: number): void

  /** `undefined` for an address that is neither member nor placeholder. */
  find(address: string): MemberId | undefined
  member(id: MemberId): Member
  /** A member as a row of a list: cheaper than `member`. */
  summary(id: MemberId): MemberSummary
  levels(id: MemberId): Level[]
  /** How the team has grown, from its first join to `now`, quiet periods included; of those in it today. */
  growth(id: MemberId, parameters: GrowthParameters): Growth[]
  referrals(id: MemberId, parameters: ReferralsParameters): Page<Referral>
  /** From the member's referrer up to the root. */
  referrers(id: MemberId, parameters: ReferrersParameters): Page<MemberSummary>
  /** What became of the bind handed in at a position. */
  statusAt(position: Pick<EventPosition, 'block' | 'logIndex'>): BindStatus
  /** Members and placeholders by address, at least two hex digits after `0x`. */
  searchPrefix(prefix: string, limit: number): MemberSummary[]
  /** `now` in Unix seconds; one before the newest event counts as that event's. */
  metrics(parameters: { now: number }): Metrics

  /** Makes the snapshot that answers about large teams at once, in place; see `createSnapshots` for one in a worker. */
  takeSnapshot(): void
  /** Whether so much has changed since the last snapshot that another one is worth its while. */
  readonly isSnapshotDue: boolean
  /** Begins a part of a snapshot that a worker makes while queries and events go on. */
  beginSnapshot(part: SnapshotJob['part']): SnapshotTask

  readonly memory: ForestMemory
  readonly counts: ForestCounts
  /** Members and placeholders. */
  readonly size: number
  /** Rises with every change: an answer is as old as the version it was computed at. */
  readonly version: number
  /** The newest block committed; -1 before the first commit. */
  readonly finalBlock: number
}
