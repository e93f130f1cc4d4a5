export type TokenBuckets = {
  /** Takes `cost` tokens of `key`. Answers 0, or in how many seconds there will be enough. */
  take: (key: string, cost: number) => number
  /** Takes `cost` tokens whether or not they are there: what is lacking is owed. */
  charge: (key: string, cost: number) => void
}

/**
 * A token bucket a key: `burst` at once, `perSecond` from then on. Full buckets are forgotten, so the memory follows the
 * visitors of the last seconds.
 *
 * @example createTokenBuckets({ burst: 100, perSecond: 20 }).take('203.0.113.7', 1)
 */
export function createTokenBuckets({ burst, perSecond, now = Date.now }: TokenBucketsParameters): TokenBuckets {
  const buckets = new Map<string, { tokens: number; at: number }>()
  let sweptAt = now()

  const filled = ({ tokens, at }: { tokens: number; at: number }, time: number) =>
    Math.min(burst, tokens + ((time - at) / 1000) * perSecond)

  function sweep(time: number) {
    if (time - sweptAt < (burst / perSecond) * 1000) return
    sweptAt = time
    for (const [key, bucket] of buckets) if (filled(bucket, time) >= burst) buckets.delete(key)
  }

  return {
    take(key, cost) {
      const time = now()
      sweep(time)
      const tokens = filled(buckets.get(key) ?? { tokens: burst, at: time }, time)
      const enough = tokens >= cost
      buckets.set(key, { tokens: enough ? tokens - cost : tokens, at: time })
      return enough ? 0 : Math.max(1, Math.ceil((cost - tokens) / perSecond))
    },
    charge(key, cost) {
      const time = now()
      const tokens = filled(buckets.get(key) ?? { tokens: burst, at: time }, time)
      buckets.set(key, { tokens: tokens - cost, at: time })
    },
  }
}

export type TokenBucketsParameters = { burst: number; perSecond: number; now?: () => number }
