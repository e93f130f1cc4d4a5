import type { Community, ReferralClient } from '@lineage/referral-api'
import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { useSearchParams } from 'react-router-dom'
import { refreshEvery, useApi } from '../../lib/api.ts'

/** Creates the query of all communities, with which a page begins. */
export const communitiesQuery = (api: ReferralClient) => ({
  queryKey: ['communities'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.communities({ signal }),
})

export const useCommunities = () => useQuery({ ...communitiesQuery(useApi()), refetchInterval: refreshEvery(30_000) })

/** Returns the community in the URL, or else the first one. */
export function useChosenCommunity(items: readonly Community[] | undefined): Community | undefined {
  const [parameters] = useSearchParams()
  const id = parameters.get('community')
  return id === null ? items?.[0] : items?.find((item) => item.id === id)
}

/** Returns whether there are several communities to choose from. */
export const useHasSeveral = (): boolean => (useCommunities().data?.items.length ?? 0) > 1

export const CommunityContext = createContext<Community | undefined>(undefined)

/** Returns the page's community; throws outside of `WithCommunity`. */
export function useCommunity(): Community {
  const community = use(CommunityContext)
  if (!community) throw new Error('useCommunity is used outside of Lookup.')
  return community
}

/** Returns the base URL of the community's block explorer, if any. */
export const useExplorer = (): string | null => use(CommunityContext)?.explorer ?? null
