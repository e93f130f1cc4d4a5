import { styled } from '@mui/material/styles'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { busyButtonProps, TextButton } from '../frame/controls.tsx'
import { toFailure } from './failure.ts'

type MoreProps = {
  query: Pick<UseInfiniteQueryResult, 'isFetching' | 'error' | 'hasNextPage' | 'fetchNextPage'>
  /** Default: whether the query has a next page. */
  hasMore?: boolean
  /** Default: loads the next page of the query. */
  onMore?: () => void
  texts: { more: string; failed: string; shown: string }
}

/** Ends a list with a button that loads more, and shows how much is loaded, that it loads, or that it failed. */
export function MoreRow({ query, hasMore = query.hasNextPage, onMore, texts }: MoreProps) {
  const { isFetching, error, fetchNextPage } = query
  const { t } = useTranslation()
  const failure = error && !isFetching ? toFailure(error) : undefined
  const status = useRef<HTMLParagraphElement>(null)
  const hadMore = useRef(hasMore)
  useLayoutEffect(() => {
    // The button has left with the focus. Here, Tab goes on after the list.
    if (hadMore.current && !hasMore && document.activeElement === document.body)
      status.current?.focus({ preventScroll: true })
    hadMore.current = hasMore
  }, [hasMore])
  return (
    <Row>
      {hasMore && (
        <TextButton type="button" {...busyButtonProps(isFetching, onMore ?? (() => void fetchNextPage()))}>
          {isFetching ? t('loading') : failure ? t('failure.retry') : texts.more}
        </TextButton>
      )}
      <p ref={status} role="status" tabIndex={-1} data-failed={failure !== undefined}>
        {failure ? (failure.kind === 'offline' ? t('tree.offline') : texts.failed) : texts.shown}
      </p>
    </Row>
  )
}

const Row = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '0 18px',
  minHeight: 44,
  borderTop: `1px solid ${theme.vars?.palette.divider}`,
  '& p': { margin: 0, fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& p[data-failed="true"]': { color: theme.vars?.palette.error.main },
  '@media print': { '& button': { display: 'none' } },
}))

type StatusProps = {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >
}

/** Shows at the end of a list that the next page is loading or has failed to load. */
export function NextPageStatus({ query }: StatusProps) {
  const { t } = useTranslation()
  if (!query.hasNextPage) return null
  if (query.isFetchNextPageError && query.error)
    return (
      <Status role="alert">
        <span>{`${t(`tree.${toFailure(query.error).kind === 'offline' ? 'offline' : 'failed'}`)} `}</span>
        <TextButton type="button" {...busyButtonProps(query.isFetchingNextPage, () => void query.fetchNextPage())}>
          {t('failure.retry')}
        </TextButton>
      </Status>
    )
  return <Status role="status">{query.isFetchingNextPage ? t('loading') : ''}</Status>
}

const Status = styled('div')(({ theme }) => ({
  minHeight: 44,
  lineHeight: '44px',
  borderTop: `1px solid ${theme.vars?.palette.divider}`,
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
}))
