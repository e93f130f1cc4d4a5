import type { LookupId } from '@lineage/referral-api/routes'
import { createTokenBuckets, type TokenBuckets } from '@lineage/wallet-kit/siwe-server'
import { problem } from '../lib/problem.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * Limits of each visitor: requests at once (`burst`), then per second. A lookup may cost more than 1: see
 * `lookupCost`.
 */
export const defaultLimits = {
  lookups: { burst: 600, perSecond: 60 },
  rpc: { burst: 200, perSecond: 20 },
  names: { burst: 200, perSecond: 20 },
  labels: { burst: 200, perSecond: 20 },
  signIn: { burst: 120, perSecond: 2 },
}

export type LimitName = keyof typeof defaultLimits
export type Limits = Record<LimitName, { burst: number; perSecond: number }>

/** Returns the default limits, changed by the settings. */
export const limitsOf = ({
  lookupsPerSecond,
  rpcPerSecond,
}: Pick<Settings, 'lookupsPerSecond' | 'rpcPerSecond'>): Limits => ({
  ...defaultLimits,
  lookups: { burst: 10 * lookupsPerSecond, perSecond: lookupsPerSecond },
  rpc: { burst: 10 * rpcPerSecond, perSecond: rpcPerSecond },
})

/** Creates the rate limits of all visitors. */
export function createLimits(limits: Limits) {
  const entries = Object.entries(limits).map(([name, limit]) => [name, createTokenBuckets(limit)])
  const buckets = Object.fromEntries(entries) as Record<LimitName, TokenBuckets>
  return {
    ...buckets,
    /** Takes `cost` from a visitor's limit. Returns a response if the limit is used up. */
    refuse: (name: LimitName, visitor: string, cost = 1): Response | undefined => {
      const seconds = buckets[name].take(visitor, cost)
      if (seconds === 0) return undefined
      const detail = `Too many requests. Try again in ${seconds} s.`
      return problem('rate_limited', { detail, retryAfter: seconds })
    },
  }
}

/** Costs of the lookups that cost more than 1. */
const lookupCosts: { [id in LookupId]?: number } = { batch: 20, referralsCsv: 20, memberEventsCsv: 20 }

/** Returns the cost of a lookup, which is charged in advance. */
export const lookupCost = (id: LookupId): number => lookupCosts[id] ?? 1

/**
 * Returns the extra cost of a downline as CSV with a filter: 100, because it may read millions of members for each
 * row. It is charged without a check, so that a limit below it does not refuse every such request.
 */
export const filterSurcharge = (id: LookupId, target: string): number =>
  id === 'referralsCsv' && /\?./.test(target) ? 100 : 0

/**
 * Returns the extra cost of a lookup: 1 for each millisecond beyond 20 that the indexer worked on it. A page in the
 * middle of millions of members costs more than the first, and a visitor can make up a cursor to one.
 */
export function lookupSurcharge(serverTiming: string | null): number {
  const milliseconds = Number(/\bwork;dur=(\d+(?:\.\d+)?)/.exec(serverTiming ?? '')?.[1] ?? 0)
  return Math.max(0, Math.floor(milliseconds - 20))
}

/** Cost of a webhook test, charged like a request of the account. */
export const testCost = 20

/** Returns the extra cost of labels: 1 for each 20 written, and 1 for each 100 read. */
export const labelsSurcharge = (labels: number, access: 'read' | 'written'): number =>
  Math.floor(labels / (access === 'read' ? 100 : 20))

/** Returns the extra cost of an answer of `/v1/rpc`: 1 for each 32 kB, and 1 for each 250 ms that the node took. */
export const rpcSurcharge = ({ bytes, milliseconds }: { bytes: number; milliseconds: number }): number =>
  Math.floor(bytes / 32_768) + Math.floor(milliseconds / 250)
