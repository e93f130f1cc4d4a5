import { Button } from '../Button.tsx'
import { useAccountBalance } from '../hooks/useAccountBalance.ts'
import { Avatar } from '../icons/Avatar.tsx'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { type Hidden, hiddenOn, type Responsive } from './responsive.ts'
import type { ButtonTexts } from './useButtonTexts.ts'
import type { ConnectButtonRenderProps } from './useConnectButton.ts'
import { useOpener } from './useOpener.ts'

export type AccountButtonProps = {
  button: ConnectButtonRenderProps
  texts: ButtonTexts
  isWrong: boolean
  label: string | undefined
  accountStatus: Responsive<'full' | 'avatar' | 'address'>
  showBalance: Responsive<boolean>
  className: string | undefined
}

/**
 * Opens the connect dialog, or the account dialog once connected. Both use one element, so that the focus returns to
 * it when a connection closes the dialog. Without a kit it is empty. As soon as it is known that an account will be
 * restored, it has the account's width.
 */
export function AccountButton({
  button,
  texts,
  isWrong,
  label,
  accountStatus,
  showBalance,
  className,
}: AccountButtonProps) {
  const { kit, isLoading } = useWalletKitContext()
  const { account, status } = button
  const isRestoring = status === 'reconnecting'
  const opener = useOpener(account ? button.openAccountModal : button.openConnectModal)
  const hidden = {
    balance: hiddenOn(showBalance, (value) => !value || isWrong),
    avatar: hiddenOn(accountStatus, (value) => value === 'address'),
    // A small screen has no room for the name beside "Wrong network".
    name: isWrong && accountStatus === 'full' ? 'small' : hiddenOn(accountStatus, (value) => value === 'avatar'),
  } as const
  const reserve = !account || accountStatus === 'avatar' || isWrong ? undefined : (hidden.balance ?? '')
  return (
    <Button
      {...opener}
      className={className}
      variant={account ? 'outlined' : 'contained'}
      color={account ? 'inherit' : 'primary'}
      disabled={!kit}
      data-restoring={isRestoring || undefined}
      data-empty={!kit || undefined}
      data-reserve={reserve}
      aria-label={
        account &&
        [hidden.balance !== 'small large' && account.displayBalance, account.displayName, texts.pending]
          .filter(Boolean)
          .join(', ')
      }
      aria-busy={isLoading || !kit || isRestoring || undefined}
      aria-expanded={account && !isRestoring ? button.accountModalOpen : button.connectModalOpen}
    >
      {account ? <Account account={account} hidden={hidden} pending={texts.pending} /> : (label ?? texts.connect)}
    </Button>
  )
}

type AccountProps = {
  account: NonNullable<ConnectButtonRenderProps['account']>
  hidden: Record<'balance' | 'avatar' | 'name', Hidden>
  pending: string | undefined
}

function Account({ account, hidden, pending }: AccountProps) {
  const { address, displayBalance, displayName, avatar, name, hasPendingTransactions } = account
  const isUnknown = useAccountBalance().status === 'failed'
  return (
    <>
      <span
        className="wk-part wk-button-balance wk-own"
        translate="no"
        dir="ltr"
        data-hidden={hidden.balance}
        aria-hidden={isUnknown || undefined}
      >
        {isUnknown ? '–' : displayBalance}
      </span>
      <span className="wk-part wk-own" data-hidden={hidden.avatar}>
        <Avatar address={address} avatar={avatar} size={24} />
      </span>
      <span
        className="wk-part wk-button-name wk-own"
        translate="no"
        dir="auto"
        data-hidden={hidden.name}
        title={name ? `${name} ${address}` : address}
        data-address={!name || undefined}
      >
        {displayName}
      </span>
      {hasPendingTransactions && (
        <span className="wk-pending wk-own" title={pending}>
          <span className="wk-visually-hidden wk-own">{pending}</span>
        </span>
      )}
    </>
  )
}
