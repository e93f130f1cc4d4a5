import type { Config } from '@lineage/referral-api'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { retryDelay, useApi } from '../../lib/api.ts'

/** Loads the server's configuration once; it is retried until it arrives. */
export function useConfig(): UseQueryResult<Config> {
  const api = useApi()
  return useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => api.config({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: (query) => (query.state.data ? false : retryDelay(query.state.error) || 10_000),
  })
}
