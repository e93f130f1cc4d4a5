import { keyframes, styled } from '@mui/material/styles'
import { useContext } from 'react'
import { formatAddress } from '../../core/lib/format.ts'
import type { Transaction } from '../../core/state/state.ts'
import type { MessageKey } from '../../locales/en.ts'
import { Button } from '../Button.tsx'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { Icon } from '../icons/Icon.tsx'
import { LanguageContext, useTranslate } from '../language.ts'
import { accent } from '../theme/accent.ts'

const shownCount = 3

const statusTexts: Record<Transaction['status'], MessageKey> = {
  pending: 'transactionPending',
  confirmed: 'transactionConfirmed',
  failed: 'transactionFailed',
}
const awaitingTexts: Record<NonNullable<Transaction['awaiting']>, MessageKey> = {
  owners: 'transactionAwaitsOwners',
  execution: 'transactionAwaitsExecution',
  wallet: 'transactionAwaitsWallet',
}
const failureTexts: Record<NonNullable<Transaction['failureReason']>, MessageKey> = {
  reverted: 'transactionReverted',
  partial: 'transactionPartial',
  timeout: 'transactionTimeout',
  cancelled: 'transactionCancelled',
  dropped: 'transactionDropped',
}

const icons = { pending: 'pending', confirmed: 'check', failed: 'close' } as const

/** Shows the latest transactions of the account. Screen readers announce their outcome. */
export function Transactions({ explorerUrl }: { explorerUrl: string | undefined }) {
  const { clearTransactions } = useWalletKit()
  const transactions = useWalletKitState((state) => state.transactions)
  const t = useTranslate()
  return (
    <section>
      <Head>
        <h3>{t('recentTransactions')}</h3>
        {transactions.length > 0 && (
          <Button size="small" color="primary" onClick={clearTransactions}>
            {t('clearAll')}
          </Button>
        )}
      </Head>
      {transactions.length === 0 && <Empty>{t('transactionsEmpty')}</Empty>}
      <List aria-live="polite">
        {transactions.slice(0, shownCount).map((transaction) => {
          const { hash, originalHash = hash, callsId = originalHash, description, awaiting } = transaction
          const text = <Row transaction={transaction} />
          return (
            <li key={callsId} aria-atomic>
              {explorerUrl && hash && !awaiting ? (
                <a href={`${explorerUrl}/tx/${hash}`} target="_blank" rel="noreferrer" title={description}>
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

function Row({ transaction }: { transaction: Transaction }) {
  const { hash, originalHash = hash, description, status, createdAt, executedAt, settledAt = createdAt } = transaction
  const { locale } = useContext(LanguageContext)
  const t = useTranslate()
  const time = new Date(settledAt)
  return (
    <>
      <Mark data-status={status}>
        <Icon name={icons[status]} size={18} />
      </Mark>
      <p>
        <span>
          <bdi>{description}</bdi>
        </span>
        <small>
          <b data-status={status}>{t(statusText(transaction))}</b>
          <bdi>{' · '}</bdi>
          <time dateTime={time.toISOString()}>{formatTime(time, locale)}</time>
        </small>
        {originalHash && originalHash !== hash && executedAt === undefined && (
          <small>{t('transactionSpedUp', { hash: formatAddress(originalHash) })}</small>
        )}
      </p>
    </>
  )
}

function statusText({ status, awaiting, failureReason }: Transaction): MessageKey {
  if (failureReason) return failureTexts[failureReason]
  return awaiting ? awaitingTexts[awaiting] : statusTexts[status]
}

/** Formats a moment: the time if it is today, otherwise the date. */
function formatTime(time: Date, locale: string): string {
  const isToday = time.toDateString() === new Date().toDateString()
  return new Intl.DateTimeFormat(locale, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium' }).format(time)
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

const turn = keyframes({ to: { transform: 'rotate(1turn)' } })

const Mark = styled('i')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    display: 'inline-flex',
    color: palette.text.secondary,
    '&[data-status=confirmed]': { color: accent },
    '&[data-status=failed]': { color: palette.error.main },
    '@media (prefers-reduced-motion: no-preference)': {
      '&[data-status=pending]': { animation: `${turn} 1.2s linear infinite` },
    },
  }
})

const List = styled('ul')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    listStyle: 'none',
    margin: 0,
    padding: 0,
    '& li, & a': { display: 'flex', alignItems: 'center', gap: 12, minHeight: 52, fontSize: 14, lineHeight: '20px' },
    '& a': { flex: 1, minWidth: 0, color: 'inherit', textDecoration: 'none' },
    '& a:focus-visible': { outline: `2px solid ${accent}`, outlineOffset: 2, borderRadius: 4 },
    '& p': { flex: 1, minWidth: 0, margin: 0, padding: '6px 0' },
    '& span': { display: 'block', overflowWrap: 'anywhere' },
    '& small': { display: 'block', fontSize: 12, lineHeight: '18px', color: palette.text.secondary },
    '& b': { fontWeight: 400 },
    '& b[data-status=confirmed]': { color: accent },
    '& b[data-status=failed]': { color: palette.error.main },
    '& a > svg': { flex: 'none', color: palette.text.secondary },
  }
})
