import type { Progress, ReferralApiError } from '@lineage/referral-api'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'

/** Reason why a lookup failed, as pages show it. */
export type Failure =
  | { kind: 'indexing'; progress: Progress | undefined }
  | { kind: 'notMember' }
  | { kind: 'noCommunity' }
  /** The index contradicts the contract: the operator must correct the configuration. */
  | { kind: 'withheld' }
  | { kind: 'invalidAddress' }
  | { kind: 'busy'; seconds: number }
  | { kind: 'offline' }
  | { kind: 'unreachable' }
  /** The nodes of the chain do not answer; the lookup API does. */
  | { kind: 'nodes' }
  | { kind: 'failed'; detail: string }

/** Returns the text key of a failure's title. */
export const titleOf = ({ kind }: Failure) =>
  kind === 'indexing' ? ('indexing.indexing' as const) : (`failure.${kind}.title` as const)

export function toFailure(error: ReferralApiError, online = navigator.onLine): Failure {
  switch (error.code) {
    case 'indexing':
      return { kind: 'indexing', progress: error.problem?.progress }
    case 'member_not_found':
      return { kind: 'notMember' }
    case 'community_not_found':
      return { kind: 'noCommunity' }
    case 'withheld':
      return { kind: 'withheld' }
    case 'invalid_address':
      return { kind: 'invalidAddress' }
    case 'rate_limited':
      return { kind: 'busy', seconds: error.retryAfter ?? 5 }
    case 'unreachable':
    case 'unavailable':
      return { kind: online ? 'unreachable' : 'offline' }
    default:
      return { kind: 'failed', detail: error.message }
  }
}

/** Returns the error of a query, also during a refetch, when react-query clears it. */
export function useLastError(
  query: Pick<UseQueryResult, 'data' | 'error' | 'errorUpdatedAt'>,
): ReferralApiError | null {
  const { data, error, errorUpdatedAt } = query
  const [last, setLast] = useState({ error, errorUpdatedAt })
  if (error && error !== last.error) setLast({ error, errorUpdatedAt })
  // The remembered error belongs to another query if its time differs.
  return error ?? (data === undefined && errorUpdatedAt === last.errorUpdatedAt ? last.error : null)
}
