import { styled } from '@mui/material/styles'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TextButton } from '../frame/TextButton.tsx'
import { busyButtonProps } from './busyButtonProps.ts'
import { toFailure } from './failure.ts'

type Props = {
  query: Pick<UseInfiniteQueryResult, 'isFetching' | 'error'>
  hasMore: boolean
  onMore: () => void
  texts: { more: string; failed: string; shown: string }
}

/**
 * Ends a list with a button that loads more, and shows how much is loaded, that more is loading, or that loading
 * failed.
 */
export function MoreRow({ query: { isFetching, error }, hasMore, onMore, texts }: Props) {
  const { t } = useTranslation()
  const failure = error && !isFetching ? toFailure(error) : undefined
  return (
    <Root>
      {hasMore && (
        <TextButton type="button" {...busyButtonProps(isFetching, onMore)}>
          {isFetching ? t('loading') : failure ? t('failure.retry') : texts.more}
        </TextButton>
      )}
      <p role="status" data-failed={failure !== undefined}>
        {failure ? (failure.kind === 'offline' ? t('tree.offline') : texts.failed) : texts.shown}
      </p>
    </Root>
  )
}

const Root = styled('div')(({ theme }) => ({
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
