import { styled } from '@mui/material/styles'
import type { UseQueryResult } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { Announced } from '../frame/Announcer.tsx'
import { busyButtonProps } from '../frame/controls.tsx'
import { FailureView } from './FailureView.tsx'
import { type Failure, toFailure, useLastError } from './failure.ts'

type Props<data> = {
  query: Pick<
    UseQueryResult<data>,
    'data' | 'error' | 'errorUpdatedAt' | 'dataUpdatedAt' | 'isFetching' | 'refetch'
  > & {
    /** A next page that failed to load is reported at the end of the list. */
    isFetchNextPageError?: boolean
  }
  skeleton: ReactNode
  children: (data: data) => ReactNode
}

/** `old` inside an `Answer` that shows its stale note: a page shows one note only. */
const AgeContext = createContext<'current' | 'old'>('current')

/** Renders a query: skeleton, failure, data, or the last data with a note that it is stale. */
export function Answer<data>({ query, skeleton, children }: Props<data>) {
  const { data, refetch } = query
  const error = useLastError(query.isFetchNextPageError ? { ...query, error: null } : query)
  const above = use(AgeContext)
  const retry = () => void refetch()
  const failure = error ? toFailure(error) : undefined

  if (data !== undefined && failure?.kind !== 'notMember' && failure?.kind !== 'withheld')
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

type StaleProps = { failure: Failure; since: number; onRetry: () => void; isRetrying: boolean }

/** Warns that the data below is stale, with a retry button. */
export function StaleNote({ failure, since, onRetry, isRetrying }: StaleProps) {
  const { t } = useTranslation()
  const format = useFormat()
  // At least 5 s: `format.ago` would say "now".
  const gone = Math.max(5, (Date.now() - since) / 1_000)
  return (
    <Note>
      <i aria-hidden />
      <Announced about={failure.kind}>
        {t(failure.kind === 'offline' ? 'stale.offline' : 'stale.text', { ago: format.ago(0, gone) })}
      </Announced>
      <button type="button" {...busyButtonProps(isRetrying, onRetry)}>
        {t(isRetrying ? 'failure.retrying' : 'failure.retry')}
      </button>
    </Note>
  )
}

const Note = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 12px',
  padding: '10px 0',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.warning.main,
  '& > i': { width: 7, height: 7, borderRadius: '50%', border: '1.5px solid currentColor' },
  '& button': {
    minHeight: 32,
    padding: 0,
    border: 0,
    background: 'none',
    color: 'inherit',
    font: 'inherit',
    textDecoration: 'underline',
    textUnderlineOffset: 4,
    cursor: 'pointer',
    '&[aria-disabled="true"]': { textDecoration: 'none', cursor: 'default' },
  },
}))
