import type { ForestData } from '../data/forestData.ts'
import { none } from '../data/nodes.ts'
import { createRecentJoins, type RecentJoins } from '../downline/recentJoins.ts'
import { Amounts } from '../lib/amounts.ts'
import { checkLimit, checkTime } from '../lib/check.ts'
import { secondsADay, utcDays } from '../lib/days.ts'
import { keepNewest } from '../lib/keepNewest.ts'
import { Smallest } from '../lib/smallest.ts'
import type { MapBand, MapItem, MapParameters, TeamMap } from '../types.ts'
import { forEachRoot } from './roots.ts'
import { select } from './select.ts'

/** Number of days over which growth is counted. */
const growthDays = 30
/** Largest number of drawn directs of one member, and of drawn roots. */
const mostDirects = 32
/** Largest number of days since which joins are kept, which differ by time zone. */
const mostKept = 4

type By = MapParameters['by']
type Place = { node: number; parent: number | null }

/** Draws the largest legs of a team or of the whole forest, and sums up the others. */
export function createMap(data: ForestData) {
  /** Recent joins by their first second: the sums of a large forest take long. */
  const kept = new Map<number, RecentJoins>()

  /** Returns the map. @param top `none` for the whole forest. */
  function answer(top: number, { by, now, most, days = utcDays }: MapParameters): TeamMap {
    checkTime(now)
    checkLimit(most)
    const until = Math.max(now, data.timeline.lastTimestamp)
    const since = days(Math.max(0, until - growthDays * secondsADay), until).at(-growthDays) ?? 0
    const recent = recentJoins(since)
    const roots = top === none ? findRoots(by, recent) : undefined
    const places = draw(roots?.largest ?? [top], by, most)
    const items = places.map((place): MapItem => ({ ...toItem(place, recent), rest: null }))
    const rests = places.map(({ node }, index) => toRest(node, recent, (items[index] as MapItem).recent))
    for (const item of items) {
      const rest = item.parent === null ? roots?.rest : rests[item.parent]
      if (rest) subtract(rest, item)
    }
    for (const [index, item] of items.entries()) item.rest = orNull(rests[index])
    return { since, items, rest: orNull(roots?.rest) }
  }

  /** Returns the joins since a second, as they are now. */
  function recentJoins(since: number): RecentJoins {
    const recent = kept.get(since) ?? createRecentJoins(data, since)
    keepNewest(kept, since, recent, mostKept)
    recent.prepare()
    return recent
  }

  /** Draws the largest candidate and makes its directs candidates, until enough are drawn. Of equal ones the first is drawn. */
  function draw(tops: readonly number[], by: By, most: number): Place[] {
    const { slots } = data
    const sort = by === 'volume' ? 'volume' : 'team'
    const compare = (left: Place, right: Place) =>
      Number(isLarger(right.node, left.node, by)) - Number(isLarger(left.node, right.node, by))
    let candidates: Place[] = tops.map((node) => ({ node, parent: null }))
    const drawn: Place[] = []
    while (drawn.length < most) {
      const next = candidates.shift()
      if (!next) break
      const parent = drawn.push(next) - 1
      for (const slot of select(data, next.node, { level: 1, sort, order: 'desc', count: mostDirects }))
        candidates.push({ node: slots.nodeAt[slot] as number, parent })
      candidates = candidates.sort(compare).slice(0, most - drawn.length)
    }
    return drawn
  }

  function isLarger(node: number, other: number, by: By): boolean {
    const { team, legVolume, slotOf } = data.slots
    const slot = slotOf[node] as number
    const otherSlot = slotOf[other] as number
    if (by === 'volume') return legVolume.compare(slot, legVolume, otherSlot) > 0
    return (team[slot] as number) > (team[otherSlot] as number)
  }

  /** Returns the largest roots, and the sum of all. */
  function findRoots(by: By, recent: RecentJoins): { largest: number[]; rest: MapBand } {
    const { nodes, slots } = data
    const largest = new Smallest(mostDirects, (left, right) =>
      isLarger(left, right, by) ? -1 : isLarger(right, left, by) ? 1 : left - right,
    )
    const volume = new Amounts(1)
    forEachRoot(data, (node) => {
      largest.offer(node)
      volume.add(0, slots.legVolume, slots.slotOf[node] as number)
    })
    const { roots: legs, members, placeholders } = nodes
    const rest = { legs, members: members + placeholders, volume: volume.get(0), recent: recent.countAll() }
    return { largest: largest.sorted().slice(), rest }
  }

  function toItem({ node, parent }: Place, recent: RecentJoins): Omit<MapItem, 'rest'> {
    const { nodes, slots, addresses } = data
    const slot = slots.slotOf[node] as number
    return {
      address: addresses.address(node),
      parent,
      depth: nodes.depth[node] as number,
      directs: nodes.directs[node] as number,
      members: (slots.team[slot] as number) + 1,
      volume: slots.legVolume.get(slot),
      recent: recent.countLeg(node),
    }
  }

  /** Sums up all legs of a member. */
  function toRest(node: number, recent: RecentJoins, ofLeg: number): MapBand {
    const { nodes, slots } = data
    const slot = slots.slotOf[node] as number
    return {
      legs: nodes.directs[node] as number,
      members: slots.team[slot] as number,
      volume: slots.legVolume.get(slot) - nodes.ownVolume.get(node),
      recent: ofLeg - Number(recent.isRecent(node)),
    }
  }

  return answer
}

/** Removes a drawn leg from a band. */
function subtract(band: MapBand, { members, volume, recent }: MapItem): void {
  band.legs--
  band.members -= members
  band.volume -= volume
  band.recent -= recent
}

const orNull = (band: MapBand | undefined): MapBand | null => (band && band.legs > 0 ? band : null)
