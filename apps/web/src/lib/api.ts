import type { ReferralApiError, ReferralClient } from '@lineage/referral-api'
import { createReferralClient } from '@lineage/referral-api'
import { QueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'

/** A client of the lookup API at this origin. */
export const createApi = (): ReferralClient => createReferralClient({ baseUrl: '/v1', fetch: fetchOnce })

/** What index.html has asked while the application was on its way is not asked again. Whoever gives it up ends it. */
const fetchOnce: typeof fetch = (input, init) => {
  const path = String(input).toLowerCase()
  const asked = window.__asked__?.[path]
  if (!asked || init?.signal?.aborted) return fetch(input, init)
  delete window.__asked__?.[path]
  init?.signal?.addEventListener('abort', asked.abort)
  return asked.answer
}

export const ApiContext = createContext<ReferralClient | undefined>(undefined)

export function useApi(): ReferralClient {
  const api = use(ApiContext)
  if (!api) throw new Error('useApi is used outside of Providers.')
  return api
}

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ReferralApiError
  }
}

/** How long to wait before asking again by itself, in milliseconds; `false` when asking again would change nothing. */
export function retryDelay(error: ReferralApiError | null): number | false {
  switch (error?.code) {
    case 'indexing':
      return 1_500
    case 'unreachable':
    case 'unavailable':
      return 10_000
    case 'rate_limited':
      return (error.retryAfter ?? 5) * 1_000
    default:
      return false
  }
}

/**
 * @param refresh Milliseconds between questions while the page is visible.
 */
export const refreshEvery = (refresh: number) => (query: { state: { error: ReferralApiError | null } }) =>
  retryDelay(query.state.error) || refresh

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: (count, error) => error.code === 'unreachable' && navigator.onLine && count < 1,
        retryDelay: 400,
        // "Offline" is the browser's guess and says nothing about a server on this machine or network.
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 3_000,
        gcTime: 600_000,
        // Cheap: an answer that has not changed is a 304.
        refetchInterval: refreshEvery(5_000),
      },
    },
  })
