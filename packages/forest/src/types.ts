import type { Address } from './addresses/address.ts'

/** Identifies a member or placeholder until the next `rollback`. Do not store or show it. */
export type MemberId = number

/** Result of a bind. `bound` creates an edge or a root. The others are irregular: they are counted only. */
export type BindStatus = 'bound' | 'self' | 'duplicate' | 'cycle'

/** Whether a bind is of its block (`exact`), or of one up to it: by a log (`between`), or by a look at the contract (`observed`). */
export type Grade = 'exact' | 'between' | 'observed'

/** `member`: has been bound. `placeholder`: named as a referrer, but never bound itself. */
export type MemberStatus = 'member' | 'placeholder'

/** Position of an event on the chain. Events are added by ascending `block`, then `logIndex`. */
export interface EventPosition {
  block: number
  logIndex: number
  /** Unix seconds; at least those of the previous event. */
  timestamp: number
}

/** `0x` and 40 hex digits in any case; or, for fast loads, the twenty bytes as five words, first bytes first. */
export type AddressInput = string | Uint32Array

/** A uint256 in the token's smallest unit; or, for fast loads, its eight words, lowest first. */
export type AmountInput = bigint | Uint32Array

export interface BindEvent extends EventPosition {
  member: AddressInput
  /** `null` removes the member's referrer, for an unbind. It creates no member. */
  referrer: AddressInput | null
  /** With a grade other than `exact` the bind has no date. Default: `exact`. */
  grade?: Grade | undefined
  /** First block of which a bind that is not exact may be. Default: 0. */
  firstBlock?: number | undefined
}

/** A volume or reward of one member. */
export interface AmountEvent extends EventPosition {
  member: AddressInput
  amount: AmountInput
}

/** An event to load. The forest does not keep the object, so it may be reused for the next event. */
export type ForestEvent =
  | ({ kind: 'bind' } & BindEvent)
  | ({ kind: 'volume' } & AmountEvent)
  | ({ kind: 'reward' } & AmountEvent)

export interface ForestParameters {
  /** Referrers that mean "no referrer", in addition to `0x0…0` and `0x…dEaD`. */
  sentinels?: readonly string[] | undefined
  /** `true`: a later bind moves the member to its new referrer. Otherwise only the first bind counts. Default: `false`. */
  rebind?: boolean | undefined
}

/** A state of the forest that stays readable while events change it: see `hold`. */
export interface Hold {
  /** Number of members. */
  readonly members: number
  /** Number of addresses, with those that no bind has named. */
  readonly size: number
  /** Block of its newest event; -1 without one. */
  readonly block: number
}

export interface HeldParameters {
  /** Members in join order, or members without a referrer and placeholders in the order first seen. */
  list: 'members' | 'roots'
  /** 0, then `next` of the page before. */
  from: number
  limit: number
}

/** A member as it was when a hold began. */
export interface HeldMember extends MemberSummary, Pick<Member, 'root' | 'rewards'> {}

/** `next`: where the next page begins; `null` after the last one. A page of roots may be empty. */
export type HeldPage = { items: HeldMember[]; next: number | null }

/** A member as a row of a list. */
export interface MemberSummary {
  address: Address
  status: MemberStatus
  /** `null` for a root. */
  referrer: Address | null
  /** 0 for a root. */
  depth: number
  /** Unix seconds of the first bind; `null` for a placeholder, and for a member without a date. */
  joinedAt: number | null
  /** Grade of the first bind; `null` for a placeholder. */
  grade: Grade | null
  /** Block of the first bind, the last one it may be of, as `logIndex`; both `null` for a placeholder. */
  block: number | null
  logIndex: number | null
  /** First and last block that the first bind may be of, unless it is exact. */
  between: { from: number; to: number } | null
  directs: number
  /** Number of members in the downline. */
  team: number
  ownVolume: bigint
  /** Volume of the downline, without the member's own. */
  teamVolume: bigint
}

export interface Member extends MemberSummary {
  root: Address
  /** Number of levels of the downline. */
  maxLevel: number
  /** Volume of the largest leg: the own and team volume of one direct referral. */
  largestLeg: bigint
  /** `teamVolume − largestLeg`. */
  otherLegs: bigint
  rewards: bigint
}

export interface Level {
  /** 1 for the direct referrals. */
  level: number
  count: number
  volume: bigint
}

export type ReferralsSort = 'joined' | 'team' | 'volume'

export interface ReferralsParameters {
  /** 1 for the direct referrals, `all` for the whole downline. */
  level: number | 'all'
  /** `volume` is own and team volume together. Equal rows are in join order. */
  sort: ReferralsSort
  order: 'asc' | 'desc'
  limit: number
  cursor?: string | null | undefined
}

export type RootsParameters = Pick<ReferralsParameters, 'sort' | 'order' | 'limit' | 'cursor'>

export interface Referral extends MemberSummary {
  /** Level below the queried member. */
  level: number
}

/** All given conditions must hold. */
export interface ReferralsFilter {
  /** Unix seconds, inclusive. Members without a date do not match. */
  joinedFrom?: number | undefined
  joinedTo?: number | undefined
  /** Grades of the first bind. */
  grades?: readonly Grade[] | undefined
  /** Level below the queried member, inclusive. */
  levelFrom?: number | undefined
  levelTo?: number | undefined
  minTeam?: number | undefined
  /** Lower limit of own and team volume together. */
  minVolume?: bigint | undefined
  /** Unix seconds: the newest volume or reward is not older. */
  activeSince?: number | undefined
  /** `0x` and at least two hex digits. */
  prefix?: string | undefined
  /** All members of a downline have been bound, so `false` leaves none. */
  bound?: boolean | undefined
}

export interface FilteredReferralsParameters
  extends ReferralsFilter,
    Pick<ReferralsParameters, 'sort' | 'order' | 'limit' | 'cursor'> {
  /** `skip`: no count is needed, so that a page in join order costs less. Default: `count`. */
  total?: 'count' | 'skip' | undefined
}

/** `atLeast`: counting all takes too many steps. */
export type Count = { value: number; relation: 'exact' | 'atLeast' }

export interface FilteredPage extends Page<Referral> {
  /** Number of members that match the filter. */
  count: Count
  /** Number of members who match all but the times, and have no date. Zero without a filter of times. */
  undated: Count
}

/**
 * Returns the first seconds of all days of a time zone, weeks or months, from the one of a Unix time to the one of
 * another, ascending.
 */
export type Periods = (from: number, to: number) => readonly number[]

export interface GrowthParameters {
  periods: Periods
  /** Unix seconds; a time before the newest event counts as the time of that event. */
  now: number
}

/** Growth of a team in one period, without the members who have no date. */
export interface Growth {
  /** First second of the period. */
  from: number
  /** Members of today's downline who joined in the period. */
  members: number
  /** Members of today's downline who joined up to its end. */
  total: number
}

export interface ReferrersParameters {
  limit: number
  /** Number of nearest referrers to leave out of the first page. Default: 0. */
  skip?: number | undefined
  cursor?: string | null | undefined
}

/** Relation of member `a` to member `b`. */
export interface Relation {
  /** `above`: `a` is above `b`. `sideways`: both are below `common`. `unrelated`: they have different roots. */
  relation: 'same' | 'above' | 'below' | 'sideways' | 'unrelated'
  /** The nearest address at or above both. It is `null` for unrelated members, like the steps. */
  common: Address | null
  /** Steps from `a` up to `common`. */
  stepsA: number | null
  /** Steps from `b` up to `common`. */
  stepsB: number | null
}

export interface LineParameters {
  limit: number
  cursor?: string | null | undefined
}

/** A member on the line between two others. */
export interface LineStep extends MemberSummary {
  /** Number of steps from `a`. */
  step: number
  /** `a`: on the way up from `a`. `b`: on the way down to `b`. */
  side: 'a' | 'common' | 'b'
}

/**
 * An answer that is computed in slices of less than a millisecond: call `next` until it is done. Other queries and
 * events may run in between; the answer still belongs to one moment.
 */
export type Slices<answer> = Generator<undefined, answer, undefined>

/** `perhaps`: the bind that names the address has no date. */
export type Known = 'known' | 'unknown' | 'perhaps'

/** A moment after all events of a block or a second. */
export type Moment = { block: number } | { timestamp: number }

/** A row of a list at a past moment, without the figures of its downline. */
export type PastSummary = Omit<MemberSummary, 'team' | 'ownVolume' | 'teamVolume'>
/** A member of a comparison at one of its moments. */
export interface ComparedMember extends PastSummary, Pick<Member, 'root' | 'team' | 'maxLevel'> {}

/** A member on the line between two others at a past moment. */
export type PastLineStep = PastSummary & Pick<LineStep, 'step' | 'side'>

/** `amounts` also reads all amounts up to the moment, which takes as long as there are many of them in the whole forest. */
export interface PastOptions {
  amounts?: boolean | undefined
}

/** A member at a past moment; on request with all amounts up to then: its own, and those of the downline that it had then. */
export interface PastMember extends ComparedMember, Partial<Pick<Member, 'ownVolume' | 'teamVolume' | 'rewards'>> {
  teamRewards?: bigint
}

/** A level at a past moment, on request with its volume. */
export type PastLevel = Omit<Level, 'volume'> & Partial<Pick<Level, 'volume'>>

/** A direct referral at a past moment with the size of its downline; on request, and in an order by volume, with amounts. */
export interface PastDirect
  extends PastSummary,
    Pick<MemberSummary, 'team'>,
    Partial<Pick<MemberSummary, 'ownVolume' | 'teamVolume'>> {}

export interface PastDirectsParameters extends PastOptions {
  moment: Moment
  sort: ReferralsSort
  order: 'asc' | 'desc'
  limit: number
  cursor?: string | null | undefined
}

/** A member of a downline at a past moment; on request, and in an order by volume, with amounts. */
export interface PastReferral extends PastDirect {
  level: number
}

/** Selects the members of a downline at a past moment. A filter counts their teams and amounts of that moment. */
export interface PastDownlineParameters extends ReferralsFilter, PastOptions {
  moment: Moment
}

export interface PastReferralsParameters
  extends PastDownlineParameters,
    Pick<ReferralsParameters, 'sort' | 'order' | 'limit' | 'cursor'> {}

/** Members of a downline at a past moment, in join order. */
export interface PastDownline {
  length: number
  /** Returns whether a rollback may have changed them. */
  isStale(): boolean
  /** Reads the rows from `from` up to `end`. Throws `DownlineChangedError` after a rollback: ask again. */
  rows(from: number, end: number): PastReferral[]
}

export type PastPage = Page<PastReferral> & Pick<FilteredPage, 'count' | 'undated'>

/** Amounts of members in a period. */
export interface AmountSums {
  volume: bigint
  rewards: bigint
}

/** Amounts of a member in a period, and of those in its downline at the end of the period. */
export interface TeamAmounts {
  own: AmountSums
  team: AmountSums
}

export interface AmountsParameters extends MomentRange {
  periods?: Periods | undefined
}

/** Amounts of one day, week or month. */
export interface PeriodAmounts extends TeamAmounts {
  /** First second of the period. */
  from: number
}

/** A period: after the first moment, or from the beginning, up to the second. */
export interface MomentRange {
  from?: Moment | undefined
  to: Moment
}

export interface PeriodReferralsParameters
  extends ReferralsFilter,
    Pick<ReferralsParameters, 'order' | 'limit' | 'cursor'> {
  period: MomentRange
  /** Own and team amounts in the period together. Equal rows are in join order. */
  sort: 'periodVolume' | 'periodRewards'
}

export interface RisersParameters {
  period: MomentRange
  /** Growth of a team in the period: members who joined, volume or rewards. */
  by: 'members' | 'volume' | 'rewards'
  limit: number
}

/** A member whose team grew in a period. */
export interface Riser {
  address: Address
  /** Members or an amount, without the member's own. */
  value: bigint
  /** 1 for the greatest; equal members have the same. */
  rank: number
}

/** Place of a member. */
export interface Rank {
  /** One more than the number of those with a greater value, so that equal ones have the same. */
  rank: number
  /** Number of those with the same value, itself included. */
  equal: number
  /** Number of all who are ranked. */
  of: number
}

/** Places of a member by the size of its team, and by the number of its directs. */
export interface Ranks {
  /** Among the directs of its referrer; `null` for a root. */
  siblings: { team: Rank; directs: Rank } | null
  /** Among all members and placeholders. */
  community: { team: Rank; directs: Rank }
}

export interface ActivityParameters {
  /** First and last second. */
  from: number
  until: number
  periods: Periods
}

/** Number of members who did something in a period, each counted once. */
export interface Activity {
  /** First second of the period. */
  from: number
  /** Those who did any of the following. */
  active: number
  /** Members who were bound, without those who have no date. */
  bound: number
  /** Members with a volume. */
  bought: number
  /** Members under whom another was bound for the first time. */
  brought: number
}

/** Size of a leg at two moments, including the direct itself; 0 while it did not exist. */
export interface LegChange extends AmountSums {
  address: Address
  from: number
  to: number
}

/** A team at two moments. */
export interface Comparison {
  /** `null` before the first valid bind that named it. */
  from: ComparedMember | null
  to: ComparedMember | null
  /** Amounts after the first moment up to the second. */
  amounts: TeamAmounts
  /**
   * Members of the later team who were not in the earlier one: their number, how many of them may have joined before, and those who
   * joined last.
   */
  came: {
    count: number
    undated: number
    items: ({ address: Address; grade: Grade } & Pick<MemberSummary, 'joinedAt' | 'block' | 'logIndex' | 'between'>)[]
  }
  /** Number of members of the earlier team who were not in the later one. */
  left: number
  /** Legs that changed, the greatest changes first, with the amounts of the later leg between the moments. */
  legs: LegChange[]
  /** Number of all legs that changed. */
  legsChanged: number
}

export type Days = Periods

export interface MetricsParameters {
  /** Unix seconds, as for `growth`. */
  now: number
  /** Days of a time zone, which begin at quarters of an hour; by default of UTC. Rows are cached by this function. */
  days?: Days
}

export interface MapParameters {
  /** Measure of a leg's size: its members, or its own and team volume. */
  by: 'members' | 'volume'
  /** Most members drawn. */
  most: number
  /** Unix seconds, as for `growth`. */
  now: number
  /** Days of a time zone; by default of UTC. */
  days?: Days
}

/** Legs that are not drawn, as one band. */
export interface MapBand {
  legs: number
  members: number
  volume: bigint
  /** Members who joined on `since` or later. */
  recent: number
}

/** A drawn leg: a member with its downline. All figures include the member. */
export interface MapItem {
  address: Address
  /** Index of its referrer among the items; `null` for the first, and for the roots of the whole forest. */
  parent: number | null
  depth: number
  directs: number
  members: number
  volume: bigint
  recent: number
  /** The member's legs that are not drawn; `null` if all are drawn. */
  rest: MapBand | null
}

export interface TeamMap {
  /** First second of the growth, which begins with a day: that of `now` is the thirtieth. */
  since: number
  /** Referrers before their referrals. */
  items: MapItem[]
  /** Roots of the whole forest that are not drawn. */
  rest: MapBand | null
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

/** Network-wide figures: the HTTP API's `metrics` without `asOf`, with amounts as `bigint`. */
export interface Metrics {
  members: number
  /** Members and placeholders with at least one direct referral. */
  referrers: number
  /** Members without a referrer, and placeholders. */
  roots: number
  maxDepth: number
  /** Edges ÷ `referrers`; `null` if there are none. */
  averageDirects: number | null
  volume: bigint
  rewards: bigint
  last24h: Period
  /** The day of `now` and the days before it, as in `series`. */
  last7d: Period
  last30d: Period
  /** As long ago as each period is long: from its beginning up to the same second. */
  previous: { last24h: Period; last7d: Period; last30d: Period }
  dirty: { self: number; duplicate: number; cycle: number; placeholder: number }
  /** Members without a date, who are in no period and no day of the series. */
  undated: number
  /** One row for each day from the first dated member's to that of `now`, by its first second. */
  series: { from: number; members: number; totalMembers: number; volume: bigint; rewards: bigint }[]
  depths: { depth: number; count: number }[]
  directsHistogram: { from: number; to: number | null; count: number }[]
  /** The ten greatest of each, without zeros. Equal members are in the order first seen. */
  leaders: { team: Leader[]; directs: Leader[]; volume: Leader[] }
}

export interface PastMetricsParameters extends Pick<MetricsParameters, 'days'> {
  moment: Moment
}

/** Network-wide figures of a past moment. Leaders are in the same order as in `Metrics`. */
export interface PastMetrics extends Metrics {
  /** Last second of the periods: that of the moment; for a block, that of the newest join or amount up to it, 0 without any. */
  until: number
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

/** Bytes by part; `total` is their sum. Columns of amounts use no memory before the first amount. */
export interface ForestMemory {
  /** Tree links, depth, joins. */
  nodes: number
  /** Order of the snapshot, team sizes, join indexes. */
  slots: number
  addresses: number
  hash: number
  /** Addresses in sorted order, for the search by prefix. */
  order: number
  ownVolume: number
  legVolume: number
  rewards: number
  timeline: number
  /** Volumes and rewards in log order. */
  amounts: number
  /** The same by blocks of slots, once asked for. */
  amountBlocks: number
  /** Positions of irregular binds. */
  irregularBinds: number
  /** Moves of members who were already bound. */
  moves: number
  total: number
  /** `total` divided by the number of addresses. */
  perMember: number
}
