import type * as forest from '@lineage/forest'
import type * as contract from '@lineage/referral-api'
import { checksumAddress } from '../../config/checksumAddress.ts'
import type { Community } from '../../config/index.ts'
import type { BindRow } from './follow.ts'

type Answer<name extends keyof Answers> = Omit<Answers[name], 'asOf'>
type Answers = {
  community: contract.Community
  events: contract.Events
  growth: contract.Growth
  member: contract.Member
  metrics: contract.Metrics
}

export function toCommunity(
  { id, name, address, chainId, startBlock, tokens, parentView, explorer }: Community,
  status: contract.Community['status'],
  members: number,
): contract.Community {
  return {
    id,
    name,
    contract: address,
    chainId,
    startBlock,
    members,
    status,
    tokens: { volume: tokens.volume ?? null, reward: tokens.reward ?? null },
    parentView: parentView?.text ?? null,
    explorer: explorer ?? null,
  }
}

export function toSummary(summary: forest.MemberSummary): contract.MemberSummary {
  const { address, status, referrer, depth, joinedAt, directs, team, ownVolume, teamVolume } = summary
  return {
    address: checksumAddress(address),
    status,
    referrer: referrer && checksumAddress(referrer),
    depth,
    joinedAt,
    directs,
    team,
    ownVolume: ownVolume.toString(),
    teamVolume: teamVolume.toString(),
  }
}

export function toCard(member: forest.Member): Omit<Answer<'member'>, 'tx'> {
  return {
    ...toSummary(member),
    root: checksumAddress(member.root),
    block: member.block,
    maxLevel: member.maxLevel,
    largestLeg: member.largestLeg.toString(),
    otherLegs: member.otherLegs.toString(),
    rewards: member.rewards.toString(),
  }
}

export function toGrowth(growth: forest.Growth[], interval: forest.GrowthInterval): Answer<'growth'> {
  return { interval, items: growth }
}

export function toEvent(
  { member, referrer, ...row }: BindRow,
  status: forest.BindStatus,
): Answer<'events'>['items'][0] {
  return { ...row, address: checksumAddress(member), referrer: checksumAddress(referrer), status }
}

export function toMetrics(metrics: forest.Metrics): Answer<'metrics'> {
  return {
    ...metrics,
    volume: metrics.volume.toString(),
    rewards: metrics.rewards.toString(),
    last24h: toPeriod(metrics.last24h),
    last7d: toPeriod(metrics.last7d),
    last30d: toPeriod(metrics.last30d),
    series: metrics.series.map((row) => ({ day: row.day, totalMembers: row.totalMembers, ...toPeriod(row) })),
    leaders: {
      team: metrics.leaders.team.map(toLeader),
      directs: metrics.leaders.directs.map(toLeader),
      volume: metrics.leaders.volume.map(toLeader),
    },
  }
}

function toPeriod({ members, volume, rewards }: forest.Period): contract.Metrics['last24h'] {
  return { members, volume: volume.toString(), rewards: rewards.toString() }
}

function toLeader({ address, directs, team, teamVolume }: forest.Leader): contract.Metrics['leaders']['team'][number] {
  return { address: checksumAddress(address), directs, team, teamVolume: teamVolume.toString() }
}
