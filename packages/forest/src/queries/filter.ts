import { compareAddresses, prefixComparer } from '../addresses/address.ts'
import { chunkBits } from '../data/chunks.ts'
import type { ForestData } from '../data/forestData.ts'
import { grades, nodeStatus } from '../data/nodes.ts'
import { joinsUntil } from '../downline/past.ts'
import { InvalidPrefixError } from '../errors.ts'
import { amountOf, ceilingMargin } from '../lib/amounts.ts'
import { checkLimit, checkTime } from '../lib/check.ts'
import { Smallest } from '../lib/smallest.ts'
import type { MemberSummary, ReferralsFilter } from '../types.ts'
import { summaryOf } from './member.ts'

const costOutOfOrder = 4

/** Returns a text that is the same for the same filter, for cursors. */
export function filterKey({
  levelFrom: first = 1,
  levelTo: last = Number.POSITIVE_INFINITY,
  ...filter
}: ReferralsFilter): string {
  const { joinedFrom, joinedTo, grades, minTeam, minVolume, activeSince, prefix, bound } = filter
  const own = [joinedFrom, joinedTo, grades?.toSorted().join(), minTeam, minVolume, activeSince]
  return [first, last, ...own, prefix?.toLowerCase(), bound].join('.')
}

/** Returns a filter of those who match all but the times of another one, and have no date; `undefined` if that has no times. */
export function withoutTimes({
  joinedFrom,
  joinedTo,
  grades: asked = ['between', 'observed'],
  ...others
}: ReferralsFilter): ReferralsFilter | undefined {
  if (joinedFrom === undefined && joinedTo === undefined) return undefined
  return { ...others, grades: asked.filter((one) => one !== 'exact') }
}

/** A filter prepared for many members of one downline. */
export type Filter = ReturnType<typeof createFilter>

export function createFilter({ nodes, slots, addresses }: ForestData, filter: ReferralsFilter) {
  const { joinedFrom, joinedTo, grades: asked, minTeam = 0, minVolume = 0n, activeSince = 0, prefix, bound } = filter
  for (const time of [joinedFrom, joinedTo, activeSince]) if (time !== undefined) checkTime(time)
  if (prefix !== undefined && !prefixPattern.test(prefix)) throw new InvalidPrefixError(prefix)
  // All members of a downline are bound.
  const isTimed = joinedFrom !== undefined || joinedTo !== undefined
  const allowed = grades.map((one) => asked?.includes(one) ?? true)
  // Only members with a date joined at a time.
  const isOpen = bound !== false && allowed.includes(true) && (!isTimed || allowed[0])
  const joinHigh = !isOpen ? 0 : joinsUntil(nodes, { timestamp: joinedTo ?? Number.POSITIVE_INFINITY })
  const joinLow = joinedFrom === undefined ? 0 : joinsUntil(nodes, { timestamp: joinedFrom - 1 })
  const { team, joinIndex, day, legVolume, teamExtremes, legExtremes } = slots
  const { activeAt, grade } = nodes
  const dates = isTimed || !(allowed[1] || allowed[2]) ? 'some' : allowed[0] ? 'any' : 'none'
  // A slot tells only whether its member has a date.
  const needsGrade = dates !== 'some' && allowed[1] !== allowed[2]
  const volume = minVolume > 0n ? amountOf(minVolume) : undefined
  const leastVolume = (volume?.ceiling(0) ?? 0) * (1 - ceilingMargin)
  const digits = prefix?.slice(2)
  const comparePrefix = digits === undefined ? undefined : prefixComparer(addresses.words, digits)
  return {
    /** Returns whether the values of a slot match: join, date, team and volume. */
    fitsSlot(slot: number) {
      const join = joinIndex[slot] as number
      if (join < joinLow || join >= joinHigh) return false
      if (dates !== 'any' && (day[slot] === 0) !== (dates === 'none')) return false
      if (minTeam > 0 && (team[slot] as number) < minTeam) return false
      return volume === undefined || legVolume.compare(slot, volume, 0) >= 0
    },
    /** Returns whether the values of a node match: grade, last activity and address. */
    fitsNode: (node: number) =>
      (!needsGrade || allowed[grade[node] as number] === true) &&
      (activeSince === 0 || (activeAt[node] as number) >= activeSince) &&
      (comparePrefix === undefined || comparePrefix(node) === 0),
    /** Returns whether a chunk of slots may contain a match. */
    mayHold: (slot: number) =>
      (teamExtremes.largest[slot >>> chunkBits] as number) >= minTeam &&
      (legExtremes.largest[slot >>> chunkBits] as number) >= leastVolume,
    /** Members who joined in the time range have join indexes from `joinLow` up to `joinHigh`. */
    joinLow,
    joinHigh,
    /** `some`: only members who have a date match. `none`: only members who have none. */
    dates,
    /** Hex digits with which the address begins. */
    digits,
    /** Earliest time of the last activity; 0 for any. */
    activeSince,
    /** Number of steps per slot of a scan: a read out of order takes as long as several in order. */
    cost: activeSince === 0 && digits === undefined && !needsGrade ? 1 : costOutOfOrder,
  }
}

const prefixPattern = /^0x[0-9a-fA-F]{2,40}$/

/** Returns members and placeholders by prefix, in the order of their addresses. */
export function searchPrefix(data: ForestData, prefix: string, limit: number): MemberSummary[] {
  const { nodes, addresses, prefixes } = data
  checkLimit(limit)
  if (typeof prefix !== 'string' || !prefixPattern.test(prefix)) throw new InvalidPrefixError(prefix)
  const smallest = new Smallest(limit, (left, right) => compareAddresses(addresses.words, left, right))
  let found = 0
  prefixes.forEach(prefix.slice(2), (node) => {
    if (nodes.status[node] === nodeStatus.unknown) return 'more'
    smallest.offer(node)
    return ++found < limit ? 'more' : 'enough'
  })
  return smallest.sorted().map((node) => summaryOf(data, node))
}
