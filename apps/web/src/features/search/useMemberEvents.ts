import type { Address } from '@lineage/referral-api'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { joinEvents, type MemberEvent } from './joinEvents.ts'

export type EventKind = MemberEvent['kind']

/** Number of events on the first page, which is requested repeatedly. */
const newestShown = 20
const perPage = 100

/** Loads the newest events of a member, kept up to date, and older ones on demand. */
export function useMemberEvents(community: string, address: Address, kind: EventKind | undefined) {
  const api = useApi()
  const shown = `${community} ${address} ${kind}`
  const [wanted, setWanted] = useState<string>()
  const key = [community, 'memberEvents', address, kind ?? 'all']
  const newest = useQuery({
    queryKey: [...key, 'newest'],
    queryFn: ({ signal }) => api.memberEvents(community, address, { kind, limit: newestShown, signal }),
    // Keeps the former kind until this one has loaded.
    placeholderData: keepPreviousData,
  })
  const older = useInfiniteQuery({
    queryKey: [...key, 'pages'],
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
