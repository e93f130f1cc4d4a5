import type { Slots } from '../data/slots.ts'
import type { ReferralsSort } from '../types.ts'

/** The position of a row in a sorted list. Rows with the same value are in join order. */
export interface SortKey {
  value: bigint
  joinIndex: number
}

export function sortKeyOf({ team, joinIndex, legVolume }: Slots, slot: number, sort: ReferralsSort): SortKey {
  const index = joinIndex[slot] as number
  if (sort === 'volume') return { value: legVolume.get(slot), joinIndex: index }
  return { value: BigInt(sort === 'team' ? (team[slot] as number) : index), joinIndex: index }
}

/** Returns a function that compares two slots by their sort keys, ascending. */
export function sortKeyComparer(slots: Slots, sort: ReferralsSort): (left: number, right: number) => number {
  const { team, joinIndex, legVolume } = slots
  if (sort === 'volume')
    return (left, right) =>
      legVolume.compare(left, legVolume, right) || (joinIndex[left] as number) - (joinIndex[right] as number)
  const values = sort === 'team' ? team : joinIndex
  return (left, right) =>
    (values[left] as number) - (values[right] as number) || (joinIndex[left] as number) - (joinIndex[right] as number)
}
