import type { UseQueryResult } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import { FailureView } from './FailureView.tsx'
import { toFailure } from './failure.ts'
import { Stale } from './Stale.tsx'
import { useLastError } from './useLastError.ts'

type Props<data> = {
  query: Pick<UseQueryResult<data>, 'data' | 'error' | 'errorUpdatedAt' | 'dataUpdatedAt' | 'isFetching' | 'refetch'>
  skeleton: ReactNode
  children: (data: data) => ReactNode
}

/** Whether it has been said above that what is shown is old: once on a page is enough. */
const AgeContext = createContext<'current' | 'old'>('current')

/** What a question has come to: still loading, failed, an answer, or the last answer with a note that it is old. */
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
          <Stale failure={failure} since={query.dataUpdatedAt} onRetry={retry} isRetrying={query.isFetching} />
        )}
        <AgeContext value={failure ? 'old' : above}>{children(data)}</AgeContext>
      </>
    )
  if (failure) return <FailureView failure={failure} onRetry={retry} isRetrying={query.isFetching} />
  return skeleton
}
