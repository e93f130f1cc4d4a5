import type { Community } from '@lineage/referral-api'
import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { useSearchParams } from 'react-router-dom'
import { refreshEvery, useApi } from '../../lib/api.ts'

export function useCommunities() {
  const api = useApi()
  return useQuery({
    queryKey: ['communities'],
    queryFn: ({ signal }) => api.communities({ signal }),
    refetchInterval: refreshEvery(30_000),
  })
}

/** The community the link names, else the first. */
export function useChosenCommunity(items: readonly Community[] | undefined): Community | undefined {
  const [parameters] = useSearchParams()
  const id = parameters.get('community')
  return id === null ? items?.[0] : items?.find((item) => item.id === id)
}

export const CommunityContext = createContext<Community | undefined>(undefined)

/** The community of the page; only below `Lookup`. */
export function useCommunity(): Community {
  const community = use(CommunityContext)
  if (!community) throw new Error('useCommunity is used outside of Lookup.')
  return community
}

/** Base URL of the explorer, when the page's community has one. */
export const useExplorer = (): string | null => use(CommunityContext)?.explorer ?? null
