import { DownlineChangedError } from '../errors.ts'
import { SlotList } from '../lib/slotList.ts'
import type { Slices } from '../types.ts'
import type { Slots } from './slots.ts'

/** Largest number of pairs kept. */
const most = 100_000
/** Number of slots read in one slice. */
const sliceSlots = 100_000

/**
 * Creates a function that finds members of the snapshot who joined before their referrers, which were bound later. It returns
 * slots in pairs, a member and its referrer, by ascending member; `undefined` if there are too many.
 */
export function createEarlyJoins(slots: Slots) {
  /** The snapshot that was read last. */
  let last: { below: Uint32Array; pairs: SlotList | undefined } | undefined
  return function* find(): Slices<SlotList | undefined> {
    const { below, joinIndex } = slots
    if (last?.below === below) return last.pairs
    let pairs: SlotList | undefined = new SlotList()
    for (let slot = 0; slot < below.length - 1 && pairs; slot++) {
      const joined = joinIndex[slot] as number
      const end = below[slot + 1] as number
      for (let child = below[slot] as number; child < end; child++)
        if ((joinIndex[child] as number) < joined) {
          pairs.push(child)
          pairs.push(slot)
        }
      if (pairs.length > most * 2) pairs = undefined
      if ((slot + 1) % sliceSlots !== 0) continue
      yield
      if (slots.below !== below) throw new DownlineChangedError()
    }
    last = { below, pairs }
    return pairs
  }
}
