import type { Slots } from '../data/slots.ts'
import { amountOf, ceilingMargin } from '../lib/amounts.ts'
import type { Smallest } from '../lib/smallest.ts'
import type { SortKey } from './sortKey.ts'

/** Offers the slots of a range that sort after the cursor to the kept rows. */
export type Scan = (low: number, high: number) => void

export interface ScanOrder {
  order: 'asc' | 'desc'
  /** Sort key of the cursor: only rows after it are offered. */
  after?: SortKey | undefined
}

/**
 * Creates a scan in the order of a column of numbers. Descending orders are mirrored by XOR, so that the loop has one
 * direction.
 */
export function scanNumbers(
  values: Uint32Array,
  { joinIndex }: Slots,
  kept: Smallest,
  { order, after }: ScanOrder,
): Scan {
  const flip = order === 'asc' ? 0 : 0xffff_ffff
  // Subtracted, not XORed: a forged cursor may hold a larger value than 32 bits.
  const mirror = (value: number) => (flip === 0 ? value : 0xffff_ffff - value)
  const afterValue = after ? mirror(Number(after.value)) : -1
  const afterJoin = after ? mirror(after.joinIndex) : -1
  return (low, high) => {
    let last = kept.threshold
    let lastValue = last === undefined ? 2 ** 32 : ((values[last] as number) ^ flip) >>> 0
    let lastJoin = last === undefined ? 0 : ((joinIndex[last] as number) ^ flip) >>> 0
    for (let slot = low; slot < high; slot++) {
      const value = ((values[slot] as number) ^ flip) >>> 0
      if (value > lastValue || value < afterValue) continue
      if (value === lastValue || value === afterValue) {
        const join = ((joinIndex[slot] as number) ^ flip) >>> 0
        if (value === lastValue && join >= lastJoin) continue
        if (value === afterValue && join <= afterJoin) continue
      }
      kept.offer(slot)
      if (kept.threshold === last) continue
      last = kept.threshold as number
      lastValue = ((values[last] as number) ^ flip) >>> 0
      lastJoin = ((joinIndex[last] as number) ^ flip) >>> 0
    }
  }
}

/** Creates a scan in the order of leg volume. Rounded amounts decide most comparisons, exact amounts the others. */
export function scanVolumes({ legVolume, joinIndex }: Slots, kept: Smallest, { order, after }: ScanOrder): Scan {
  const sign = order === 'asc' ? 1 : -1
  const afterAmount = after && amountOf(after.value)
  const first = afterAmount?.ceiling(0)
  const roundedRange = (): [least: number, most: number] => {
    const last = kept.threshold === undefined ? undefined : legVolume.ceiling(kept.threshold)
    const [low, high] = order === 'asc' ? [first, last] : [last, first]
    return [(low ?? 0) * (1 - ceilingMargin), (high ?? Number.POSITIVE_INFINITY) * (1 + ceilingMargin)]
  }
  const isAfterCursor = (slot: number) => {
    if (!after || !afterAmount) return true
    const difference = sign * legVolume.compare(slot, afterAmount, 0)
    return difference > 0 || (difference === 0 && sign * ((joinIndex[slot] as number) - after.joinIndex) > 0)
  }
  return (low, high) => {
    let last = kept.threshold
    let [least, most] = roundedRange()
    for (let slot = low; slot < high; slot++) {
      const rounded = legVolume.ceiling(slot)
      if (rounded < least || rounded > most || !isAfterCursor(slot)) continue
      kept.offer(slot)
      if (kept.threshold === last) continue
      last = kept.threshold
      ;[least, most] = roundedRange()
    }
  }
}
