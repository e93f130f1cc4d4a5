import { filters, type Operation } from '@lineage/referral-api/operations'
import { type LookupId, lookupRoutes, type OperationId } from '@lineage/referral-api/routes'
import { createTokenBuckets, type TokenBuckets } from '@lineage/wallet-kit/siwe-server'
import { ProblemError } from '../lib/problem.ts'
import { networksOf } from '../lib/visitor.ts'
import type { Settings } from '../settings/settings.ts'

/** Limits of each visitor: requests at once (`burst`), then per second. A request may cost more than 1: see `costs`. */
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

/** A limit of a visitor, and what a request takes from it in advance. */
export type Price = { limit: LimitName; cost: number }

/** Returns the price of a request; `undefined` without a limit. Sign-in takes its price itself, also in other servers. */
export function priceOf({ id, tag }: Pick<Operation, 'id' | 'tag'>): Price | undefined {
  if (tag === 'lookups') return { limit: 'lookups', cost: costs.lookup(id as LookupId) }
  if (tag === 'accounts' && !signInIds.includes(id)) return { limit: 'labels', cost: accountCosts[id] ?? 1 }
  const limit = serviceLimits[id]
  return limit && { limit, cost: 1 }
}

const signInIds: readonly OperationId[] = ['nonce', 'verify', 'session', 'signOut']
/** Costs of the requests of an account that cost more than 1: the server calls the webhook. */
const accountCosts: { [id in OperationId]?: number } = { testWebhook: 20, resumeWebhook: 20 }
/** `rpc`: its first call. */
const serviceLimits: { [id in OperationId]?: LimitName } = { live: 'lookups', name: 'names', rpc: 'rpc' }

/** Limits of the networks of a visitor as multiples of the limit of one visitor, the widest network first: see `networksOf`. */
export const networkShares = [32, 8, 1] as const

/** The tokens of a limit that a visitor has left, and the seconds until a price can be paid. */
type Quote = { left: number; seconds: number }
type NetworkBuckets = Pick<TokenBuckets, 'take' | 'charge'> & { quote: (visitor: string, cost: number) => Quote }

/** Creates buckets of visitors and of their networks. A visitor takes tokens from each of them. */
function createNetworkBuckets({ burst, perSecond }: Limits[LimitName]): NetworkBuckets {
  const widths = networkShares.map((share) =>
    createTokenBuckets({ burst: burst * share, perSecond: perSecond * share }),
  )
  function charge(visitor: string, cost: number): void {
    if (cost === 0) return
    const networks = networksOf(visitor)
    for (const [width, buckets] of widths.entries()) buckets.charge(networks[width] ?? '', cost)
  }
  return {
    take(visitor, cost) {
      const networks = networksOf(visitor)
      const waits = widths.map((buckets, width) => buckets.take(networks[width] ?? '', cost))
      const longest = Math.max(...waits)
      if (longest > 0)
        for (const [width, wait] of waits.entries()) if (wait === 0) widths[width]?.charge(networks[width] ?? '', -cost)
      return longest
    },
    charge,
    quote(visitor, cost) {
      const networks = networksOf(visitor)
      const quote = { left: burst, seconds: 0 }
      for (const [width, buckets] of widths.entries()) {
        const left = buckets.left(networks[width] ?? '')
        const missing = (cost - left) / (perSecond * (networkShares[width] ?? 1))
        quote.left = Math.min(quote.left, left)
        quote.seconds = Math.max(quote.seconds, Math.ceil(missing))
      }
      return quote
    },
  }
}

/** Creates the rate limits of all visitors. They hold for each server. */
export function createLimits(limits: Limits) {
  const entries = Object.entries(limits).map(([name, limit]) => [name, createNetworkBuckets(limit)])
  const buckets = Object.fromEntries(entries) as Record<LimitName, NetworkBuckets>
  const policies = new Map(Object.entries(limits).map(([name, limit]) => [name, toPolicy(name, limit)]))
  return {
    ...buckets,
    /** Takes `cost` from a visitor's limit. @throws {ProblemError} if the limit is used up */
    require(name: LimitName, visitor: string, cost = 1): void {
      const seconds = buckets[name].take(visitor, cost)
      if (seconds > 0) throw new ProblemError(...tooMany(seconds))
    },
    /**
     * Returns the seconds until a visitor can pay a price, without taking it, and the headers that say what is left
     * afterwards: `"lookups";r=599;t=1` are 599 now, and all of them again in a second.
     *
     * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/11/
     */
    quote(visitor: string, { limit, cost }: Price): { seconds: number; headers: [name: string, value: string][] } {
      const { burst, perSecond } = limits[limit]
      const { left, seconds } = buckets[limit].quote(visitor, cost)
      const after = Math.max(0, Math.floor(seconds > 0 ? left : left - cost))
      const full = seconds > 0 ? seconds : Math.ceil((burst - after) / perSecond)
      return {
        seconds,
        headers: [
          ['ratelimit-policy', policies.get(limit) ?? ''],
          ['ratelimit', `"${limit}";r=${after};t=${full}`],
        ],
      }
    },
  }
}

/** Describes a limit: `"lookups";q=600;w=10` are 600 in 10 seconds, all of which may come at once. */
const toPolicy = (name: string, { burst, perSecond }: Limits[LimitName]): string =>
  `"${name}";q=${burst};w=${Math.ceil(burst / perSecond)}`

/** Returns the problem of a visitor whose limit is used up. */
export const tooMany = (seconds: number) =>
  ['rate_limited', `Too many requests. Try again in ${seconds} s.`, { retryAfter: seconds }] as const

/** Costs of requests for the limits of their visitors. */
export const costs = {
  /** Cost of a lookup, which is charged in advance. */
  lookup: (id: LookupId): number => (id === 'batch' || /\.(csv|parquet)$/.test(lookupRoutes[id]) ? 20 : 1),
  /**
   * Extra cost of a downline as CSV with a filter: 100, because it may read millions of members for each row. It is
   * charged without a check, so that a limit below it does not refuse every such request.
   */
  filter: ({ id, query }: { id: LookupId; query: object }): number =>
    id === 'referralsCsv' && Object.entries(query).some(([name, value]) => value !== undefined && name in filters)
      ? 100
      : 0,
  /**
   * Extra cost of a lookup: 1 for each millisecond beyond 20 that it took. A page in the middle of millions of members
   * costs more than the first, and a visitor can make up a cursor to one.
   */
  work: (milliseconds: number): number => Math.max(0, Math.floor(milliseconds - 20)),
  /** Extra cost of a part of a file: 1 for each 20 ms that it took. */
  filePart: (milliseconds: number): number => milliseconds / 20,
  /** Extra cost of labels: 1 for each 20 written, and 1 for each 100 read. */
  labels: (labels: number, access: 'read' | 'written'): number => Math.floor(labels / (access === 'read' ? 100 : 20)),
  /** Extra cost of an answer of `/v1/rpc`: 1 for each 32 kB, and 1 for each 250 ms that the node took. */
  rpc: ({ bytes, milliseconds }: { bytes: number; milliseconds: number }): number =>
    Math.floor(bytes / 32_768) + Math.floor(milliseconds / 250),
}
