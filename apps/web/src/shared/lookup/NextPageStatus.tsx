import { styled } from '@mui/material/styles'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TextButton } from '../frame/TextButton.tsx'
import { busyButtonProps } from './busyButtonProps.ts'
import { toFailure } from './failure.ts'

type Props = {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >
}

/** Shows at the end of a list that the next page is loading or has failed to load. */
export function NextPageStatus({ query }: Props) {
  const { t } = useTranslation()
  if (!query.hasNextPage) return null
  if (query.isFetchNextPageError && query.error)
    return (
      <Root role="alert">
        {t(`tree.${toFailure(query.error).kind === 'offline' ? 'offline' : 'failed'}`)}{' '}
        <TextButton type="button" {...busyButtonProps(query.isFetchingNextPage, () => void query.fetchNextPage())}>
          {t('failure.retry')}
        </TextButton>
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
