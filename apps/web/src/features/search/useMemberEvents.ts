import type { Address, MemberEvents, ReferralClient } from '@lineage/referral-api'
import { amountKinds } from '@lineage/referral-api/amounts'
import type { Calendar } from '@lineage/referral-api/days'
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { pageOptions } from '../../lib/pages.ts'

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
    ...pageOptions,
    queryKey: [...queryKeyOf(community, address, kind), 'pages'],
    enabled: wanted === shown,
    // Starts with the newest events as well, so that no event between the two is missing.
    queryFn: ({ signal, pageParam }) =>
      api.memberEvents(community, address, { kind, limit: perPage, cursor: pageParam, signal }),
    refetchInterval: false,
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

const queryKeyOf = (community: string, address: Address, kind: EventKind | undefined) => [
  community,
  'memberEvents',
  address,
  kind ?? 'all',
]

const newestEvents = (api: ReferralClient, community: string, address: Address, kind: EventKind | undefined) =>
  queryOptions({
    queryKey: [...queryKeyOf(community, address, kind), 'newest'],
    queryFn: ({ signal }) => api.memberEvents(community, address, { kind, limit: newestShown, signal }),
  })

export type MemberEvent = MemberEvents['items'][number]
type Page = Pick<MemberEvents, 'items' | 'nextCursor'>

/** Kinds of events in the order of those of one log, which may be a bind and several amounts; the last comes first. */
export const kinds = ['bind', 'referral', ...amountKinds] as const
const rankOf = ({ kind }: MemberEvent) => kinds.indexOf(kind)

/** Returns a key that is unique among the events of a member. */
export const keyOf = (event: MemberEvent): string => `${event.block} ${event.logIndex} ${rankOf(event)}`

const isOlder = (event: MemberEvent, than: MemberEvent): boolean =>
  (event.block - than.block || event.logIndex - than.logIndex || rankOf(event) - rankOf(than)) < 0

/**
 * Joins the newest events with pages that were loaded earlier, newest first. `gap` means that events between them are
 * missing and the pages must be reloaded; until then only the newest events are returned.
 */
export function joinEvents(
  newest: Page,
  pages: readonly Page[],
): { items: readonly MemberEvent[]; state: 'whole' | 'gap' } {
  const last = newest.items.at(-1)
  const loaded = pages.flatMap(({ items }) => items)
  const first = loaded[0]
  if (newest.nextCursor === null || !last || pages.length === 0) return { items: newest.items, state: 'whole' }
  if (!first || isOlder(first, last)) return { items: newest.items, state: 'gap' }
  return { items: [...newest.items, ...loaded.filter((event) => isOlder(event, last))], state: 'whole' }
}

type Day = { day: string | null; events: MemberEvent[] }

/** Groups events by day, in their order; `null` for those without a date. */
export function groupByDay(events: readonly MemberEvent[], { dayOf }: Pick<Calendar, 'dayOf'>): Day[] {
  const groups: Day[] = []
  for (const event of events) {
    const day = event.timestamp === null ? null : dayOf(event.timestamp)
    const group = groups.at(-1)
    if (group?.day === day) group.events.push(event)
    else groups.push({ day, events: [event] })
  }
  return groups
}
