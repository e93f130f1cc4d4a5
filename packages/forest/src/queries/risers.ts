import type { ForestData } from '../data/forestData.ts'
import { nodeStatus } from '../data/nodes.ts'
import { Past } from '../downline/past.ts'
import { createPastTeam } from '../downline/pastCounts.ts'
import { Amounts } from '../lib/amounts.ts'
import { checkLimit } from '../lib/check.ts'
import { Pace } from '../lib/pace.ts'
import { Smallest } from '../lib/smallest.ts'
import type { Riser, RisersParameters, Slices } from '../types.ts'
import type { PeriodLegs, ReadLegs } from './periodLegs.ts'

/** Number of steps to look up one member. */
const costAlone = 16

/** Returns the members whose teams grew most in a period, in the forest or below a member at its end. Equal ones share a rank. */
export function* risersOf(
  data: ForestData,
  top: number | null,
  { period, by, limit }: RisersParameters,
  readLegs: ReadLegs,
): Slices<{ items: Riser[]; undated: number }> {
  checkLimit(limit)
  const table = yield* readLegs({ ...period, of: by === 'members' ? 'joins' : 'amounts' })
  const growth = yield* measureTeams(data, table, by)
  const kept = new Smallest(
    limit,
    (left, right) =>
      growth.compare(right, growth, left) || (table.nodes[left] as number) - (table.nodes[right] as number),
  )
  const past = new Past(data, period.to)
  const isAsked =
    top === null
      ? (node: number) => data.nodes.status[node] !== nodeStatus.unknown
      : yield* createPastTeam(data, past, top)
  const pace = new Pace(data.tuning.sliceSteps, top === null ? undefined : () => past.requireUnchanged())
  for (let row = 0; row < table.length; row++) {
    if (growth.ceiling(row) > 0 && isAsked(table.nodes[row] as number)) kept.offer(row)
    if (pace.spend(costAlone)) yield* pace.pause()
  }
  const items: Riser[] = []
  for (const [index, row] of kept.sorted().entries()) {
    const value = growth.get(row)
    const above = items.at(-1)
    const rank = above?.value === value ? above.rank : index + 1
    items.push({ address: data.addresses.address(table.nodes[row] as number), value, rank })
  }
  return { items, undated: table.undated }
}

/** Computes by row what came to a team in the period, without the member's own. */
function* measureTeams(data: ForestData, table: PeriodLegs, by: RisersParameters['by']): Slices<Amounts> {
  const growth = new Amounts(table.length)
  const pace = new Pace(data.tuning.sliceSteps)
  for (let row = 0; row < table.length; row++) {
    if (by === 'members') growth.set(row, BigInt((table.joins[row] as number) - (table.own.joins[row] as number)))
    else {
      growth.copy(row, table.legs[by], row)
      growth.subtract(row, table.own[by], row)
    }
    if (pace.spend(costAlone)) yield* pace.pause()
  }
  return growth
}
