import { styled } from '@mui/material/styles'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { More } from '../../shared/charts/More.tsx'
import { toFailure } from '../../shared/lookup/failure.ts'
import { whileBusy } from '../../shared/lookup/whileBusy.ts'

type Props = {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >
}

/** The end of a list of which more comes by itself: that it comes, or that it did not. */
export function MoreToCome({ query }: Props) {
  const { t } = useTranslation()
  if (!query.hasNextPage) return null
  if (query.isFetchNextPageError && query.error)
    return (
      <Root role="alert">
        {t(`tree.${toFailure(query.error).kind === 'offline' ? 'offline' : 'failed'}`)}{' '}
        <More type="button" {...whileBusy(query.isFetchingNextPage, () => void query.fetchNextPage())}>
          {t('failure.retry')}
        </More>
      </Root>
    )
  return <Root role="status">{query.isFetchingNextPage ? t('loading') : ''}</Root>
}

const Root = styled('div')(({ theme }) => ({
  minHeight: 44,
  lineHeight: '44px',
  borderTop: `1px solid ${theme.vars?.palette.divider}`,
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
}))
