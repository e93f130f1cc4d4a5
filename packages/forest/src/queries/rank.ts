import { chunkBits, chunkEnd } from '../data/chunks.ts'
import type { ForestData } from '../data/forestData.ts'
import { none } from '../data/nodes.ts'
import { walk } from '../downline/downline.ts'
import type { Rank, Ranks } from '../types.ts'

/** Returns the place of a member by team and by directs, among the directs of its referrer and in the whole forest. */
export function ranksOf(data: ForestData, node: number): Ranks {
  const { nodes, slots } = data
  const known = nodes.members + nodes.placeholders
  const team = slots.teamOf(node)
  const directs = nodes.directs[node] as number
  // Members with a team are those with directs.
  const others = { known, positive: nodes.referrers }
  return {
    siblings: nodes.parent[node] === none ? null : ranksBeside(data, node, { team, directs }),
    community: {
      team: rankIn(
        { values: slots.team, maxima: slots.teamExtremes.largest, length: slots.length, value: team },
        others,
      ),
      directs: rankIn(
        { values: nodes.directs, maxima: nodes.maxDirects, length: nodes.length, value: directs },
        others,
      ),
    },
  }
}

function ranksBeside(data: ForestData, node: number, { team, directs }: Record<'team' | 'directs', number>) {
  const { nodes, slots } = data
  const of = nodes.directs[nodes.parent[node] as number] as number
  const ranks = { team: { rank: 1, equal: 0, of }, directs: { rank: 1, equal: 0, of } }
  const compare = (rank: Rank, value: number, own: number) => {
    if (value > own) rank.rank++
    if (value === own) rank.equal++
  }
  walk(data, nodes.parent[node] as number, 1, (sibling) => {
    compare(ranks.team, slots.teamOf(sibling), team)
    compare(ranks.directs, nodes.directs[sibling] as number, directs)
  })
  return ranks
}

/** `maxima` has upper bounds of each chunk of rows. */
type Column = { values: Uint32Array; maxima: Uint32Array | Float64Array; length: number; value: number }

/** Ranks a value in a column. Zeros are counted by what is not greater, because some rows of zero are no members. */
function rankIn(
  { values, maxima, length, value }: Column,
  { known, positive }: { known: number; positive: number },
): Rank {
  if (value === 0) return { rank: positive + 1, equal: known - positive, of: known }
  let greater = 0
  let equal = 0
  for (let low = 0; low < length; low = chunkEnd(low)) {
    if ((maxima[low >>> chunkBits] as number) < value) continue
    const high = Math.min(chunkEnd(low), length)
    for (let row = low; row < high; row++) {
      const found = values[row] as number
      if (found > value) greater++
      if (found === value) equal++
    }
  }
  return { rank: greater + 1, equal, of: known }
}
