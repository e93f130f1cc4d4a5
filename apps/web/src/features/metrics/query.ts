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
