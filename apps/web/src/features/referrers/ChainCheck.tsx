import type { MemberSummary } from '@lineage/referral-api'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import type { Check } from './useChainCheck.ts'

type Props = { check: Check; rows: readonly MemberSummary[] }

/** Starts the check on chain of what is on the page. */
export function ChainCheck({ check, rows }: Props) {
  const { t } = useTranslation()
  if (check.state === 'absent' || rows.length < 2) return null
  return (
    <Button
      size="small"
      variant="outlined"
      title={t('check.text')}
      disabled={check.state === 'reading'}
      onClick={() => check.run(rows)}
    >
      {t(check.state === 'reading' ? 'check.reading' : check.state === 'done' ? 'check.again' : 'check.start')}
    </Button>
  )
}

/** What the check has come to, in one line. */
export function CheckOutcome({ hops, state, answeredBy }: Omit<Check, 'run'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const count = (kind: string) => [...hops.values()].filter((hop) => hop.kind === kind).length
  const [agrees, differs, unreadable] = ['agrees', 'differs', 'unreadable'].map(count)
  return (
    <Root role="status" data-state={differs ? 'differs' : 'calm'}>
      {state === 'done' && (
        <>
          {t('check.outcome', {
            count: hops.size,
            checked: format.count(hops.size),
            agrees: format.count(agrees ?? 0),
          })}
          {differs ? t('check.outcome.differs', { differs: format.count(differs) }) : ''}
          {unreadable ? t('check.outcome.unreadable', { unreadable: format.count(unreadable) }) : ''}
          {t('check.outcome.end')}
          {answeredBy === 'server' && <span> {t('check.server')}</span>}
        </>
      )}
    </Root>
  )
}

const Root = styled('p')(({ theme }) => ({
  margin: 0,
  fontSize: '0.8125rem',
  '&:empty': { display: 'none' },
  padding: '0 0 14px',
  '&[data-state="differs"]': { color: theme.vars?.palette.error.main },
  '& span': { color: theme.vars?.palette.text.secondary },
}))
