import { networksOf } from '../lib/visitor.ts'

export type ByteBudgetOptions = {
  /** Bytes that all visitors together may have in flight. */
  total: number
  /** Bytes that one visitor may have in flight. */
  perVisitor: number
}

/** Bytes that one request holds in memory. */
export type ByteShare = {
  /**
   * Adds bytes to the share, or adds none and returns which budget is used up. The first call reserves the request's
   * place, which includes room for as many bytes of the answer.
   */
  take: (bytes: number) => 'taken' | 'visitor_full' | 'server_full'
  /** Returns all bytes of the share to the budget. The share accepts no more afterwards; a second call does nothing. */
  release: () => void
  /** Aborts when the request loses its place to another visitor. */
  signal: AbortSignal
}

/** A request that has its place and no bytes of an answer yet. */
type Waiting = { visitor: string; leave: () => void }

/**
 * Creates the budget of bytes held in memory until they are sent, for all visitors together and for each one. When
 * all places are taken, for example because the nodes hang, a visitor whose network holds less takes the place of the
 * newest waiting request of the network with the most.
 *
 * @example
 * const share = createByteBudget({ total: 32e6, perVisitor: 4e6 }).open('203.0.113.7')
 * if (share.take(65_536) !== 'taken') return tooBusy()
 */
export function createByteBudget({ total, perVisitor }: ByteBudgetOptions) {
  /** Bytes of visitors and of their networks, the widest first. */
  const widths = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  const waiting = new Set<Waiting>()
  let inFlight = 0

  const bytesBy = (visitor: string) => networksOf(visitor).map((network, width) => widths[width]?.get(network) ?? 0)
  const bytesOf = (visitor: string) => bytesBy(visitor).at(-1) ?? 0
  const add = (visitor: string, bytes: number) => {
    inFlight += bytes
    const rests = bytesBy(visitor).map((held) => held + bytes)
    for (const [width, network] of networksOf(visitor).entries())
      if (rests[width] === 0) widths[width]?.delete(network)
      else widths[width]?.set(network, rests[width] ?? 0)
  }
  /** Returns the request that has to make room for one of the visitor. */
  const findLarger = (visitor: string, bytes: number): Waiting | undefined => {
    let most: Waiting | undefined
    for (const one of waiting) if (!most || compare(bytesBy(one.visitor), bytesBy(most.visitor)) >= 0) most = one
    if (!most) return undefined
    // The widest networks in which they differ.
    const [own, other] = [networksOf(visitor), networksOf(most.visitor)]
    const width = own.findIndex((network, index) => network !== other[index])
    return (bytesBy(most.visitor)[width] ?? 0) > (bytesBy(visitor)[width] ?? 0) + bytes ? most : undefined
  }
  const makeRoom = (visitor: string, bytes: number) => {
    while (inFlight + bytes > total) {
      const larger = findLarger(visitor, bytes)
      if (!larger) return
      larger.leave()
    }
  }

  return {
    open(visitor: string): ByteShare {
      let held = 0
      let answered = 0
      let state: 'open' | 'released' = 'open'
      const leaving = new AbortController()
      const release = () => {
        if (state === 'released') return
        state = 'released'
        waiting.delete(place)
        add(visitor, -held)
      }
      const place: Waiting = {
        visitor,
        leave() {
          release()
          leaving.abort()
        },
      }
      return {
        signal: leaving.signal,
        take(bytes) {
          const isFirst = held === 0
          const more = isFirst ? bytes : Math.max(held, answered + bytes) - held
          if (state === 'released' || bytesOf(visitor) + more > perVisitor) return 'visitor_full'
          if (isFirst) makeRoom(visitor, more)
          if (inFlight + more > total) return 'server_full'
          if (isFirst) waiting.add(place)
          else {
            waiting.delete(place)
            answered += bytes
          }
          held += more
          add(visitor, more)
          return 'taken'
        },
        release,
      }
    },
    /** Returns whether other visitors leave no room for a request of the visitor now. */
    isFullFor: (visitor: string, bytes: number): boolean =>
      inFlight + bytes > total && bytesOf(visitor) + bytes <= perVisitor && findLarger(visitor, bytes) === undefined,
    /** Returns the bytes that all visitors have in flight. */
    inFlight: () => inFlight,
  }
}

/** Compares by the first numbers that differ. */
const compare = (left: readonly number[], right: readonly number[]): number =>
  left.map((one, index) => one - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0

export type ByteBudget = ReturnType<typeof createByteBudget>
