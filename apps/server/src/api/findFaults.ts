import type { Status } from '@lineage/referral-api'
import type { Health } from '../accounts/openAccounts.ts'

/** Milliseconds without an answer after which an indexer is reported as silent instead of starting. */
const silentAfter = 10_000

export type FindFaultsParameters = {
  /** Names of the indexers, and the time since which each has been silent. */
  indexers: readonly { name: string; silentSince: number | undefined }[]
  accounts: Health
  /** Unix milliseconds, like `since`. */
  now: number
}

type Warning = Status['warnings'][number]

/**
 * Returns the faults that the server itself detects, each with its age. Faults of the index are in the indexer's
 * `reasons`.
 */
export function findFaults({ indexers, accounts, now }: FindFaultsParameters): Warning[] {
  const faults: [kind: Warning['kind'], message: string][] = []
  for (const { name, silentSince = now } of indexers)
    if (now - silentSince >= silentAfter)
      faults.push(['indexer_silent', `The ${name} has not answered for ${toAge(now - silentSince)}. See its log.`])
  if (accounts.status === 'failing')
    faults.push([
      'accounts_unavailable',
      `The accounts database has not answered for ${toAge(now - accounts.since)}, so signing in does not work. See the server's log.`,
    ])
  return faults.map(([kind, message]) => ({ kind, message, node: null, community: null }))
}

/**
 * Returns whether lookups should go to another server because of this fault, unless another indexer answers. Lookups
 * work without the accounts' database, and other servers probably share that database: a load balancer that asks
 * `/v1/ready` must not remove all servers.
 */
export const isBlockingFault = ({ kind }: Pick<Warning, 'kind'>): boolean => kind !== 'accounts_unavailable'

/**
 * Returns an age as text, in seconds or, from ten minutes on, in minutes.
 *
 * @example toAge(90_000) // '90 s'
 */
function toAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000))
  return seconds < 600 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
