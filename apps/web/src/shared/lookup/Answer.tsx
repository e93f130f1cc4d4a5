import type { UseQueryResult } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import { FailureView } from './FailureView.tsx'
import { toFailure } from './failure.ts'
import { StaleNote } from './StaleNote.tsx'
import { useLastError } from './useLastError.ts'

type Props<data> = {
  query: Pick<UseQueryResult<data>, 'data' | 'error' | 'errorUpdatedAt' | 'dataUpdatedAt' | 'isFetching' | 'refetch'>
  skeleton: ReactNode
  children: (data: data) => ReactNode
}

/** `old` inside an `Answer` that shows its stale note: a page shows one note only. */
const AgeContext = createContext<'current' | 'old'>('current')

/** Renders a query: skeleton, failure, data, or the last data with a note that it is stale. */
export function Answer<data>({ query, skeleton, children }: Props<data>) {
  const { data, refetch } = query
  const error = useLastError(query)
  const above = use(AgeContext)
  const retry = () => void refetch()
  const failure = error ? toFailure(error) : undefined

  if (data !== undefined && failure?.kind !== 'notMember')
    return (
      <>
        {failure && above === 'current' && (
          <StaleNote failure={failure} since={query.dataUpdatedAt} onRetry={retry} isRetrying={query.isFetching} />
        )}
        <AgeContext value={failure ? 'old' : above}>{children(data)}</AgeContext>
      </>
    )
  if (failure) return <FailureView failure={failure} onRetry={retry} isRetrying={query.isFetching} />
  return skeleton
}
