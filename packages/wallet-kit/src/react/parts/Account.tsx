import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { Address as AccountAddress } from 'viem'
import { formatAddress, formatName } from '../../core/lib/format.ts'
import type { Transaction } from '../../core/state/state.ts'
import type { MessageKey } from '../../locales/en.ts'
import { type CopyState, useCopy } from '../device/useCopy.ts'
import { useAccountBalance } from '../hooks/useAccountBalance.ts'
import { useName } from '../hooks/useName.ts'
import { useWalletConnection } from '../hooks/useWalletConnection.ts'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { LanguageContext, type Translate, Translated, useTranslate } from '../language.ts'
import { buttonProps, type ChildrenOf, createPart, fill, useWhileOpen, within } from './createPart.ts'

type AccountState = {
  address: AccountAddress
  isSupportedChain: boolean
  explorer: { name: string; url: string } | undefined
  copyState: CopyState
  copy: () => void
  hasSignOutFailed: boolean
  setSignOutFailed: (hasFailed: boolean) => void
}

const Context = createContext<AccountState | undefined>(undefined)

/** Returns the state of the account dialog. */
export const useAccountState = (): AccountState => within(useContext(Context), 'Account.Root')

export function Root({ children }: { children: ReactNode }) {
  const connection = useWalletConnection()
  const { address, chain, isSupportedChain } = useWhileOpen(connection.address !== undefined, connection)
  const { state: copyState, copy } = useCopy(address ?? '')
  const [hasSignOutFailed, setSignOutFailed] = useState(false)
  const explorer = chain?.blockExplorers?.default
  const value = useMemo(
    () => address && { address, isSupportedChain, explorer, copyState, copy, hasSignOutFailed, setSignOutFailed },
    [address, isSupportedChain, explorer, copyState, copy, hasSignOutFailed],
  )
  if (!value) return null
  return (
    <Translated>
      <Context.Provider value={value}>{children}</Context.Provider>
    </Translated>
  )
}

export const Name = createPart<'strong', { address: boolean }>('strong', function useAccountName() {
  const { address } = useAccountState()
  const { name } = useName({ address })
  const children = name ? formatName(name) : formatAddress(address)
  return { state: { address: !name }, translate: 'no', dir: 'auto', title: address, children }
})

export const Balance = createPart<'span', { status: ReturnType<typeof useAccountBalance>['status'] }>(
  'span',
  function useShownBalance() {
    const { status, displayBalance, refresh } = useAccountBalance()
    useEffect(refresh, [refresh])
    return { state: { status }, 'aria-busy': status === 'loading' || undefined, children: displayBalance }
  },
)

export const Address = createPart<'p', object, ChildrenOf<readonly string[]>>(
  'p',
  function useFullAddress({ children = inGroups }) {
    const { address } = useAccountState()
    const label = useTranslate()('fullAddress')
    const groups = [address.slice(0, 2), ...(address.slice(2).match(/.{1,4}/g) ?? [])]
    const props = { translate: 'no', dir: 'ltr', role: 'group', 'aria-label': label } as const
    return { ...props, children: fill(children, groups) }
  },
  ['children'],
)

const gap = { display: 'inline-block', marginInlineEnd: '1ch' }

const inGroups = (groups: readonly string[]) =>
  groups.map((group, index) => (
    <span key={`${index}${group}`} style={gap}>
      {group}
    </span>
  ))

export const Copy = createPart<'button', { copied: boolean; failed: boolean }>('button', function useCopyAddress() {
  const { copyState, copy } = useAccountState()
  const text = useTranslate()(copyState === 'copied' ? 'copied' : 'copyAddress')
  return {
    state: { copied: copyState === 'copied', failed: copyState === 'failed' },
    ...buttonProps,
    onClick: copy,
    children: text,
  }
})

export const Disconnect = createPart('button', function useDisconnectButton() {
  const { disconnect } = useWalletKit()
  return { ...buttonProps, onClick: () => void disconnect(), children: useTranslate()('disconnect') }
})

export const Explorer = createPart('a', function useExplorer() {
  const { address, explorer } = useAccountState()
  const t = useTranslate()
  if (!explorer) return undefined
  return {
    tabIndex: 0,
    href: `${explorer.url}/address/${address}`,
    target: '_blank',
    rel: 'noreferrer',
    children: t('viewOnExplorer', { explorer: explorer.name }),
  }
})

/** The state of the button that signs in or out. */
type SessionState = { signedIn: boolean; failed: boolean }

export const Session = createPart<'button', SessionState>('button', function useSession() {
  // Does not use useSignIn: a hook shared by dialogs and the entry becomes part of every page.
  const { openSignInDialog, signOut, config } = useWalletKit()
  const session = useWalletKitState((state) => state.session)
  const { hasSignOutFailed: failed, setSignOutFailed } = useAccountState()
  const text = useTranslate()(session ? 'signOut' : 'signIn')
  if (!config.authentication) return undefined
  const onClick = () => {
    setSignOutFailed(false)
    if (session) signOut().catch(() => setSignOutFailed(true))
    else void openSignInDialog()
  }
  return { state: { signedIn: session !== undefined, failed }, ...buttonProps, onClick, children: text }
})

export const Transactions = createPart<'ul', { empty: boolean }, ChildrenOf<readonly ShownTransaction[]>>(
  'ul',
  function useTransactionList({ children }) {
    const { explorer } = useAccountState()
    const transactions = useShownTransactions(explorer?.url)
    const state = { empty: transactions.length === 0 }
    return { state, 'aria-live': 'polite', children: fill(children, transactions) }
  },
  ['children'],
)

export const ClearTransactions = createPart('button', function useClearTransactions() {
  const { clearTransactions } = useWalletKit()
  const isEmpty = useWalletKitState(({ transactions }) => transactions.length === 0)
  const text = useTranslate()('clearAll')
  return isEmpty ? undefined : { ...buttonProps, onClick: clearTransactions, children: text }
})

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
function useShownTransactions(explorerUrl: string | undefined): readonly ShownTransaction[] {
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
