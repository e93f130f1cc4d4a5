import type { ReferralApiError } from '@lineage/referral-api'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'

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
