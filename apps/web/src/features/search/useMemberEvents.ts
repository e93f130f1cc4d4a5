import type { Address, ReferralClient } from '@lineage/referral-api'
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { joinEvents, type MemberEvent } from './joinEvents.ts'

export type EventKind = MemberEvent['kind']

/** Number of events on the first page, which is requested repeatedly. */
const newestShown = 20
const perPage = 100

/** Returns whether events name an address that is not a member, such as binds that do not count. */
export function useHasEvents(community: string, address: Address, enabled: boolean): boolean {
  const { data } = useQuery({ ...newestEvents(useApi(), community, address, undefined), enabled })
  return enabled && data !== undefined && data.items.length > 0
}

/** Loads the newest events of a member, kept up to date, and older ones on demand. */
export function useMemberEvents(community: string, address: Address, kind: EventKind | undefined) {
  const api = useApi()
  const shown = `${community} ${address} ${kind}`
  const [wanted, setWanted] = useState<string>()
  const newest = useQuery({
    ...newestEvents(api, community, address, kind),
    // Keeps the former kind until this one has loaded.
    placeholderData: keepPreviousData,
  })
  const older = useInfiniteQuery({
    queryKey: [...keyOf(community, address, kind), 'pages'],
    enabled: wanted === shown,
    // Starts with the newest events as well, so that no event between the two is missing.
    queryFn: ({ signal, pageParam }) =>
      api.memberEvents(community, address, { kind, limit: perPage, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const pages = wanted === shown && !newest.isPlaceholderData ? older.data?.pages : undefined
  const joined = newest.data && joinEvents(newest.data, pages ?? [])

  const isMissing = joined?.state === 'gap' && !older.isFetching && !older.error
  const { refetch } = older
  useEffect(() => {
    if (isMissing) void refetch()
  }, [isMissing, refetch])

  return {
    newest,
    older,
    items: joined?.items ?? [],
    hasMore: pages ? older.hasNextPage : newest.data !== undefined && newest.data.nextCursor !== null,
    loadMore: () => {
      if (pages) void older.fetchNextPage()
      else if (older.error) void older.refetch()
      else setWanted(shown)
    },
  }
}

const keyOf = (community: string, address: Address, kind: EventKind | undefined) => [
  community,
  'memberEvents',
  address,
  kind ?? 'all',
]

const newestEvents = (api: ReferralClient, community: string, address: Address, kind: EventKind | undefined) =>
  queryOptions({
    queryKey: [...keyOf(community, address, kind), 'newest'],
    queryFn: ({ signal }) => api.memberEvents(community, address, { kind, limit: newestShown, signal }),
  })
