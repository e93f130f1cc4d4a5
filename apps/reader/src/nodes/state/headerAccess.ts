import { type Capacity, createCapacity, onRefused, onServed } from './capacity.ts'

/** Ways in which one node serves the headers of blocks. */
export type HeaderAccess = {
  /** `header`: the node offers `eth_getHeaderByNumber`. `block`: a block without its transactions, with all their hashes. */
  method: 'header' | 'block'
  /** Largest number of headers in one batch. */
  batch: Capacity
}

/** Largest batch: more would make one response slow without any gain. */
const maxBatch = 100

export const initialHeaders: HeaderAccess = { method: 'block', batch: createCapacity(maxBatch) }

export const onBatchServed = (headers: HeaderAccess, size: number): HeaderAccess => ({
  ...headers,
  batch: onServed(headers.batch, size, maxBatch),
})

export const onBatchRefused = (headers: HeaderAccess, size: number): HeaderAccess => ({
  ...headers,
  batch: onRefused(headers.batch, size),
})

/**
 * Halves batches while a node rate-limits them, because it may count their requests. The node has not said that they
 * are too large.
 */
export function onBatchLimited(headers: HeaderAccess, size: number): HeaderAccess {
  const { batch } = headers
  return { ...headers, batch: { ...batch, size: Math.min(batch.size, Math.max(Math.floor(size / 2), 2)) } }
}
