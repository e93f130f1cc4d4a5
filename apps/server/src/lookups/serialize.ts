import { type Community, checksumAddress, zeroAddress } from '@lineage/communities'
import { grades } from '@lineage/database'
import type * as forest from '@lineage/forest'
import type * as api from '@lineage/referral-api'
import { byAmountKind } from '@lineage/referral-api/amounts'
import type { Calendar } from '@lineage/referral-api/days'
import type { Address } from 'viem'
import type { BindRow, MemberEventRow } from './eventTables.ts'

/** Serializes a community of the configuration. */
export function toCommunity(
  { id, name, address, chainId, startBlock, tokens, parents, asked, explorer }: Community,
  state: Pick<api.Community, 'status' | 'withheld' | 'members'>,
): api.Community {
  return {
    id,
    name,
    contract: address,
    chainId,
    startBlock,
    ...state,
    tokens: byAmountKind((kind) => tokens[kind] ?? null),
    parent: toParent(parents),
    grades: asked ? [...grades] : ['exact'],
    explorer: explorer ?? null,
  }
}

/** Returns the call that a page can make: the only way to read referrers, if it is one view. */
function toParent([parent, ...others]: Community['parents']): api.Community['parent'] {
  if (parent?.kind !== 'view' || parent.next || others.length > 0 || parent.item.name.startsWith('0x')) return null
  const { address, text, args, input, path } = parent
  return {
    contract: address,
    view: text,
    args: args.toSpliced(input, 0, null) as (string | number | boolean | null)[],
    output: path,
  }
}

/** Serializes a member as a list item. */
export function toSummary(summary: forest.MemberSummary): api.MemberSummary {
  const { team, ownVolume, teamVolume } = summary
  return {
    ...toPastSummary(summary),
    team,
    ownVolume: ownVolume.toString(),
    teamVolume: teamVolume.toString(),
  }
}

/** Serializes a member without its transaction. */
export function toCard(member: forest.Member): Omit<api.Member, 'asOf' | 'tx'> {
  return {
    ...toSummary(member),
    root: checksumAddress(member.root),
    between: member.between,
    maxLevel: member.maxLevel,
    largestLeg: member.largestLeg.toString(),
    otherLegs: member.otherLegs.toString(),
    rewards: member.rewards.toString(),
  }
}

/** Returns the log of an exact bind. */
export const toLog = ({ block, logIndex, between }: Pick<forest.MemberSummary, 'block' | 'logIndex' | 'between'>) =>
  between ? { block: null, logIndex: null } : { block, logIndex }

type Serialized<value> = value extends bigint
  ? string
  : value extends readonly (infer item)[]
    ? Serialized<item>[]
    : value extends object
      ? { [key in keyof value]: Serialized<value[key]> }
      : value

/** Names of the fields with an address. */
const addressNames = new Set(['address', 'referrer', 'root'])

/** Serializes an answer of the forest: its amounts as texts, and its addresses with their checksums. */
export function serialize<value>(value: value): Serialized<value>
export function serialize(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(serialize)
  const made: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[name]
    made[name] =
      typeof field === 'string' && addressNames.has(name) ? checksumAddress(field as Address) : serialize(field)
  }
  return made
}

/** Serializes a past state of a member as a list item. */
export function toPastSummary(summary: forest.PastSummary) {
  const { address, status, referrer, depth, joinedAt, grade, directs } = summary
  return {
    address: checksumAddress(address),
    status,
    referrer: referrer && checksumAddress(referrer),
    depth,
    joinedAt,
    grade,
    ...toLog(summary),
    directs,
  } satisfies Partial<api.PastMember>
}

/** Serializes a past state of a member. */
export const toPastMember = <member extends forest.ComparedMember>(member: member) => ({
  ...serialize(member),
  ...toLog(member),
})

/** Serializes a member of a past downline. */
export function toPastReferral(member: forest.PastReferral) {
  const { team, ownVolume, teamVolume, level } = member
  return { ...toPastSummary(member), team, ...serialize({ ownVolume, teamVolume }), level }
}

/** Serializes a bind with its status. */
export function toEvent(
  { member, referrer, timestamp, ...row }: BindRow,
  status: forest.BindStatus,
): api.Events['items'][0] {
  return {
    ...row,
    timestamp: row.between ? null : timestamp,
    address: checksumAddress(member),
    referrer: checksumAddress(referrer ?? zeroAddress),
    status,
  }
}

/** Serializes an event of a member; `status` is the status of a bind. */
export function toMemberEvent(
  { kind, member, referrer, amount, from, block, logIndex, timestamp, tx, grade, between }: MemberEventRow,
  status: forest.BindStatus | null,
): api.MemberEvents['items'][0] {
  const named = status && checksumAddress(referrer ?? zeroAddress)
  return {
    kind,
    address: checksumAddress(member),
    referrer: named,
    status,
    amount,
    from: from && checksumAddress(from),
    block,
    logIndex,
    timestamp: between ? null : timestamp,
    tx,
    grade,
    between,
  }
}

/** Largest number of legs drawn in a map: an answer stays below 50 kB with any amounts. */
export const mapLimit = 120

/** Returns the days of a calendar as the forest asks for them. */
export const daysOf =
  ({ periods }: Calendar): forest.Days =>
  (from, to) =>
    periods('day', from, to)

export function toMap(
  { since, ...map }: forest.TeamMap,
  { by, calendar }: { by: api.TeamMap['by']; calendar: Calendar },
): Omit<api.TeamMap, 'asOf'> {
  return { by, tz: calendar.timeZone, since: calendar.dayOf(since), ...serialize(map) }
}

/** Serializes the metrics of a community, with the days of a calendar. */
export function toMetrics(metrics: forest.Metrics, { timeZone, dayOf }: Calendar): Omit<api.Metrics, 'asOf'> {
  // There may be a depth for each member.
  const { series, depths, ...rest } = metrics
  const days = series.map(({ from, ...row }) => ({ day: dayOf(from), ...serialize(row) }))
  return { tz: timeZone, ...serialize(rest), depths, series: days }
}

/** Leaves all but the new members of the days out of the metrics of a community. */
export const toMemberMetrics = (metrics: Omit<api.Metrics, 'asOf'>): Omit<api.MemberMetrics, 'asOf'> => ({
  ...metrics,
  series: metrics.series.map(({ day, members }) => ({ day, members })),
})
