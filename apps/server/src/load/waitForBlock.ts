import { createPlaces } from '../lib/places.ts'
import { notIndexed } from '../lib/problem.ts'
import { networksOf } from '../lib/visitor.ts'
import type { Index, LookupRequest } from '../lookups/Index.ts'

/** Blocks above the newest one of the nodes that another server may have seen meanwhile. */
const ahead = 100
/** Number of waits, and the longest one, in milliseconds. */
export const waits = { perVisitor: 32, total: 1_000, patience: 1_000 } as const

type WaitForBlock = (visitor: string, request: Asked, signal?: AbortSignal) => Promise<void>
type Asked = Pick<LookupRequest, 'path' | 'atLeast'>

/**
 * Creates the function that waits until the index has the block that a visitor has seen on another server. It throws the
 * problem `unavailable` after a second, or at once if no server can have the block or all places are taken. A network that
 * holds most of them loses one to a visitor of another.
 */
export function createBlockWait(index: Pick<Index, 'stateOf' | 'status' | 'subscribe'>): WaitForBlock {
  const places = createPlaces<() => void>()

  return async (visitor, { path: { community }, atLeast }, signal) => {
    const state = community === undefined ? undefined : index.stateOf(community)
    if (!state || state.asOf.block >= atLeast) return
    const newest = Math.max(state.asOf.block, index.status().headBlock ?? 0)
    const networks = networksOf(visitor)
    const loser = places.count() >= waits.total ? places.findLoser(networks) : undefined
    const isFull = (places.count() >= waits.total && !loser) || places.count(networks) >= waits.perVisitor
    if (isFull || atLeast > newest + ahead) throw notIndexed(atLeast)
    loser?.()
    const ends: (() => void)[] = []
    try {
      await new Promise<void>((resolve, reject) => {
        const giveUp = () => reject(notIndexed(atLeast))
        const leavePlace = places.take(networks, giveUpPlace)
        function giveUpPlace(): void {
          leavePlace()
          giveUp()
        }
        const stop = index.subscribe((change) => {
          if (change.community === community && change.asOf.block >= atLeast) resolve()
        })
        const timer = setTimeout(giveUp, waits.patience)
        const leave = () => reject(signal?.reason)
        signal?.addEventListener('abort', leave)
        ends.push(
          stop,
          leavePlace,
          () => clearTimeout(timer),
          () => signal?.removeEventListener('abort', leave),
        )
      })
    } finally {
      for (const end of ends) end()
    }
  }
}
