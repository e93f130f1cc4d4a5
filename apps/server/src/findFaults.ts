import type { Status } from '@lineage/referral-api'

/** Seconds after which the index is too old: BNB Smart Chain has a block each second. */
const staleAfter = 300

/** Milliseconds after which an indexer that does not answer is no longer one that starts. */
const silentAfter = 10_000

export type Health = { status: 'unknown' | 'working' } | { status: 'failing'; since: number }

export type FindFaultsParameters = {
  status: Status
  indexer: Health
  accounts: Health
  /** The chain of a demo has no block while nobody joins. */
  mode: 'live' | 'demo'
  /** Unix milliseconds, as `since`. */
  now: number
}

type Warning = Status['warnings'][number]

/** Returns what keeps the server from its whole service, each with its age. */
export function findFaults({ status, indexer, accounts, mode, now }: FindFaultsParameters): Warning[] {
  const faults: [kind: Warning['kind'], message: string][] = []
  if (indexer.status === 'failing' && now - indexer.since >= silentAfter)
    faults.push(['indexer_silent', `The indexer has not answered for ${toAge(now - indexer.since)}. See its log.`])
  const isExempt = status.asOf === null || status.state !== 'ready' || mode === 'demo'
  const age = isExempt ? 0 : now / 1_000 - (status.asOf?.timestamp ?? 0)
  if (age > staleAfter)
    faults.push([
      'index_stale',
      `The newest block of the index is ${toAge(age * 1_000)} old. See the nodes and the indexer's log.`,
    ])
  if (accounts.status === 'failing')
    faults.push([
      'accounts_unavailable',
      `The accounts' database has failed for ${toAge(now - accounts.since)}: nobody can sign in. See the server's log.`,
    ])
  return faults.map(([kind, message]) => ({ kind, message, node: null, community: null }))
}

/** @example toAge(90_000) // '90 s' */
function toAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000))
  return seconds < 600 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
