import { ProblemError } from '../lib/problem.ts'

export type StreamLimitParameters = {
  /** Maximum number of streams of all visitors. */
  streams: number
  perVisitor: number
}

/** Creates the limit of open streams: a number of places, of which each visitor can take a few. */
export function createStreamLimit({ streams, perVisitor }: StreamLimitParameters) {
  const visitors = new Map<string, number>()
  const ends = new Set<() => void>()

  function count(visitor: string, by: 1 | -1): void {
    const rest = (visitors.get(visitor) ?? 0) + by
    if (rest === 0) visitors.delete(visitor)
    else visitors.set(visitor, rest)
  }

  return {
    /**
     * Takes a place for a stream, which `end` ends. Returns a function that frees it.
     *
     * @throws {ProblemError} if there is none
     */
    take(visitor: string, end: () => void): () => void {
      if (ends.size >= streams)
        throw new ProblemError('unavailable', 'The server has reached its limit of streams. Try again in 30 s.', {
          retryAfter: 30,
        })
      if ((visitors.get(visitor) ?? 0) >= perVisitor)
        throw new ProblemError(
          'rate_limited',
          `You have reached the limit of ${perVisitor} streams. Close one, or try again in 30 s.`,
          { retryAfter: 30 },
        )
      ends.add(end)
      count(visitor, 1)
      return () => {
        ends.delete(end)
        count(visitor, -1)
      }
    },
    get size() {
      return ends.size
    },
    endAll(): void {
      for (const end of ends) end()
    },
  }
}
