import type { Address, Community } from '@lineage/referral-api'
import { serviceRoutes, splitRoute } from '@lineage/referral-api/routes'
import type { Client } from 'viem'
import type { Hop, ReadLinks } from './readLinks.ts'
import { readParents, watchNodes } from './readParents.ts'

/** Progress of a check. */
export type Progress = {
  /** Number of checked hops. */
  checked: number
  hops: Map<Address, Hop>
  /** Rows that differ. */
  differs: number[]
  unreadable: number[]
  /** `server`: this site's `/v1/rpc` answered instead of public nodes. */
  answeredBy: 'nodes' | 'server'
  /** Depth at which a stopped check resumes. */
  next?: string | undefined
}

type Parameters = {
  client: Client
  parent: NonNullable<Community['parent']>
  readLinks: ReadLinks
  /** Progress to start from; updated in place. */
  progress: Progress
  onProgress: () => void
  signal: AbortSignal
}

/** Number of unreadable rows in one request after which the check stops. */
const silence = 50

/**
 * Compares each hop of a line with the contract, while the next rows load from the index. Resolves with `silent` when
 * the contract or the nodes stop answering.
 *
 * @throws {ReferralApiError} when the index fails; `progress` keeps the steps that were checked
 */
export async function checkHops(parameters: Parameters): Promise<'done' | 'silent'> {
  const { client, parent, readLinks, progress, onProgress, signal } = parameters
  const answeredBy = watchNodes(
    client,
    new URL(`/v1${splitRoute(serviceRoutes.rpc).path}`, window.location.origin).href,
  )
  let coming = readLinks(progress.next, signal)
  for (;;) {
    const { links, next } = await coming
    if (next !== undefined) {
      coming = readLinks(next, signal)
      // A failure is thrown when the rows are awaited.
      coming.catch(() => undefined)
    }
    const hops = await readParents({ client, parent, links })
    signal.throwIfAborted()
    for (const [at, [address, hop]] of hops.entries()) {
      progress.hops.set(address, hop)
      if (hop.kind !== 'agrees') progress[hop.kind].push(links[at]?.row ?? 0)
    }
    progress.checked += links.length
    progress.next = next
    progress.answeredBy = answeredBy()
    onProgress()
    if (next === undefined) return 'done'
    if (links.length >= silence && hops.every(([, { kind }]) => kind === 'unreadable')) return 'silent'
  }
}
