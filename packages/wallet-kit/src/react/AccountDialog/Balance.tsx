import { styled } from '@mui/material/styles'
import { useEffect } from 'react'
import { Button } from '../Button.tsx'
import { VisuallyHidden } from '../dialog/VisuallyHidden.ts'
import { useBalance } from '../hooks/useBalance.ts'
import { useTranslate } from '../language/useTranslate.ts'

/** Shows the balance, or the reason why it could not be read. Reads it again whenever the dialog opens. */
export function Balance() {
  const { status, formatted, refresh } = useBalance()
  const t = useTranslate()
  useEffect(refresh, [refresh])
  const problem = status === 'failed' ? t('balanceFailed') : status === 'stale' ? t('balanceStale') : undefined
  return (
    <>
      {status !== 'failed' && (
        <Amount aria-busy={status === 'loading' || undefined}>
          <VisuallyHidden>{t('balance')}</VisuallyHidden>
          {formatted ? (
            <bdi dir="ltr">{formatted}</bdi>
          ) : (
            status === 'loading' && <Bar role="img" aria-label={t('balanceLoading')} />
          )}
        </Amount>
      )}
      {problem && (
        <Problem>
          {problem}
          <Button size="small" color="primary" onClick={refresh}>
            {t('retry')}
          </Button>
        </Problem>
      )}
    </>
  )
}

/** Keeps its height while the balance is loading. */
const Amount = styled('span')(({ theme }) => ({
  minHeight: 22,
  fontSize: 14,
  lineHeight: '22px',
  fontVariantNumeric: 'tabular-nums',
  color: (theme.vars ?? theme).palette.text.secondary,
}))

const Bar = styled('span')(({ theme }) => ({
  display: 'block',
  width: 80,
  height: 14,
  marginTop: 4,
  borderRadius: 4,
  background: (theme.vars ?? theme).palette.action.selected,
}))

const Problem = styled('span')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  fontSize: 13,
  color: (theme.vars ?? theme).palette.text.secondary,
  '& .MuiButton-root': { flex: 'none', minHeight: 44 },
}))
