export type TokenBucketsOptions = {
  /** Number of tokens in a full bucket, which can be taken at once. */
  burst: number
  /** Tokens added to each bucket per second. */
  perSecond: number
  /** Milliseconds that only increase. Default: `performance.now`, which does not follow a clock that is set back. */
  now?: (() => number) | undefined
}

/** Buckets of tokens, one for each key. */
export type TokenBuckets = {
  /**
   * Takes `cost` tokens from the bucket of `key` and returns 0, or takes none and returns the seconds to wait.
   *
   * @param key - What is limited, such as the address of a client.
   * @param cost - Number of tokens.
   */
  take: (key: string, cost: number) => number
  /**
   * Takes `cost` tokens in any case. Missing tokens must be refilled before the next `take` succeeds.
   *
   * @param key - What is limited, such as the address of a client.
   * @param cost - Number of tokens.
   */
  charge: (key: string, cost: number) => void
  /**
   * Returns the number of tokens in the bucket of `key` now, negative after a charge beyond them.
   *
   * @param key - What is limited, such as the address of a client.
   */
  left: (key: string) => number
}

/**
 * Creates rate limits with one token bucket per key. Full buckets are forgotten, so only recently used keys take
 * memory.
 *
 * @param options - The size of a bucket, and how fast it fills.
 * @example
 * const buckets = createTokenBuckets({ burst: 100, perSecond: 20 })
 * const secondsToWait = buckets.take('203.0.113.7', 1)
 */
export function createTokenBuckets({
  burst,
  perSecond,
  now = () => performance.now(),
}: TokenBucketsOptions): TokenBuckets {
  const buckets = new Map<string, { tokens: number; at: number }>()
  let sweptAt = now()

  const tokensAt = (time: number, bucket = { tokens: burst, at: time }) =>
    Math.min(burst, bucket.tokens + ((time - bucket.at) / 1000) * perSecond)

  function forgetFullBuckets(time: number) {
    if (time - sweptAt < (burst / perSecond) * 1000) return
    sweptAt = time
    for (const [key, bucket] of buckets) if (tokensAt(time, bucket) >= burst) buckets.delete(key)
  }

  return {
    take(key, cost) {
      const time = now()
      forgetFullBuckets(time)
      const tokens = tokensAt(time, buckets.get(key))
      if (tokens < cost) return Math.max(1, Math.ceil((cost - tokens) / perSecond))
      buckets.set(key, { tokens: tokens - cost, at: time })
      return 0
    },
    charge(key, cost) {
      const time = now()
      buckets.set(key, { tokens: tokensAt(time, buckets.get(key)) - cost, at: time })
    },
    left: (key) => tokensAt(now(), buckets.get(key)),
  }
}
