import type { Address, Amounts, Line, Member, PastLine, ReferralApiError, ReferralClient } from '@lineage/referral-api'
import { refreshEvery, retryDelay, useAnswer } from '../../lib/api.ts'
import { delay } from '../../lib/delay.ts'
import { useFormat } from '../../lib/format.ts'
import { usePages } from '../../lib/pages.ts'
import type { Days } from '../../paths.ts'
import { refreshPast } from '../../shared/past/queries.ts'
import { withOwn } from '../../shared/period/queries.ts'

/** Referrers per page. */
export const pageSize = 50

export const pageKey = (community: string, address: Address, page: number) =>
  [community, 'referrers', address, page] as const

/** Loads one page (0-based) of a member's upline. Pages load independently; one that scrolls away is cancelled. */
export const useReferrers = (community: string, address: Address, page: number) =>
  useAnswer(
    pageKey(community, address, page),
    async (api, signal) => {
      // Skip pages that are only scrolled past.
      if (page > 0) await delay(80, signal)
      return api.referrers(community, address, { ...(page > 0 && { skip: page * pageSize }), limit: pageSize, signal })
    },
    {
      // A re-bind far above changes nothing of the member itself.
      refetchInterval: refreshEvery(30_000),
      refetchOnWindowFocus: false,
      staleTime: 30_000,
      gcTime: 60_000,
    },
  )

/** Loads how two members are related. */
export const useRelation = (community: string, a: Address, b: Address) =>
  useAnswer([community, 'relation', a, b], (api, signal) => api.relation(community, a, b, { signal }))

/** Loads how two members were related at a past moment. */
export function usePastRelation(community: string, a: Address, b: Address, asOf: string) {
  const tz = useFormat().timeZone
  return useAnswer(
    [community, 'past', 'relation', a, b, asOf, tz],
    (api, signal) => api.relation(community, a, b, { asOf, tz, signal }),
    { refetchInterval: refreshPast, refetchOnWindowFocus: false },
  )
}

/** Loads the line between two members, now or at a past moment, page by page. */
export function useLine(community: string, a: Address, b: Address, asOf: string | undefined) {
  const tz = useFormat().timeZone
  return usePages(
    asOf === undefined ? [community, 'line', a, b, 'pages'] : [community, 'past', 'line', a, b, asOf, tz],
    (api, page): Promise<Line | PastLine> => {
      const options = { limit: 200, ...page }
      return asOf === undefined
        ? api.line(community, a, b, options)
        : api.line(community, a, b, { ...options, asOf, tz })
    },
  )
}

/** Loads the binds that concern the teams of two members in a period, as of a block or day, page by page. */
export function usePairBinds(community: string, { a, b, asOf, days: { from, to } }: PairPeriod) {
  const tz = useFormat().timeZone
  return usePages(
    [community, 'past', 'pairBinds', a, b, asOf, from, to, tz],
    (api, page) => api.pairBinds(community, { a, b, asOf, from, to, tz, limit: 200, ...page }),
    { refetchInterval: untilLoaded },
  )
}

type Loading = { state: { data?: unknown; error: ReferralApiError | null } }

/** Returns when to ask again for an answer of a fixed block, which another server may not have yet. */
const untilLoaded = ({ state: { data, error } }: Loading) =>
  data ? false : error?.code === 'block_not_indexed' ? 5_000 : retryDelay(error)

/** Two members, a period, and the moment of which binds and teams are. */
export type PairPeriod = { a: Address; b: Address; asOf: string; days: Days }

/** Adds up the amounts of two members in a period, each with its team, as of a block or day. */
export function usePairAmounts(community: string, { a, b, asOf, days: { from, to } }: PairPeriod) {
  const tz = useFormat().timeZone
  return useAnswer(
    [community, 'past', 'pairAmounts', a, b, asOf, from, to, tz],
    async (api, signal) => {
      // Up to that moment, so that the teams are those of the binds.
      const read = async (address: Address) =>
        sumUntil(to, (await api.amounts(community, address, { from, to: asOf, tz, signal })).items)
      const [left, right] = await Promise.all([read(a), read(b)])
      return { a: left, b: right }
    },
    { refetchInterval: untilLoaded },
  )
}

/** Adds up amounts by day up to a day, which is included, of members together with their teams. */
function sumUntil(last: string, items: Amounts['items']): Record<'volume' | 'rewards', string> {
  const days = items.filter(({ from }) => from <= last)
  const sumOf = (name: 'volume' | 'rewards') =>
    String(days.reduce((sum, amounts) => sum + BigInt(withOwn(amounts, name)), 0n))
  return { volume: sumOf('volume'), rewards: sumOf('rewards') }
}

/** Links of a line from `cursor` on, with their rows; `next` is `undefined` at the end. */
export type ReadLinks = (
  cursor: string | undefined,
  signal: AbortSignal,
) => Promise<{ links: (Link & { row: number })[]; next: string | undefined }>

/** Rows per request: two multicalls, so that progress shows soon. */
const portion = 200

type Upline = { api: ReferralClient; community: string; member: Member }

/** Reads the upline of a member, which is row 0. */
export const readUpline =
  ({ api, community, member }: Upline): ReadLinks =>
  async (cursor, signal) => {
    const from = Number(cursor ?? 0)
    const page = from === 0 ? { limit: portion - 1 } : { skip: from - 1, limit: portion }
    const { items } = await waitWhileBusy(() => api.referrers(community, member.address, { ...page, signal }), signal)
    const rows = from === 0 ? [member, ...items] : items
    const links = rows.flatMap(({ address, referrer }, at) => (referrer ? [{ address, referrer, row: from + at }] : []))
    const isLast = links.length === 0 || links.length < rows.length
    return { links, next: isLast ? undefined : String(from + links.length) }
  }

type LineParts = { api: ReferralClient; community: string; a: Address; b: Address }

/** Reads the line between two members; the hop of the address above both is not part of it. */
export const readLine =
  ({ api, community, a, b }: LineParts): ReadLinks =>
  async (cursor, signal) => {
    const read = () => api.line(community, a, b, { cursor, limit: portion, signal })
    const { items, nextCursor } = await waitWhileBusy(read, signal)
    const links = items.flatMap(({ address, referrer, step, side }) =>
      referrer && side !== 'common' ? [{ address, referrer, row: step }] : [],
    )
    return { links, next: nextCursor ?? undefined }
  }

/** Reads a list of members that is known, each of them once. */
export const readList =
  (all: readonly Link[]): ReadLinks =>
  async (cursor) => {
    const from = Number(cursor ?? 0)
    const end = from + portion
    const links = all.slice(from, end).map((link, at) => ({ ...link, row: from + at }))
    return { links, next: end < all.length ? String(end) : undefined }
  }

/** Retries while there are too many requests. */
async function waitWhileBusy<answer>(ask: () => Promise<answer>, signal: AbortSignal): Promise<answer> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const { code, retryAfter = 5 } = error as ReferralApiError
      if (code !== 'rate_limited') throw error
      await delay(retryAfter * 1_000, signal)
    }
  }
}

/** The contract's referrer of a member compared with the index. `null`: the contract has none. */
export type Hop = { kind: 'agrees' } | { kind: 'differs'; referrer: Address | null } | { kind: 'unreadable' }

/** A member and its referrer according to the index. */
export type Link = { address: Address; referrer: Address }
