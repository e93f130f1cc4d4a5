import type { Address, Community, Member, MemberSummary, ReferralApiError, ReferralClient } from '@lineage/referral-api'
import type { Client } from 'viem'
import { delay } from '../../lib/delay.ts'
import { type Hop, readParents, watchNodes } from './readParents.ts'

/** Progress of a check. The member is row 0. */
export type Progress = {
  /** Number of checked rows. */
  checked: number
  hops: Map<Address, Hop>
  /** Rows that differ. */
  differs: number[]
  unreadable: number[]
  /** `server`: this site's `/v1/rpc` answered in place of public nodes. */
  answeredBy: 'nodes' | 'server'
}

type Parameters = {
  api: ReferralClient
  client: Client
  community: Community & { parentView: string }
  member: Member
  /** Starts from here; updated in place. */
  progress: Progress
  onProgress: () => void
  signal: AbortSignal
}

/** Rows per request: two multicalls, so that progress shows soon. */
const portion = 200
/** Unreadable rows in one request after which the check stops. */
const silence = 50

/**
 * Compares each hop from `member` up to the root with the contract. The next rows load from the index meanwhile.
 * Resolves with `silent` when the contract or the nodes stop answering.
 *
 * @throws {ReferralApiError} when the index fails; `progress` keeps what was checked
 */
export async function checkUpline(parameters: Parameters): Promise<'done' | 'silent'> {
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
      // A failure is thrown when the rows are awaited.
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
      await delay(retryAfter * 1_000, signal)
    }
  }
}
