import { type Community, checksumAddress, zeroAddress } from '@lineage/communities'
import { grades } from '@lineage/database'
import type * as forest from '@lineage/forest'
import type * as api from '@lineage/referral-api'
import { byAmountKind } from '@lineage/referral-api/amounts'
import type { Calendar } from '@lineage/referral-api/days'
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

export const toLevel = ({ level, count, volume }: forest.Level) => ({ level, count, volume: volume.toString() })

export const toPastLevel = ({ level, count, ...amounts }: forest.PastLevel) => ({ level, count, ...toTexts(amounts) })

/** Serializes the amounts that are known. */
const toTexts = <name extends string>(amounts: { [key in name]?: bigint }) =>
  Object.fromEntries(
    Object.entries<bigint | undefined>(amounts).flatMap(([name, amount]) =>
      amount === undefined ? [] : [[name, amount.toString()]],
    ),
  ) as { [key in name]?: string }

export const toAmounts = ({ volume, rewards }: forest.AmountSums) => ({
  volume: volume.toString(),
  rewards: rewards.toString(),
})

export const toTeamAmounts = ({ own, team }: forest.TeamAmounts) => ({ own: toAmounts(own), team: toAmounts(team) })

type PastMember = Omit<api.PastMember, 'asOf' | 'at'>

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
  } satisfies Partial<PastMember>
}

/** Serializes a member of a comparison. */
export function toComparedMember(member: forest.ComparedMember) {
  const { root, team, maxLevel, between } = member
  return { ...toPastSummary(member), root: checksumAddress(root), between, team, maxLevel }
}

/** Serializes a past state of a member. */
export function toPastMember(member: forest.PastMember): PastMember {
  const { ownVolume, teamVolume, rewards, teamRewards } = member
  return { ...toComparedMember(member), ...toTexts({ ownVolume, teamVolume, rewards, teamRewards }) }
}

/** Serializes a member of a past downline. */
export function toPastReferral(member: forest.PastReferral) {
  const { team, ownVolume, teamVolume, level } = member
  return { ...toPastSummary(member), team, ...toTexts({ ownVolume, teamVolume }), level }
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
  { since, items, rest }: forest.TeamMap,
  { by, calendar }: { by: api.TeamMap['by']; calendar: Calendar },
): Omit<api.TeamMap, 'asOf'> {
  return {
    by,
    tz: calendar.timeZone,
    since: calendar.dayOf(since),
    items: items.map((item) => ({
      ...item,
      address: checksumAddress(item.address),
      volume: item.volume.toString(),
      rest: item.rest && toBand(item.rest),
    })),
    rest: rest && toBand(rest),
  }
}

const toBand = (band: forest.MapBand): NonNullable<api.TeamMap['rest']> => ({ ...band, volume: band.volume.toString() })

/** Serializes the metrics of a community, with the days of a calendar. */
export function toMetrics(metrics: forest.Metrics, { timeZone, dayOf }: Calendar): Omit<api.Metrics, 'asOf'> {
  return {
    ...metrics,
    tz: timeZone,
    volume: metrics.volume.toString(),
    rewards: metrics.rewards.toString(),
    last24h: toPeriod(metrics.last24h),
    last7d: toPeriod(metrics.last7d),
    last30d: toPeriod(metrics.last30d),
    previous: {
      last24h: toPeriod(metrics.previous.last24h),
      last7d: toPeriod(metrics.previous.last7d),
      last30d: toPeriod(metrics.previous.last30d),
    },
    series: metrics.series.map(({ from, totalMembers, ...row }) => ({
      day: dayOf(from),
      totalMembers,
      ...toPeriod(row),
    })),
    leaders: {
      team: metrics.leaders.team.map(toLeader),
      directs: metrics.leaders.directs.map(toLeader),
      volume: metrics.leaders.volume.map(toLeader),
    },
  }
}

/** Leaves all but the new members of the days out of the metrics of a community. */
export const toMemberMetrics = (metrics: Omit<api.Metrics, 'asOf'>): Omit<api.MemberMetrics, 'asOf'> => ({
  ...metrics,
  series: metrics.series.map(({ day, members }) => ({ day, members })),
})

const toPeriod = ({ members, ...amounts }: forest.Period): api.Metrics['last24h'] => ({
  members,
  ...toAmounts(amounts),
})

function toLeader({ address, directs, team, teamVolume }: forest.Leader): api.Metrics['leaders']['team'][number] {
  return { address: checksumAddress(address), directs, team, teamVolume: teamVolume.toString() }
}
