import { useContext } from 'react'
import { formatAddress } from '../../core/lib/format.ts'
import type { Transaction } from '../../core/state/state.ts'
import type { MessageKey } from '../../locales/en.ts'
import { Button } from '../Button.tsx'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { Icon } from '../icons/Icon.tsx'
import { LanguageContext, useTranslate } from '../language.ts'

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
    <section className="wk-own">
      <div className="wk-transactions-head wk-own">
        <h3 className="wk-transactions-title wk-own">{t('recentTransactions')}</h3>
        {transactions.length > 0 && (
          <Button size="small" color="primary" onClick={clearTransactions}>
            {t('clearAll')}
          </Button>
        )}
      </div>
      {transactions.length === 0 && <p className="wk-transactions-empty wk-own">{t('transactionsEmpty')}</p>}
      <ul className="wk-rows wk-own" aria-live="polite">
        {transactions.slice(0, shownCount).map((transaction) => {
          const { hash, originalHash = hash, callsId = originalHash, description, awaiting } = transaction
          const text = <Row transaction={transaction} />
          return (
            <li className="wk-transaction wk-own" key={callsId} aria-atomic>
              {explorerUrl && hash && !awaiting ? (
                <a
                  className="wk-transaction-link wk-own"
                  href={`${explorerUrl}/tx/${hash}`}
                  target="_blank"
                  rel="noreferrer"
                  title={description}
                >
                  {text}
                  <Icon name="external" size={16} />
                </a>
              ) : (
                text
              )}
            </li>
          )
        })}
      </ul>
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
      <i className="wk-transaction-mark wk-own" data-status={status}>
        <Icon name={icons[status]} size={18} />
      </i>
      <p className="wk-transaction-text wk-own">
        <span className="wk-transaction-description wk-own">
          <bdi className="wk-own">{description}</bdi>
        </span>
        <small className="wk-transaction-detail wk-own">
          <b className="wk-transaction-status wk-own" data-status={status}>
            {t(statusText(transaction))}
          </b>
          <bdi className="wk-own">{' · '}</bdi>
          <time className="wk-own" dateTime={time.toISOString()}>
            {formatTime(time, locale)}
          </time>
        </small>
        {originalHash && originalHash !== hash && executedAt === undefined && (
          <small className="wk-transaction-detail wk-own">
            {t('transactionSpedUp', { hash: formatAddress(originalHash) })}
          </small>
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
