import { keyframes, styled } from '@mui/material/styles'
import { Button } from '../Button.tsx'
import { VisuallyHidden } from '../dialog/VisuallyHidden.ts'
import { useAccountBalance } from '../hooks/useAccountBalance.ts'
import { Avatar } from '../icons/Avatar.tsx'
import { monospace } from '../theme/createWalletKitTheme.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { Part, useOpener } from './buttonParts.ts'
import { type Hidden, hiddenOn, type Responsive } from './responsive.ts'
import type { ButtonTexts } from './useButtonTexts.ts'
import type { ConnectButtonRenderProps } from './useConnectButton.ts'

export type AccountButtonProps = {
  button: ConnectButtonRenderProps
  texts: ButtonTexts
  isWrong: boolean
  label: string | undefined
  accountStatus: Responsive<'full' | 'avatar' | 'address'>
  showBalance: Responsive<boolean>
}

/**
 * Opens the connect dialog, or the account dialog once connected. Both use one element, so that the focus returns to
 * it when a connection closes the dialog. Without a kit it is empty. As soon as it is known that an account will be
 * restored, it has the account's width.
 */
export function AccountButton({ button, texts, isWrong, label, accountStatus, showBalance }: AccountButtonProps) {
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
  const reserve = !account || accountStatus === 'avatar' || isWrong ? undefined : (hidden.balance ?? 'none')
  return (
    <Button
      {...opener}
      variant={account ? 'outlined' : 'contained'}
      color={account ? 'inherit' : 'primary'}
      disabled={!kit}
      data-restoring={isRestoring || undefined}
      data-empty={!kit || undefined}
      data-reserve={reserve}
      aria-label={account && hidden.name ? [account.displayName, texts.pending].filter(Boolean).join(', ') : undefined}
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
      <Balance translate="no" dir="ltr" data-hidden={hidden.balance} aria-hidden={isUnknown || undefined}>
        {isUnknown ? '–' : displayBalance}
      </Balance>
      <Part data-hidden={hidden.avatar}>
        <Avatar address={address} avatar={avatar} size={24} />
      </Part>
      <Name
        translate="no"
        dir="auto"
        data-hidden={hidden.name}
        title={name ? `${name} ${address}` : address}
        data-address={!name || undefined}
      >
        {displayName}
      </Name>
      {hasPendingTransactions && (
        <Pending title={pending}>
          <VisuallyHidden>{pending}</VisuallyHidden>
        </Pending>
      )}
    </>
  )
}

/** Widths in pixels: avatar and shortened address; a name instead of the address; a balance such as "1,234.2 BNB". */
export const widths = { account: 140, name: 78, balance: 88 }

// A name may load long after the account, so it has the width of an address.
const Name = styled(Part)({
  minWidth: widths.name,
  '&[data-address]': { fontFamily: monospace },
  '&:not([data-address])': { display: 'block', maxWidth: widths.name, overflow: 'hidden', textOverflow: 'ellipsis' },
})

/** Keeps its width while the balance is loading, and when it stays unknown, so that nothing moves under a finger. */
const Balance = styled(Part)({ minWidth: widths.balance, justifyContent: 'center' })

const turn = keyframes({ to: { transform: 'rotate(1turn)' } })

/** A ring on the button's corner, which takes no room: nothing moves when a transaction appears or disappears. */
const Pending = styled('span')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    position: 'absolute',
    top: -7,
    // Not beyond the button, because at the edge of a page that would make it scroll sideways.
    insetInlineEnd: 0,
    padding: 3,
    borderRadius: '50%',
    background: palette.background.paper,
    '&::before': {
      content: '""',
      display: 'block',
      width: 12,
      height: 12,
      boxSizing: 'border-box',
      borderRadius: '50%',
      border: `2px solid ${palette.primary.main}`,
      borderInlineEndColor: 'transparent',
    },
    '@media (prefers-reduced-motion: no-preference)': { '&::before': { animation: `${turn} 1.2s linear infinite` } },
  }
})
