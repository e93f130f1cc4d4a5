import { useContext } from 'react'
import { formatAddress } from '../../core/lib/format.ts'
import type { Transaction } from '../../core/state/state.ts'
import type { MessageKey } from '../../locales/en.ts'
import { useWalletKitState } from '../hooks/useWalletKit.ts'
import { LanguageContext, type Translate, useTranslate } from '../language.ts'

/** A transaction with its texts in the language of the page. */
export type ShownTransaction = {
  key: string | undefined
  description: string
  status: Transaction['status']
  /** The status, or why it failed or waits. */
  statusText: string
  /** When it settled, or was sent. */
  time: { dateTime: string; text: string }
  /** The hash that it was sent with, if it was sped up. */
  spedUp: string | undefined
  /** Its page in the explorer of the chain. */
  href: string | undefined
}

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

/** Returns the transactions of the account, the latest first. */
export function useShownTransactions(explorerUrl: string | undefined): readonly ShownTransaction[] {
  const transactions = useWalletKitState((state) => state.transactions)
  const { locale } = useContext(LanguageContext)
  const t = useTranslate()
  return transactions.map((transaction) => describe(transaction, explorerUrl, locale, t))
}

function describe(
  transaction: Transaction,
  explorerUrl: string | undefined,
  locale: string,
  t: Translate,
): ShownTransaction {
  const { hash, originalHash = hash, description, status, awaiting, createdAt, executedAt } = transaction
  const time = new Date(transaction.settledAt ?? createdAt)
  const isSpedUp = originalHash && originalHash !== hash && executedAt === undefined
  return {
    key: transaction.callsId ?? originalHash,
    description,
    status,
    statusText: t(statusTextOf(transaction)),
    time: { dateTime: time.toISOString(), text: formatTime(time, locale) },
    spedUp: isSpedUp ? t('transactionSpedUp', { hash: formatAddress(originalHash) }) : undefined,
    href: explorerUrl && hash && !awaiting ? `${explorerUrl}/tx/${hash}` : undefined,
  }
}

function statusTextOf({ status, awaiting, failureReason }: Transaction): MessageKey {
  if (failureReason) return failureTexts[failureReason]
  return awaiting ? awaitingTexts[awaiting] : statusTexts[status]
}

/** Formats a moment: the time if it is today, otherwise the date. */
function formatTime(time: Date, locale: string): string {
  const isToday = time.toDateString() === new Date().toDateString()
  return new Intl.DateTimeFormat(locale, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium' }).format(time)
}
