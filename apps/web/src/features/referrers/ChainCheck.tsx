import type { Member, MemberSummary } from '@lineage/referral-api'
import Button from '@mui/material/Button'
import { useTranslation } from 'react-i18next'
import type { Check } from './useChainCheck.ts'

type Props = { check: Check; member: Member; referrers: readonly MemberSummary[] }

/** Starts the check on chain of what is on the page. */
export function ChainCheck({ check, member, referrers }: Props) {
  const { t } = useTranslation()
  if (check.state === 'absent' || referrers.length === 0) return null
  return (
    <Button
      size="small"
      variant="outlined"
      title={t('check.text')}
      disabled={check.state === 'reading'}
      onClick={() => check.run([member.address, ...referrers.map(({ address }) => address)])}
    >
      {t(check.state === 'reading' ? 'check.reading' : check.state === 'done' ? 'check.again' : 'check.start')}
    </Button>
  )
}
