import type { ReferralApiError } from '@lineage/referral-api'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'

/** Why there is no answer, also while the question is asked again: the query itself forgets it then. */
export function useLastError(
  query: Pick<UseQueryResult, 'data' | 'error' | 'errorUpdatedAt'>,
): ReferralApiError | null {
  const { data, error, errorUpdatedAt } = query
  const [last, setLast] = useState({ error, errorUpdatedAt })
  if (error && error !== last.error) setLast({ error, errorUpdatedAt })
  // Another question has failed at another time, or not yet.
  return error ?? (data === undefined && errorUpdatedAt === last.errorUpdatedAt ? last.error : null)
}
