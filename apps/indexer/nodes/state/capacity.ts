/**
 * How much one request to a node may cover: blocks of a range of logs, or requests of a batch. It is learned from what the
 * node served and refused; what its errors say is a first guess only.
 */
export type Capacity = {
  size: number
  /** The smallest size that was refused; `Infinity` if none. */
  refused: number
  /** Requests of this size that were served since the last change. */
  served: number
}

/** Requests after which a refused size is tried again: perhaps only one range held too many logs. */
const retryAfter = 64

export const createCapacity = (size: number): Capacity => ({ size, refused: Number.POSITIVE_INFINITY, served: 0 })

/** Widens after a request of the whole size was served: twice as wide, or half of the way to the refused width. */
export function onServed(capacity: Capacity, size: number, max: number): Capacity {
  if (size < capacity.size) return capacity
  const served = capacity.served + 1
  const refused = served % retryAfter === 0 ? Number.POSITIVE_INFINITY : capacity.refused
  const wider = Math.min(capacity.size * 2, Math.floor((capacity.size + refused) / 2), max)
  // Close to the refused width, another try would cost more than it brings.
  if (refused < Number.POSITIVE_INFINITY && wider - capacity.size < capacity.size / 8)
    return { ...capacity, refused, served }
  return wider > capacity.size ? { size: wider, refused, served: 0 } : { ...capacity, refused, served }
}

/** Narrows after a request was refused: to what the error suggests, or by half. */
export function onRefused(capacity: Capacity, size: number, suggested = 0): Capacity {
  const narrower = suggested > 0 && suggested < size ? suggested : Math.max(Math.floor(size / 2), 1)
  return { size: Math.min(capacity.size, narrower), refused: Math.min(capacity.refused, size), served: 0 }
}
