import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { busyButtonProps } from './busyButtonProps.ts'
import type { Failure } from './failure.ts'

type Props = { failure: Failure; since: number; onRetry: () => void; isRetrying: boolean }

/** Warns that the data below is stale, with a retry button. */
export function StaleNote({ failure, since, onRetry, isRetrying }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  // At least 5 s: `format.ago` would say "now".
  const gone = Math.max(5, (Date.now() - since) / 1_000)
  return (
    <Root role="status">
      <span aria-hidden />
      {t(failure.kind === 'offline' ? 'stale.offline' : 'stale.text', { ago: format.ago(0, gone) })}
      <button type="button" {...busyButtonProps(isRetrying, onRetry)}>
        {t(isRetrying ? 'failure.retrying' : 'failure.retry')}
      </button>
    </Root>
  )
}

const Root = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 12px',
  padding: '10px 0',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.warning.main,
  '& > span': { width: 7, height: 7, borderRadius: '50%', border: '1.5px solid currentColor' },
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
