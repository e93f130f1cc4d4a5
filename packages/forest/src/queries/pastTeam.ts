import type { ForestData } from '../data/forestData.ts'
import type { Past } from '../downline/past.ts'
import { countLevels } from '../downline/pastCounts.ts'
import { SlotLabels } from '../downline/slotLabels.ts'
import type { Slices } from '../types.ts'

/** Creates a function that returns whether a node was in the downline of `top` at a past moment. */
export function* createPastTeam(data: ForestData, past: Past, top: number): Slices<(node: number) => boolean> {
  const { slots } = data
  const labels = new SlotLabels()
  yield* countLevels(data, past, top, (ranges) => labels.addRanges(ranges, 1))
  return (node) => {
    const slot = slots.slotOf[node] as number
    return past.hasJoined(slot) && labels.find(slot) !== undefined
  }
}
