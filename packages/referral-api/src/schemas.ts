/**
 * Schemas of the HTTP API below `/v1`: its responses, request bodies and problems.
 *
 * Addresses are returned with their EIP-55 checksum. Amounts are decimal strings in the token's smallest unit.
 * Times are Unix seconds. Days are of the zone that the query names, written `YYYY-MM-DD`.
 */
import * as z from 'zod'
import { addressPattern } from './address.ts'
import { amountKinds, byAmountKind } from './amounts.ts'
import { cleanLabelText, countCharacters, labelLimit, labelTextLimit } from './labels.ts'
import { batchLimit, problems } from './problems.ts'
import type { OperationId } from './routes.ts'

/** An address. Responses use its EIP-55 checksum. */
export const address = z.string().regex(addressPattern)
export const hash = z.string().regex(/^0x[0-9a-f]{64}$/)
/** An amount in the token's smallest unit. */
export const amount = z.string().regex(/^\d+$/)
const count = z.int().nonnegative()
const timestamp = z.int().nonnegative()

/** A name for all languages, or names by language: `{ 'zh-CN': '示例社区', en: 'Demo' }`. */
export const localName = z.union([z.string(), z.record(z.string(), z.string())])

/** The block of a response. */
export const asOf = z.object({ block: count, timestamp, finalizedBlock: count })

/**
 * How well the block of a bind is known. `exact`: an event or the contract's states show it. `between` and `observed`: the
 * contract returned the referrer, but none at an earlier block: at a log that names the member, or in a sweep over all members.
 */
export const grade = z.enum(['exact', 'between', 'observed'])
/** First and last block that a bind may be of; `null` if it is exact. Other binds have no date. */
const between = z.object({ from: count, to: count }).nullable()

/** Kinds of events of a member. `bind`: a bind or unbind of its own. `referral`: another address names it as the referrer. */
export const memberEventKind = z.enum(['bind', 'referral', ...amountKinds])

export const token = z.object({ symbol: z.string(), decimals: z.int().min(0).max(36) })

/** Why a community is not served until its configuration is corrected. The warning of the same kind says more. */
export const withheldReason = z.enum(['arguments_swapped', 'referrers_mostly_differ', 'binds_contradict', 'start_late'])

/** `withheld`: what was read contradicts the contract. Waiting does not help. */
const communityStatus = z.enum(['indexing', 'ready', 'withheld'])

export const community = z.object({
  id: z.string(),
  name: localName,
  contract: address,
  chainId: z.int(),
  startBlock: count,
  members: count,
  status: communityStatus,
  /** With the status `withheld`; otherwise `null`, and while a reader that has just started looks for the reason. */
  withheld: withheldReason.nullable(),
  tokens: z.object(byAmountKind(() => token.nullable())),
  /** The call that returns a member's referrer, for checks on chain; `null` if no single call does. */
  parent: z
    .object({
      contract: address,
      /** Signature of the view. */
      view: z.string(),
      /** Values of its inputs; `null` for the one that takes the member. */
      args: z.array(z.union([z.string(), z.int(), z.boolean()]).nullable()),
      /** Positions that lead to the referrer: the output, then those in its tuple or list. */
      output: z.array(count),
    })
    .nullable(),
  /** Grades that binds of the community may have. Only `exact` if its contract announces them. */
  grades: z.array(grade),
  /** Base URL of a block explorer, without a trailing slash. */
  explorer: z.string().nullable(),
})

export const communities = z.object({ asOf, items: z.array(community) })

/** `member`: has its own bind on chain. `placeholder`: named as a referrer, but not bound itself. */
export const memberStatus = z.enum(['member', 'placeholder'])

export const member = z.object({
  asOf,
  address,
  status: memberStatus,
  /** `null` for a root. */
  referrer: address.nullable(),
  root: address,
  /** 0 for a root. */
  depth: count,
  /** Time of the member's own bind. Time and block are `null` for a placeholder, and for a bind that is not exact. */
  joinedAt: timestamp.nullable(),
  /** Grade of the member's own bind; `null` for a placeholder. */
  grade: grade.nullable(),
  block: count.nullable(),
  /** Place of the bind's log in its block, from 1,073,741,824 on if no log names the bind; `null` with the block. */
  logIndex: count.nullable(),
  /** `null` if no log names the bind, and if the database does not return it in time: then request it again later. */
  tx: hash.nullable(),
  /** Bounds of the block of the member's own bind; `null` if it is exact. */
  between,
  directs: count,
  /** Size of the whole downline, without the member itself. */
  team: count,
  /** Number of levels in the downline; 0 if it is empty. */
  maxLevel: count,
  ownVolume: amount,
  /** Volume of the downline, without the member itself. */
  teamVolume: amount,
  /** Own plus team volume of the direct referral with the largest sum. */
  largestLeg: amount,
  /** `teamVolume − largestLeg`. */
  otherLegs: amount,
  rewards: amount,
})

export const levels = z.object({
  asOf,
  /** Level 1 contains the direct referrals. */
  items: z.array(z.object({ level: z.int().positive(), count, volume: amount })),
})

/** A member as a list item, with `tx` only if requested. */
export const memberSummary = member
  .omit({ asOf: true, root: true, between: true, maxLevel: true, largestLeg: true, otherLegs: true, rewards: true })
  .partial({ tx: true })

/** `atLeast`: counting all of them would take too long. */
const matches = z.object({ value: count, relation: z.enum(['exact', 'atLeast']) })

/** Volume and rewards of members in a period. */
const amountSums = z.object({ volume: amount, rewards: amount })
/** Amounts of a member in a period, and of those who are in its downline at the end of the period, without itself. */
const teamAmounts = z.object({ own: amountSums, team: amountSums })

export const referrals = z.object({
  asOf,
  /** `level` counts from the requested member; its direct referrals are level 1. */
  items: z.array(
    memberSummary.extend({
      level: z.int().positive(),
      /** Amounts of the range; only present with `from`, `to` or an order by them. */
      amounts: teamAmounts.optional(),
    }),
  ),
  nextCursor: z.string().nullable(),
  /** Number of members that match the filter; only present with a filter, or an order by the amounts of a range. */
  count: matches.optional(),
  /**
   * Number of members without a date who match all but `joinedFrom` and `joinedTo`, and are left out; only present with a filter.
   */
  undated: matches.optional(),
})

export const roots = z.object({
  asOf,
  /** Members without a referrer, and placeholders. */
  items: z.array(memberSummary),
  nextCursor: z.string().nullable(),
  /** Number of all roots. */
  count,
})

export const referrers = z.object({
  asOf,
  /** The upline, from the member's referrer to the root. */
  items: z.array(memberSummary),
  nextCursor: z.string().nullable(),
})

export const relation = z.object({
  asOf,
  a: address,
  b: address,
  /** `above`: a is above b. `sideways`: both are below `common`. `unrelated`: they have different roots. */
  relation: z.enum(['same', 'above', 'below', 'sideways', 'unrelated']),
  /** The nearest address at or above both. It is `null` for unrelated members, like the steps. */
  common: address.nullable(),
  /** Steps from a up to `common`. */
  stepsA: count.nullable(),
  /** Steps from b up to `common`. */
  stepsB: count.nullable(),
})

export const line = z.object({
  asOf,
  /** Empty if the two members are unrelated. */
  items: z.array(
    memberSummary.extend({
      /** 0 for a. */
      step: count,
      /** `a`: on the way up from a. `b`: on the way down to b. */
      side: z.enum(['a', 'common', 'b']),
    }),
  ),
  nextCursor: z.string().nullable(),
})

/** The requested moment: a block, or a second. */
const at = z.object({
  block: count.nullable(),
  timestamp: timestamp.nullable(),
  /**
   * Addresses whose place at that moment is not known: their bind, or last move, is not exact and may be of before it, but counts as later.
   * Counted are the requested address, its upline and its downline; for two addresses, these and both uplines, then and today; for a
   * community, all addresses.
   */
  undated: count,
})

/** A member at a past moment. */
const memberThen = member.pick({
  address: true,
  status: true,
  referrer: true,
  root: true,
  depth: true,
  joinedAt: true,
  grade: true,
  block: true,
  logIndex: true,
  between: true,
  directs: true,
  team: true,
  maxLevel: true,
})
const summaryThen = memberThen
  .omit({ root: true, between: true, team: true, maxLevel: true })
  .extend({ tx: hash.nullable().optional() })

export const pastMember = memberThen.extend({
  asOf,
  at,
  /** Amounts of all time up to that moment, of the member and of the downline that it had then; only present with `amounts=true`. */
  ...member.pick({ ownVolume: true, teamVolume: true, rewards: true }).partial().shape,
  teamRewards: amount.optional(),
})
export const pastLevels = levels.extend({
  at,
  /** `volume` is only present with `amounts=true`. */
  items: z.array(levels.shape.items.element.partial({ volume: true })),
})
export const pastReferrers = z.object({ asOf, at, items: z.array(summaryThen), nextCursor: z.string().nullable() })
export const pastReferrals = z.object({
  asOf,
  at,
  /**
   * `teamVolume` is that of the downline at that moment, up to then. Both volumes are only present with `amounts=true`, and in an order
   * by volume, and with `minVolume`.
   */
  items: z.array(referrals.shape.items.element.omit({ amounts: true }).partial({ ownVolume: true, teamVolume: true })),
  nextCursor: z.string().nullable(),
  /** As for the present; filters count the teams, amounts and activity of that moment. */
  count: matches.optional(),
  undated: matches.optional(),
})

export const pastRelation = relation.extend({ at })
export const pastLine = line.extend({
  at,
  items: z.array(summaryThen.extend(line.shape.items.element.pick({ step: true, side: true }).shape)),
})

// The schema of a past moment is tried first: the schema of the present would accept its empty list and drop `at`.
export const memberAnswer = z.union([pastMember, member])
export const levelsAnswer = z.union([pastLevels, levels])
export const referralsAnswer = z.union([pastReferrals, referrals])
export const referrersAnswer = z.union([pastReferrers, referrers])
export const relationAnswer = z.union([pastRelation, relation])
export const lineAnswer = z.union([pastLine, line])

export const compare = z.object({
  asOf,
  /** Before the first day, or after the first block; `null` before the first valid bind that named the member. */
  from: z.object({ at, member: memberThen.nullable() }),
  to: z.object({ at, member: memberThen.nullable() }),
  /** Amounts after `from` up to `to`, of the member and of the later team. */
  amounts: teamAmounts,
  /** Members of the later team who were not in the earlier one: their number, and the fifty who joined last. */
  came: z.object({
    count,
    /** How many of them have no date, and may have joined before `from`. */
    undated: count,
    items: z.array(
      z.object({ address, joinedAt: timestamp.nullable(), grade, block: count.nullable(), logIndex: count.nullable() }),
    ),
  }),
  /** Number of members of the earlier team who were not in the later one. */
  left: count,
  /**
   * Sizes of legs including their directs, 0 while a leg did not exist: the fifty greatest changes. Amounts are those of the later leg in the
   * period.
   */
  legs: z.array(amountSums.extend({ address, from: count, to: count })),
  /** Number of all legs that changed. */
  legsChanged: count,
})

export const growthInterval = z.enum(['day', 'week', 'month'])

export const growth = z.object({
  asOf,
  interval: growthInterval,
  /** Time zone of the days. */
  tz: z.string(),
  /** Members of today's downline without a date, who are in no period. */
  undated: count,
  /** One item per period, from the first join in today's downline to `asOf`, including periods without a join. */
  items: z.array(
    z.object({
      /** First day of the period; weeks begin on Mondays. */
      from: z.iso.date(),
      /** Members of today's downline who joined in the period. */
      members: count,
      /** Members of today's downline who joined up to the end of the period. */
      total: count,
    }),
  ),
})

/** A moment: a block, or a second. */
const moment = z.object({ block: count.nullable(), timestamp: timestamp.nullable() })

export const amounts = z.object({
  asOf,
  interval: growthInterval,
  /** Time zone of the days. */
  tz: z.string(),
  /** The range begins after this moment; `null` for the beginning. */
  after: moment.nullable(),
  /** The end of the range, which decides who is in the team. */
  to: at,
  /** Amounts of the range. */
  ...teamAmounts.shape,
  /** One item per period, from the first with an amount to the last one of the community, including periods without any. */
  items: z.array(
    teamAmounts.extend({
      /** First day of the period; weeks begin on Mondays. */
      from: z.iso.date(),
    }),
  ),
})

/** Place of a member: one more than the number of those with a greater value. */
const rank = z.object({
  rank: z.int().positive(),
  /** Number of those with the same value, itself included. */
  equal: z.int().positive(),
  /** Number of all who are ranked. */
  of: z.int().positive(),
})
const places = z.object({
  /** By the size of the team. */
  team: rank,
  /** By the number of direct referrals. */
  directs: rank,
})

export const ranks = z.object({
  asOf,
  address,
  /** Among the direct referrals of its referrer; `null` for a root. */
  siblings: places.nullable(),
  /** Among all members and placeholders. */
  community: places,
})

export const risers = z.object({
  asOf,
  by: z.enum(['members', 'volume', 'rewards']),
  /** The range begins after this moment; `null` for the beginning. */
  after: moment.nullable(),
  to: moment,
  /** Members without a date who may have joined in the range, and are not counted. */
  undated: count,
  /** The greatest first: of a team, those who are in it at the end of the range. Equal members have the same rank. */
  items: z.array(
    z.object({
      address,
      rank: z.int().positive(),
      /** Members of the team who joined in the range; only present for `members`. */
      members: count.optional(),
      /** Amount of the team, without the member's own; only present for `volume`. */
      volume: amount.optional(),
      /** The same for `rewards`. */
      rewards: amount.optional(),
    }),
  ),
})

export const activity = z.object({
  asOf,
  interval: growthInterval,
  /** Time zone of the days. */
  tz: z.string(),
  /** First and last second. */
  from: timestamp,
  to: timestamp,
  /** Members without a date, of those at `to`, who are in no period as `bound`. */
  undated: count,
  /** One item per period. Each member of the community, or of the downline, at `to` is counted once. */
  items: z.array(
    z.object({
      /** First day of the period; weeks begin on Mondays. */
      from: z.iso.date(),
      /** Members who did any of the following. */
      active: count,
      /** Members who were bound. */
      bound: count,
      /** Members with a volume. */
      bought: count,
      /** Members under whom another one was bound for the first time. */
      brought: count,
    }),
  ),
})

/** A member without `asOf`, and with `tx` only if requested. */
const card = member.omit({ asOf: true }).partial({ tx: true })

export const addresses = z.object({
  asOf,
  /** One item per community, in the order of the configuration. */
  items: z.array(
    z.object({
      /** The community's id. */
      community: z.string(),
      name: localName,
      asOf,
      /** `indexing`: the community is not served at the moment, so its `member` is unknown. */
      status: communityStatus,
      /** `null` for an address that is not a member. */
      member: card.nullable(),
    }),
  ),
})

/** Legs that are not drawn, as one band. */
const mapBand = z.object({
  legs: count,
  /** Includes placeholders, which are roots. */
  members: count,
  /** Own and team volume. */
  volume: amount,
  /** Members who joined on `since` or later. */
  recent: count,
})

/** A map of a downline in at most 50 kB: up to 120 of its largest legs, and the sum of the other legs of each. */
export const map = z.object({
  asOf,
  by: z.enum(['members', 'volume']),
  /** Time zone of the days. */
  tz: z.string(),
  /** First of the thirty days of the growth, the last of which is that of `asOf`. */
  since: z.iso.date(),
  /** Items, referrers before their referrals. All figures of an item include the member itself. */
  items: z.array(
    mapBand.omit({ legs: true }).extend({
      address,
      /**
       * Index of the member's referrer in `items`; `null` for the requested member, and for the roots of a community.
       */
      parent: count.nullable(),
      depth: count,
      directs: count,
      /** The member's legs that are not drawn; `null` if all are drawn. */
      rest: mapBand.nullable(),
    }),
  ),
  /** Roots of the community that are not drawn; `null` for a team. */
  rest: mapBand.nullable(),
})

/** Strict, so that no moment in it is ignored. */
export const batchRequest = z.strictObject({
  addresses: z.array(z.string()).max(batchLimit),
  /** Include transactions. They are read from the database instead of memory, which is several times slower. */
  tx: z.boolean().optional(),
})

export const batch = z.object({
  asOf,
  /** One item per requested address, in the same order. */
  items: z.array(
    z.object({
      /** The address as requested. */
      input: z.string(),
      /** The member without `asOf`, and with `tx` only if requested; `null` with an `error`. */
      card: card.nullable(),
      error: z.object({ code: z.enum(['invalid_address', 'member_not_found']), detail: z.string() }).nullable(),
    }),
  ),
})

/**
 * `bound` counts. The others change nothing: bound to itself (`self`), already bound, or an unbind of an address that
 * is not bound (`duplicate`), bound to its own downline (`cycle`).
 */
const bindStatus = z.enum(['bound', 'self', 'duplicate', 'cycle'])

/** A bind, whether it counts or not. */
const bindEvent = z.object({
  /** The member that the event binds. */
  address,
  /** The referrer in the event, which may be a sentinel. The zero address for an unbind. */
  referrer: address,
  status: bindStatus,
  /** The last block that a bind may be of, and its place there: from 1,073,741,824 on if no log names it. */
  block: count,
  logIndex: count,
  /** `null` for a bind that is not exact. */
  timestamp: timestamp.nullable(),
  /** `null` if no log names the bind. */
  tx: hash.nullable(),
  grade,
  between,
})

export const events = z.object({
  asOf,
  /** With `order=asc`: the cursor with which to ask for what comes after these events, now or later. */
  resume: z.string().optional(),
  /** Events, newest first unless asked otherwise. */
  items: z.array(bindEvent),
  nextCursor: z.string().nullable(),
})

/** The member in whose team an address is, or which it is itself: the nearer one of both. */
const side = z.enum(['a', 'b']).nullable()

export const pairBinds = z.object({
  asOf,
  /** Binds and teams are of this moment. */
  at,
  a: address,
  b: address,
  /** The oldest first. A page may have fewer than `limit`. */
  items: z.array(
    bindEvent.extend({
      memberSide: side,
      referrerSide: side,
      /** The bind that counted when this irregular one came; `null` if none of the member's last 1,000 did. */
      held: bindEvent.omit({ address: true, status: true }).extend({ referrerSide: side }).nullable(),
    }),
  ),
  nextCursor: z.string().nullable(),
})

export const memberEvents = z.object({
  asOf,
  /** Events, newest first. */
  items: z.array(
    z.object({
      kind: memberEventKind,
      /** The member that the event binds, or that the reward or volume belongs to. */
      address,
      /** As in `/events`; `null` for a reward or volume, like `status`. */
      referrer: address.nullable(),
      status: bindStatus.nullable(),
      /** Amount of a reward or volume; `null` for a bind. */
      amount: amount.nullable(),
      /** The address that caused a reward, if the contract’s event names it; `null` for all other events. */
      from: address.nullable(),
      /** The last block that a bind may be of, and its place there: from 1,073,741,824 on if no log names it. */
      block: count,
      logIndex: count,
      /** `null` for a bind that is not exact. */
      timestamp: timestamp.nullable(),
      /** `null` if no log names the bind. */
      tx: hash.nullable(),
      grade,
      between,
    }),
  ),
  nextCursor: z.string().nullable(),
})

export const search = z.object({
  asOf,
  items: z.array(memberSummary),
  /** Whether more members match than are listed. */
  more: z.boolean(),
})

const period = z.object({ members: count, volume: amount, rewards: amount })
const seriesDay = z.object({
  day: z.iso.date(),
  members: count,
  totalMembers: count,
  volume: amount,
  rewards: amount,
})
const leader = z.object({ address, directs: count, team: count, teamVolume: amount })

export const metrics = z.object({
  asOf,
  /** Time zone of the days. */
  tz: z.string(),
  /** Without placeholders. */
  members: count,
  /** Members and placeholders with at least one direct referral. */
  referrers: count,
  /** Members without a referrer, and placeholders. */
  roots: count,
  maxDepth: count,
  /** Edges ÷ `referrers`; `null` if there are none. */
  averageDirects: z.number().nonnegative().nullable(),
  volume: amount,
  rewards: amount,
  /** New members and amounts in the 24 hours before `asOf`. */
  last24h: period,
  /** New members and amounts in 7 and 30 days, the last of which is that of `asOf`: the last rows of `series`. */
  last7d: period,
  last30d: period,
  /** As long ago as each period is long, from its beginning up to the same second: this week against the last one. */
  previous: z.object({ last24h: period, last7d: period, last30d: period }),
  /** Irregular binds (`self`, `duplicate`, `cycle`), and referrers that are not bound themselves. */
  dirty: z.object({ self: count, duplicate: count, cycle: count, placeholder: count }),
  /** Members without a date, who are in no period and no day: the contract was asked for their referrers later. */
  undated: count,
  /** One row per day, from the first dated bind to the day of `asOf`, including days without a bind. */
  series: z.array(seriesDay),
  /** Members and placeholders by depth; roots have depth 0. */
  depths: z.array(z.object({ depth: count, count })),
  /** Number of members and placeholders with `from` to `to` direct referrals; `to` is `null` in the last, open row. */
  directsHistogram: z.array(z.object({ from: count, to: count.nullable(), count })),
  /** The top ten of each. */
  leaders: z.object({ team: z.array(leader), directs: z.array(leader), volume: z.array(leader) }),
})

/** The same at a past moment, with the periods and days up to then. */
export const pastMetrics = metrics.extend({
  at,
  /** Last second of the periods: that of the moment; for a block, that of the newest bind or amount up to it. */
  until: timestamp,
})
export const metricsAnswer = pastMetrics.partial({ at: true, until: true }).extend({
  /** With `series=members`, days only have their new members. */
  series: z.array(seriesDay.partial({ totalMembers: true, volume: true, rewards: true })),
})

/** Progress until lookups are ready. `total` may grow. */
export const progress = z.object({
  /** `chain`: creating the demo chain. `indexing`: reading events from the chain. `loading`: reading tables into memory. */
  phase: z.enum(['starting', 'chain', 'indexing', 'loading']),
  done: count,
  total: count,
})

/** A fault that the operator should fix. */
export const warning = z.object({
  /**
   * `node_…`: the node does not respond; is on another chain; refuses `eth_getLogs`; lacks the first block; has
   * stopped following the chain; rate-limits or fails many requests; returned wrong events, or blocks that cannot be checked.
   * `blocks_unconfirmed`: nothing proves the events of some blocks. Others concern a community: the contract's view returns
   * other referrers than the events, also for so many members that the community is withheld, or the opposite, or
   * nothing, so that the order of the arguments is not confirmed; too many binds name another referrer of the same
   * member; the first block is later than the first binds; the events do not have the configured arguments, or there are none; rows of its tables were lost.
   * `chain_replaced`: the nodes serve another chain or fork than the one that was indexed. Others concern the
   * service: no reader reports; the newest block is old; the accounts' database fails.
   */
  kind: z.enum([
    'node_silent',
    'node_other_chain',
    'node_without_logs',
    'node_without_history',
    'node_behind',
    'node_limiting',
    'node_failing',
    'node_wrong',
    'node_unverified',
    'blocks_unconfirmed',
    'referrers_differ',
    ...withheldReason.options,
    'parent_view_unreadable',
    'order_unconfirmed',
    'events_unreadable',
    'events_absent',
    'tables_damaged',
    'chain_replaced',
    'reader_silent',
    'accounts_unavailable',
  ]),
  /** Position and host of the node, such as `node 1 (bsc.example)`. */
  node: z.string().nullable(),
  /** The community's id. */
  community: z.string().nullable(),
  /** First and last block that it concerns, if it concerns some only. */
  blocks: z.object({ from: count, to: count }).optional(),
  /** Explanation and advice, in English. */
  message: z.string(),
})

/** Parses a list and keeps the items that this version knows: another version of the service may send others. */
export const knownItems = <schema extends z.ZodType>(item: schema) =>
  z.array(z.unknown()).transform((all): z.output<schema>[] =>
    all.flatMap((one) => {
      const read = item.safeParse(one)
      return read.success ? [read.data] : []
    }),
  )

/** Reason why the index may be unavailable or out of date. */
export const reason = z.object({
  /**
   * `stale`: the newest block is too old. `index_stuck`: the index does not follow the nodes. `reader_silent`: no reader
   * writes to the index. `chain_replaced`, `tables_damaged`, `indexing`, `stale` and `index_stuck` mean that `/ready` returns 503.
   */
  code: z.enum([
    'chain_replaced',
    'tables_damaged',
    'disk_full',
    'database_unavailable',
    'nodes_unavailable',
    'indexing',
    'stale',
    'index_stuck',
    'reader_silent',
    'community_withheld',
  ]),
  /** The community's id, with `community_withheld`. */
  community: z.string().nullable(),
  /** Explanation, in English. */
  message: z.string(),
  /** Time since which the reason holds, and its age in seconds. */
  since: timestamp,
  age: count,
})

/** Results of comparing members' referrers with the contract, since the reader started. */
export const spotCheck = z.object({
  community: z.string(),
  checked: count,
  /** Members for which the contract returns another referrer than the events. */
  differing: count,
  /** Members for which the contract or the nodes returned nothing. */
  unreadable: count,
  /** A member that differs, until a later check agrees. */
  example: z.object({ address, referrer: address.nullable(), onChain: address }).nullable(),
})

export const status = z.object({
  state: z.enum(['starting', 'indexing', 'ready']),
  progress: progress.nullable(),
  asOf: asOf.nullable(),
  /** Newest block that the node has reported. */
  headBlock: count.nullable(),
  /** Reason why the index is not ready yet, in English; `null` if there is none. */
  note: z.string().nullable(),
  warnings: z.array(warning),
  reasons: z.array(reason).optional(),
  spotChecks: z.array(spotCheck),
})

/** The signed-in account; `null` for a guest. */
export const session = z
  .object({
    address,
    chainId: z.int(),
    /** Unix milliseconds. */
    expiresAt: count,
  })
  .nullable()

export const nonce = z.object({ nonce: z.string() })

/** An EIP-4361 message and its signature. */
export const signedMessage = z.object({ message: z.string(), signature: z.string() })

/** A JSON-RPC 2.0 call. */
const rpcCall = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).optional(),
})
const rpcResult = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]),
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string() }).optional(),
})
export const rpcRequest = z.union([rpcCall, z.array(rpcCall)])
export const rpcResponse = z.union([rpcResult, z.array(rpcResult)])

/** The process is running. */
export const health = z.object({ status: z.literal('ok') })

/** Lookups are ready and current. */
export const ready = z.object({
  status: z.literal('ready'),
  /** Communities that are withheld. */
  reasons: z.array(reason).optional(),
  /** Faults of the server that do not affect lookups, such as `accounts_unavailable`. */
  warnings: z.array(warning).optional(),
})

/** Name and avatar of an account, from the operator's name service. */
export const accountName = z.object({
  /** `null` for an account without a name. */
  data: z.string().min(1).max(255).nullable(),
  /** The image itself, as a data URL. */
  avatar: z
    .string()
    .regex(/^data:image\//)
    .optional(),
})

/** Settings that the web app loads first. */
export const config = z.object({
  chainId: z.int(),
  /** JSON-RPC endpoints for the browser. Relative ones belong to this origin. */
  rpcUrls: z.array(z.string()).min(1),
  relayProjectId: z.string().nullable(),
  /** URL of the wallet relay; `null` for WalletConnect's. */
  relayUrl: z.string().nullable(),
  /** Sources of account names: `/v1/resolve-ens` of this origin, and .bnb names on chain. */
  names: z.object({ service: z.boolean(), bnb: z.boolean() }),
  /** Demo only: keys of the demo wallet, and the contract at which it may bind. */
  demo: z.object({ privateKeys: z.array(hash).min(1), contract: address.nullable() }).nullable(),
})

const labelText = z
  .string()
  .max(1_000)
  .transform(cleanLabelText)
  .refine((text) => countCharacters(text) <= labelTextLimit, `must have at most ${labelTextLimit} characters`)

/** Content of a label: a text, a mark for the watch list, or both. */
export const labelContent = z
  .object({ text: labelText, watched: z.boolean() })
  .refine(({ text, watched }) => text !== '' || watched, 'needs a text unless it is watched')

/** A private note on an address, stored for an account or in a browser. */
export const label = z.object({
  address,
  text: labelText,
  watched: z.boolean(),
  /** Time of the last change. */
  updatedAt: timestamp,
})

/** All labels of an account, last changed first. */
export const labels = z.object({ items: z.array(label).max(labelLimit) })

/** Rules for the alerts of a watched address. */
export const watchRules = z
  .object({
    /** A new direct referral. */
    directs: z.boolean(),
    /** New members of the team: each one, or their number per UTC hour or day. */
    team: z.enum(['off', 'each', 'hour', 'day']),
    /** The team has reached 100, 1,000, 10,000 … members. */
    milestones: z.boolean(),
    /** The referrer of the address itself has changed. */
    referrer: z.boolean(),
    /** An irregular bind of the address, or one that names it. */
    irregular: z.boolean(),
    /**
     * Smallest volume of the address or its team that raises an alert, in the token's smallest unit; `null` for none.
     */
    volumeFrom: amount.max(78).nullable(),
  })
  .refine(
    ({ team, volumeFrom, ...switches }) =>
      team !== 'off' || volumeFrom !== null || Object.values(switches).includes(true),
    'turn on one of the rules at least',
  )

/** An address that an account watches. */
export const watch = z.object({
  community: z.string(),
  address,
  rules: watchRules,
  /** Time of the last change. The rules apply to all events since the watch was added that have no alert yet. */
  updatedAt: timestamp,
})

/**
 * `retracted`: a reorganisation of the chain removed the event of an earlier alert. `digest`: members who joined in
 * an hour or a day. `webhook_paused`: a webhook has failed for a day.
 */
export const alertKind = z.enum([
  'direct',
  'team',
  'digest',
  'milestone',
  'volume',
  'referrer',
  'irregular',
  'retracted',
  'webhook_paused',
])

export const alert = z.object({
  /** Derived from the account, the address and the event. Deliveries of the alert have the same id. */
  id: z.string(),
  /** Position in the list: later alerts have larger ones. */
  number: count,
  kind: alertKind,
  community: z.string().nullable(),
  /** The watched address. */
  address: address.nullable(),
  /** Time of the block, or of the end of the hour or day. */
  time: timestamp,
  block: count.nullable(),
  hash: hash.nullable(),
  logIndex: count.nullable(),
  /** The member of the event. */
  member: address.nullable(),
  /** The address that the bind names. */
  referrer: address.nullable(),
  /** The previous referrer, for `referrer`. */
  from: address.nullable(),
  status: z.enum(['bound', 'self', 'duplicate', 'cycle']).nullable(),
  amount: amount.nullable(),
  /** Size that the team has reached, for `milestone`; number of members who joined, for `digest`. */
  members: count.nullable(),
  /** Whether the time of the bind, or of those in a digest, is unknown: `time` is then when it was found. */
  isUndated: z.boolean(),
  /** URL of the webhook, for `webhook_paused`. */
  webhook: z.string().nullable(),
  /** Id of the retracted alert, for `retracted`. */
  retracts: z.string().nullable(),
  /** Whether the event was removed by a reorganisation. */
  isRetracted: z.boolean(),
  isRead: z.boolean(),
})

/** Alerts of an account, newest first. */
export const alerts = z.object({ items: z.array(alert), unread: count, nextCursor: z.string().nullable() })

/** Marks alerts up to this number as read. */
export const readMark = z.object({ upTo: z.int().nonnegative() })

/** One attempt to deliver an alert. */
export const delivery = z.object({
  /** `null` for a test. */
  alert: z.string().nullable(),
  at: timestamp,
  /** HTTP status; `null` without a response. */
  status: z.int().nullable(),
  milliseconds: count,
  /** First 200 characters of the response, or the reason why there is none. */
  answer: z.string(),
})

const webhookFields = {
  id: z.string(),
  url: z.string(),
  /** `paused`: it has failed for a day, and gets nothing until it is resumed. */
  state: z.enum(['active', 'paused']),
  /** Time of the first failure since the last success. */
  failingSince: timestamp.nullable(),
  /** The last attempts, newest first. */
  deliveries: z.array(delivery),
}
export const webhook = z.object(webhookFields)
/** A webhook with the secret that signs its deliveries, which is shown once. */
export const newWebhook = z.object({ ...webhookFields, secret: z.string() })
export const webhookContent = z.object({ url: z.string().max(2_000) })

/** Path of an account's Atom feed. Anyone who knows the path can read the alerts. */
export const feedLink = z.object({ path: z.string() })

/** All alert settings of an account: watches, webhooks and the feed. */
export const alertSettings = z.object({
  watches: z.array(watch),
  webhooks: z.array(webhook),
  /** `off`: this server does not offer webhooks. */
  webhooksOffered: z.enum(['on', 'off']),
  feed: z.enum(['on', 'off']),
  limits: z.object({ watches: count, webhooks: count }),
})

/** All data stored for an account. Used nonces are not included, because they do not identify the account. */
export const account = z.object({
  address,
  labels: z.array(label).max(labelLimit),
  watches: z.array(watch),
  alerts: z.array(alert),
  webhooks: z.array(webhook),
  /** `expiresAt` in Unix milliseconds. The ids of sessions stay secret. */
  sessions: z.array(z.object({ chainId: z.int(), expiresAt: count })),
})

/** A response without a body: 204. */
export const nothing = z.undefined()

const codes = Object.keys(problems) as [keyof typeof problems, ...(keyof typeof problems)[]]
export const problemCode = z.enum(codes)

/** RFC 9457, `application/problem+json`. */
export const problem = z.object({
  /** A path that leads to the explanation of the problem. */
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: problemCode,
  /** Id of the request, also in its header `X-Request-Id` and in the log of the server. */
  requestId: z.string().optional(),
  /** Name of the parameter that has the problem. */
  parameter: z.string().optional(),
  /** First block whose events have changed, and the cursor to go on with, `null` for none, with `events_replaced`. */
  block: count.optional(),
  cursor: z.string().nullable().optional(),
  /** Progress of the index, with `indexing`. */
  progress: progress.optional(),
  /** Reasons why the index is not ready, from `/ready`. */
  reasons: z.array(reason).optional(),
})

/**
 * Parses a response or a problem. A text that is none of the values of its field passes as it is, because a later version
 * of the API may have added it.
 *
 * @example parseResponse(responses.communities, await response.json()).data
 */
export function parseResponse<schema extends z.ZodType>(schema: schema, body: unknown) {
  const parsed = schema.safeParse(body, { reportInput: true })
  if (parsed.success || !parsed.error.issues.every(isAddedValue)) return parsed
  return { success: true as const, data: body as z.output<schema> }
}

const isAddedValue = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_union'
    ? issue.errors.some((issues) => issues.every(isAddedValue))
    : issue.code === 'invalid_value' && typeof issue.input === 'string'

/** Schema of each operation's JSON response. */
export const responses = {
  communities,
  addresses,
  roots,
  map,
  teamMap: map,
  risers,
  teamRisers: risers,
  activity,
  teamActivity: activity,
  amounts,
  ranks,
  metrics: metricsAnswer,
  search,
  events,
  relation: relationAnswer,
  line: lineAnswer,
  pairBinds,
  batch,
  member: memberAnswer,
  levels: levelsAnswer,
  growth,
  compare,
  referrals: referralsAnswer,
  referrers: referrersAnswer,
  memberEvents,
  nonce,
  verify: session,
  session,
  signOut: nothing,
  account,
  removeAccount: nothing,
  labels,
  mergeLabels: labels,
  removeLabels: nothing,
  saveLabel: label,
  removeLabel: nothing,
  alerts,
  readAlerts: nothing,
  alertSettings,
  saveWatch: watch,
  removeWatch: nothing,
  addWebhook: newWebhook,
  removeWebhook: nothing,
  resumeWebhook: nothing,
  testWebhook: delivery,
  renewFeed: feedLink,
  removeFeed: nothing,
  status,
  health,
  ready,
  config,
  rpc: rpcResponse,
  name: accountName,
} as const satisfies { [id in OperationId]?: z.ZodType }
