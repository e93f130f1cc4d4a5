import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { Transaction } from '../../core/state.ts'
import type { MessageKey } from '../../locales/en.ts'
import { Icon } from '../Icon.tsx'
import { useRecentTransactions } from '../useRecentTransactions.ts'
import { useTranslate } from '../useTranslate.ts'
import { useWalletKit } from '../useWalletKit.ts'

const shownAtOnce = 3

const statuses: Record<Transaction['status'], MessageKey> = {
  pending: 'transactionPending',
  confirmed: 'transactionConfirmed',
  failed: 'transactionFailed',
}
const reasons: Record<NonNullable<Transaction['failureReason']>, MessageKey> = {
  reverted: 'transactionReverted',
  timeout: 'transactionTimeout',
  cancelled: 'transactionCancelled',
  dropped: 'transactionDropped',
}

/** The latest transactions of this account, as this app made them. */
export function Transactions({ explorerUrl }: { explorerUrl: string | undefined }) {
  const { clearTransactions } = useWalletKit()
  const transactions = useRecentTransactions()
  const t = useTranslate()
  return (
    <section>
      <Head>
        <h3>{t('recentTransactions')}</h3>
        {transactions.length > 0 && (
          <Button size="small" onClick={clearTransactions}>
            {t('clearAll')}
          </Button>
        )}
      </Head>
      {transactions.length === 0 && <Empty>{t('transactionsEmpty')}</Empty>}
      <List>
        {transactions.slice(0, shownAtOnce).map((transaction) => {
          const { hash, description, status, failureReason } = transaction
          const text = (
            <>
              <span>{description}</span>
              <small data-status={status}>{t(failureReason ? reasons[failureReason] : statuses[status])}</small>
            </>
          )
          return (
            <li key={hash}>
              {explorerUrl ? (
                <a href={`${explorerUrl}/tx/${hash}`} target="_blank" rel="noreferrer">
                  {text}
                  <Icon name="external" size={16} />
                </a>
              ) : (
                text
              )}
            </li>
          )
        })}
      </List>
    </section>
  )
}

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  minHeight: 44,
  '& h3': { margin: 0, fontSize: 13, fontWeight: 400, color: (theme.vars ?? theme).palette.text.secondary },
  '& .MuiButton-root': { minHeight: 44, marginInlineEnd: -5 },
}))

const Empty = styled('p')(({ theme }) => ({
  margin: '0 0 8px',
  fontSize: 14,
  color: (theme.vars ?? theme).palette.text.secondary,
}))

const List = styled('ul')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    listStyle: 'none',
    margin: 0,
    padding: 0,
    '& li, & a': { display: 'flex', alignItems: 'center', gap: 12, minHeight: 44, fontSize: 14 },
    '& a': { flex: 1, minWidth: 0, color: 'inherit', textDecoration: 'none' },
    '& a:focus-visible': { outline: `2px solid ${palette.primary.main}`, outlineOffset: 2, borderRadius: 4 },
    '& span': { flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    '& small': { fontSize: 12, color: palette.text.secondary },
    '& [data-status=confirmed]': { color: palette.primary.main },
    '& [data-status=failed]': { color: palette.error.main },
    '& svg': { color: palette.text.secondary },
  }
})
