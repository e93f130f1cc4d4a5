import type { ReferralApiError, ReferralClient } from '@lineage/referral-api'
import {
  type InfiniteData,
  type UseInfiniteQueryOptions,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { type Asked, retryDelay, useApi } from './api.ts'

/**
 * Options of lists that load page by page. They do not refresh, because all their pages, possibly hundreds, would
 * reload; only a failed first page is retried.
 */
export const pageOptions = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last: { nextCursor: string | null }) => last.nextCursor ?? undefined,
  refetchInterval: ({ state }: Asked & { state: { data?: unknown } }) => (state.data ? false : retryDelay(state.error)),
  refetchOnWindowFocus: false,
  refetchOnReconnect: ({ state }: { state: { data?: unknown } }) => state.data === undefined,
  staleTime: 30_000,
}

type PageParameters = { cursor: string | undefined; signal: AbortSignal }
type PageOptions<page> = Pick<
  UseInfiniteQueryOptions<page, ReferralApiError, InfiniteData<page>, readonly unknown[], string | undefined>,
  'placeholderData' | 'refetchInterval'
>

/** Loads a list of the API page by page, like `useAnswer`. */
export function usePages<page extends { nextCursor: string | null }>(
  queryKey: readonly unknown[],
  ask: (api: ReferralClient, parameters: PageParameters) => Promise<page>,
  options?: PageOptions<page>,
) {
  const api = useApi()
  return useInfiniteQuery({
    ...pageOptions,
    ...options,
    queryKey,
    queryFn: ({ signal, pageParam }) => ask(api, { cursor: pageParam, signal }),
  })
}

/** The next part of a list: its state, and the function that loads it. */
export type More = { state: 'ready' | 'loading' | 'failed'; load: () => void }

/** Returns the next part of a list that loads page by page, the first included. */
export const toMore = (
  query: Pick<UseInfiniteQueryResult, 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'>,
): More => ({
  state: query.isFetchingNextPage ? 'loading' : query.isFetchNextPageError ? 'failed' : 'ready',
  load: () => void query.fetchNextPage(),
})
