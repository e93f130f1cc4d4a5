import type { Address, Community, Member, MemberSummary, ReferralApiError, ReferralClient } from '@lineage/referral-api'
import type { Client } from 'viem'
import { pause } from '../../lib/pause.ts'
import { type Hop, readParents, watchNodes } from './readParents.ts'

/** How far a check has come. Rows count from the member, who is 0. */
export type Progress = {
  /** So many rows from the member on. */
  checked: number
  hops: Map<Address, Hop>
  /** Rows, from the member on. */
  differs: number[]
  unreadable: number[]
  /** Who answered: the chain's nodes, or this site's server in their place. */
  answeredBy: 'nodes' | 'server'
}

type Parameters = {
  api: ReferralClient
  client: Client
  community: Community & { parentView: string }
  member: Member
  /** Goes on from here, and is brought forward. */
  progress: Progress
  onProgress: () => void
  signal: AbortSignal
}

/** So many are asked for at once: two multicalls, and an answer to be seen soon. */
const portion = 200
/** So many without any answer: the rest would wait for nothing. */
const silence = 50

/**
 * Asks the contract for the referrer of each member from `member` up to the root, portion after portion; the next comes from
 * the index meanwhile. Resolves with `silent` when the contract, or the nodes, have stopped answering.
 *
 * @throws {ReferralApiError} when the index does not answer; what was checked until then stays
 */
export async function checkLine(parameters: Parameters): Promise<'done' | 'silent'> {
  const { client, community, progress, onProgress, signal } = parameters
  const { contract, parentView: view } = community
  const answeredBy = watchNodes(client, new URL('/v1/rpc', window.location.origin).href)
  let coming = readRows(parameters, progress.checked)
  for (;;) {
    const rows = await coming
    const links = rows.flatMap(({ address, referrer }) => (referrer ? [{ address, referrer }] : []))
    const isLast = links.length === 0 || links.length < rows.length
    const from = progress.checked
    if (!isLast) {
      coming = readRows(parameters, from + links.length)
      // Heard of when it is its turn.
      coming.catch(() => undefined)
    }
    const hops = await readParents({ client, contract, view, links })
    signal.throwIfAborted()
    for (const [at, [address, hop]] of hops.entries()) {
      progress.hops.set(address, hop)
      if (hop.kind !== 'agrees') progress[hop.kind].push(from + at)
    }
    progress.checked += links.length
    progress.answeredBy = answeredBy()
    onProgress()
    if (isLast) return 'done'
    if (links.length >= silence && hops.every(([, { kind }]) => kind === 'unreadable')) return 'silent'
  }
}

async function readRows({ api, community, member, signal }: Parameters, from: number): Promise<MemberSummary[]> {
  const isFirst = from === 0
  for (;;) {
    try {
      const page = isFirst ? { limit: portion - 1 } : { skip: from - 1, limit: portion }
      const { items } = await api.referrers(community.id, member.address, { ...page, signal })
      return isFirst ? [member, ...items] : items
    } catch (error) {
      const { code, retryAfter = 5 } = error as ReferralApiError
      if (code !== 'rate_limited') throw error
      await pause(retryAfter * 1_000, signal)
    }
  }
}
