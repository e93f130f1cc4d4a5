import type { Address, Member, ReferralApiError, ReferralClient } from '@lineage/referral-api'
import { delay } from '../../lib/delay.ts'

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

type Line = { api: ReferralClient; community: string; a: Address; b: Address }

/** Reads the line between two members; the hop of the address above both is not part of it. */
export const readLine =
  ({ api, community, a, b }: Line): ReadLinks =>
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
