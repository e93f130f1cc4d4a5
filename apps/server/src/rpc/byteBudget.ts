export type ByteBudgetOptions = {
  /** Bytes all visitors together may have in flight. */
  total: number
  /** Bytes one visitor may have in flight. */
  perVisitor: number
}

/** The bytes of one request that are held in memory. */
export type ByteShare = {
  /** Adds bytes to the share, or adds none and returns which budget is used up. */
  take: (bytes: number) => 'taken' | 'visitor_full' | 'server_full'
  /** Gives all bytes of the share back. Can be repeated. */
  release: () => void
}

/**
 * Counts the bytes that are held in memory until they are sent, for all visitors together and for each one.
 *
 * @example
 * const share = createByteBudget({ total: 32e6, perVisitor: 4e6 }).open('203.0.113.7')
 * if (share.take(65_536) !== 'taken') return tooBusy()
 */
export function createByteBudget({ total, perVisitor }: ByteBudgetOptions) {
  const byVisitor = new Map<string, number>()
  let inFlight = 0

  const add = (visitor: string, bytes: number) => {
    inFlight += bytes
    const rest = (byVisitor.get(visitor) ?? 0) + bytes
    if (rest === 0) byVisitor.delete(visitor)
    else byVisitor.set(visitor, rest)
  }

  return {
    open(visitor: string): ByteShare {
      let held = 0
      return {
        take(bytes) {
          if ((byVisitor.get(visitor) ?? 0) + bytes > perVisitor) return 'visitor_full'
          if (inFlight + bytes > total) return 'server_full'
          held += bytes
          add(visitor, bytes)
          return 'taken'
        },
        release() {
          add(visitor, -held)
          held = 0
        },
      }
    },
    /** The bytes all visitors have in flight. */
    inFlight: () => inFlight,
  }
}

export type ByteBudget = ReturnType<typeof createByteBudget>
