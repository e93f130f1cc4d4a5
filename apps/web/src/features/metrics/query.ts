import { useQuery } from '@tanstack/react-query'
import { refreshEvery, useApi } from '../../lib/api.ts'

export function useStatus() {
  const api = useApi()
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => api.status({ signal }),
    refetchInterval: refreshEvery(3_000),
  })
}

export const newestShown = 6

/** The latest binds. */
export function useNewest(community: string) {
  const api = useApi()
  return useQuery({
    queryKey: [community, 'newest'],
    queryFn: ({ signal }) => api.events(community, { limit: newestShown, signal }),
    refetchInterval: refreshEvery(3_000),
  })
}
