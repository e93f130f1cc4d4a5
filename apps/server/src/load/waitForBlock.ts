import { notIndexed } from '../lib/problem.ts'
import type { Index, LookupRequest } from '../lookups/Index.ts'

/** Blocks above the newest one of the nodes that another server may have seen meanwhile. */
const ahead = 100
/** Longest wait, in milliseconds. */
const patience = 1_000
const most = { perVisitor: 32, total: 1_000 }

type WaitForBlock = (visitor: string, request: Asked, signal?: AbortSignal) => Promise<void>
type Asked = Pick<LookupRequest, 'path' | 'atLeast'>

/**
 * Creates the function that waits until the index has the block that a visitor has seen on another server. It throws the
 * problem `unavailable` after a second, or at once if too many wait or if no server can have the block.
 */
export function createBlockWait(index: Pick<Index, 'stateOf' | 'status' | 'subscribe'>): WaitForBlock {
  /** Number of waits by visitor. */
  const waits = new Map<string, number>()
  let total = 0

  function count(visitor: string, change: 1 | -1): void {
    const left = (waits.get(visitor) ?? 0) + change
    if (left > 0) waits.set(visitor, left)
    else waits.delete(visitor)
    total += change
  }

  return async (visitor, { path: { community }, atLeast }, signal) => {
    const state = community === undefined ? undefined : index.stateOf(community)
    if (!state || state.asOf.block >= atLeast) return
    const newest = Math.max(state.asOf.block, index.status().headBlock ?? 0)
    const isFull = total >= most.total || (waits.get(visitor) ?? 0) >= most.perVisitor
    if (isFull || atLeast > newest + ahead) throw notIndexed(atLeast)
    count(visitor, 1)
    const ends: (() => void)[] = []
    try {
      await new Promise<void>((resolve, reject) => {
        const stop = index.subscribe((change) => {
          if (change.community === community && change.asOf.block >= atLeast) resolve()
        })
        const timer = setTimeout(() => reject(notIndexed(atLeast)), patience)
        const leave = () => reject(signal?.reason)
        signal?.addEventListener('abort', leave)
        ends.push(
          stop,
          () => clearTimeout(timer),
          () => signal?.removeEventListener('abort', leave),
        )
      })
    } finally {
      for (const end of ends) end()
      count(visitor, -1)
    }
  }
}
