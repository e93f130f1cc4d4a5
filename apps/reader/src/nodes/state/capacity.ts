/**
 * Amount that one request to a node may cover: blocks of a range of logs, or requests of a batch. It is learned from
 * served and refused requests; a number in an error is only a first guess.
 */
export type Capacity = {
  size: number
  /** Smallest refused size; `Infinity` if none. */
  refused: number
  /** Number of served requests of this size since the last change. */
  served: number
}

/** Number of requests after which a refused size is tried again: perhaps only one range had too many logs. */
const retryAfter = 64

export const createCapacity = (size: number): Capacity => ({ size, refused: Number.POSITIVE_INFINITY, served: 0 })

/** Widens after a request of the full size was served: to twice the size, or halfway to the refused size. */
export function onServed(capacity: Capacity, size: number, max: number): Capacity {
  if (size < capacity.size) return capacity
  const served = capacity.served + 1
  const refused = served % retryAfter === 0 ? Number.POSITIVE_INFINITY : capacity.refused
  const wider = Math.min(capacity.size * 2, Math.floor((capacity.size + refused) / 2), max)
  // Close to the refused size, another attempt would cost more than it gains.
  if (refused < Number.POSITIVE_INFINITY && wider - capacity.size < capacity.size / 8)
    return { ...capacity, refused, served }
  return wider > capacity.size ? { size: wider, refused, served: 0 } : { ...capacity, refused, served }
}

/** Narrows after a request was refused: to the size in the error, or by half. */
export function onRefused(capacity: Capacity, size: number, suggested = 0): Capacity {
  const narrower = suggested > 0 && suggested < size ? suggested : Math.max(Math.floor(size / 2), 1)
  return { size: Math.min(capacity.size, narrower), refused: Math.min(capacity.refused, size), served: 0 }
}
