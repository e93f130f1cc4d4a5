import Button from '@mui/material/Button'
import { keyframes, styled } from '@mui/material/styles'
import type { MouseEvent, ReactNode } from 'react'
import { connectWallet, wrongNetwork } from '../locales/locales.ts'
import { ownText } from '../locales/ownText.ts'
import { directionOf, translate, type Variables } from '../locales/translate.ts'
import { Avatar } from './Avatar.tsx'
import { ChainIcon } from './ChainIcon.tsx'
import { useKitContext } from './context.ts'
import { KitStyles } from './KitStyles.tsx'
import { VisuallyHidden } from './LiveStatus.tsx'
import { type ConnectButtonRenderProps, useConnectButton } from './useConnectButton.ts'
import { useKitState } from './useKitState.ts'
import { useLateMessages } from './useLateMessages.ts'

/** One value, or one below and one from 768 px. */
export type Responsive<Value> = Value | { smallScreen: Value; largeScreen: Value }

export type ConnectButtonProps = {
  /** While nothing is connected. Default: "Connect Wallet" in the kit's language. While only sign-in is missing, that is said. */
  label?: string
  accountStatus?: Responsive<'full' | 'avatar' | 'address'>
  /** Shown where there is more than one chain to choose from, or a wrong one. */
  chainStatus?: Responsive<'full' | 'icon' | 'name' | 'none'>
  showBalance?: Responsive<boolean>
}

function ConnectButtonBase({
  label,
  accountStatus = 'full',
  chainStatus = { smallScreen: 'icon', largeScreen: 'full' },
  showBalance = { smallScreen: false, largeScreen: true },
}: ConnectButtonProps) {
  const { kit, locale, messages, preload, isLoading } = useKitContext()
  const { account, chain, status, ...dialogs } = useConnectButton()
  const pending = useKitState(({ transactions }) => transactions.filter((one) => one.status === 'pending').length)
  const isRestoring = status === 'reconnecting'
  const isWrong = status === 'connected' && chain?.unsupported === true
  const isPending = account !== undefined && pending > 0
  const needsMore = chain?.unsupported || isPending || status === 'connecting' || status === 'unauthenticated'
  const late = useLateMessages(locale, needsMore === true)
  /** Nothing until it is loaded. */
  const say = (key: 'wrongNetwork' | 'verifyAccount' | 'pendingTransactions', variables?: Variables) => {
    const text = ownText(messages, locale, key) ?? late[key]
    return text && translate(text, locale, variables)
  }
  const pendingText = isPending ? say('pendingTransactions', { count: pending }) : undefined
  const first = translate(ownText(messages, locale, 'connectWallet') ?? connectWallet[locale], locale)
  const unconnected = (status === 'unauthenticated' && say('verifyAccount')) || (label ?? first)
  const isChoice = kit.config.chains.length > 1 && chain?.name !== undefined
  const balanceHiddenOn = on(showBalance, (value) => !value || isWrong)
  // A small screen has no room for the name beside the wrong network's button.
  const nameHiddenOn = isWrong && accountStatus === 'full' ? 'small' : on(accountStatus, (value) => value === 'avatar')
  const early = { onPointerEnter: preload, onFocus: preload, 'aria-haspopup': 'dialog' } as const

  return (
    <KitStyles>
      <Bar lang={locale} dir={directionOf(locale)}>
        {account && chain && (isWrong || isChoice) && (
          <Button
            {...early}
            variant={isWrong ? 'contained' : 'outlined'}
            color={isWrong ? 'error' : 'inherit'}
            disabled={isRestoring}
            aria-expanded={dialogs.chainModalOpen}
            aria-label={isWrong ? undefined : chain.name}
            data-hidden={isWrong ? undefined : on(chainStatus, (value) => value === 'none')}
            onClick={open(dialogs.openChainModal)}
          >
            {isWrong ? (
              (say('wrongNetwork') ?? wrongNetwork)
            ) : (
              <>
                <Piece hiddenOn={on(chainStatus, (value) => value === 'name')}>
                  <ChainIcon chain={{ id: chain.id, name: chain.name ?? '', iconUrl: chain.iconUrl }} size={24} />
                </Piece>
                <Piece hiddenOn={on(chainStatus, (value) => value === 'icon')}>{chain.name}</Piece>
              </>
            )}
          </Button>
        )}
        {/* One element in both states, so that focus comes back to it when a connection closes the dialog. */}
        <Button
          {...early}
          variant={account ? 'outlined' : 'contained'}
          color={account ? 'inherit' : 'primary'}
          disabled={isRestoring}
          data-reserve={accountStatus === 'avatar' || isWrong ? undefined : (balanceHiddenOn ?? 'none')}
          aria-label={
            account && nameHiddenOn ? [account.displayName, pendingText].filter(Boolean).join(', ') : undefined
          }
          aria-busy={isLoading || isRestoring || undefined}
          aria-expanded={account ? dialogs.accountModalOpen : dialogs.connectModalOpen}
          onClick={open(account ? dialogs.openAccountModal : dialogs.openConnectModal)}
        >
          {account ? (
            <>
              <Balance dir="ltr" hiddenOn={balanceHiddenOn}>
                {account.displayBalance}
              </Balance>
              <Piece hiddenOn={on(accountStatus, (value) => value === 'address')}>
                <Avatar address={account.address} avatar={account.ensAvatar} size={24} />
              </Piece>
              <Name
                dir="auto"
                hiddenOn={nameHiddenOn}
                title={account.ensName ? `${account.ensName} ${account.address}` : account.address}
                data-address={!account.ensName || undefined}
              >
                {account.displayName}
              </Name>
              {isPending && (
                <Pending title={pendingText}>
                  <VisuallyHidden>{pendingText}</VisuallyHidden>
                </Pending>
              )}
            </>
          ) : (
            unconnected
          )}
        </Button>
      </Bar>
    </KitStyles>
  )
}

function ConnectButtonCustom({ children }: { children: (props: ConnectButtonRenderProps) => ReactNode }) {
  return children(useConnectButton())
}

/**
 * "Connect Wallet", then the account and its chain. `ConnectButton.Custom` hands the same to a render prop.
 *
 * @example
 * ```tsx
 * <ConnectButton chainStatus="icon" showBalance={false} />
 * <ConnectButton.Custom>
 *   {({ account, openConnectModal }) => account?.displayName ?? <button onClick={openConnectModal}>Join</button>}
 * </ConnectButton.Custom>
 * ```
 */
export const ConnectButton = /* @__PURE__ */ Object.assign(ConnectButtonBase, { Custom: ConnectButtonCustom })

type Hidden = 'small' | 'large' | 'both' | undefined

/** On which screens a piece is hidden. By CSS alone, so that a server's page fits every screen. */
function on<Value>(value: Responsive<Value>, isHidden: (value: Value) => boolean): Hidden {
  const { smallScreen, largeScreen } =
    typeof value === 'object' && value !== null && 'smallScreen' in value
      ? value
      : { smallScreen: value, largeScreen: value }
  if (isHidden(smallScreen)) return isHidden(largeScreen) ? 'both' : 'small'
  return isHidden(largeScreen) ? 'large' : undefined
}

/** Safari gives a clicked button no focus, and focus could then not come back to it. */
const open = (openDialog: () => void) => (event: MouseEvent<HTMLButtonElement>) => {
  event.currentTarget.focus()
  openDialog()
}

const smallScreen = '@media (max-width: 767.98px)'
const largeScreen = '@media (min-width: 768px)'
const hiddenStyles = {
  small: { [smallScreen]: { display: 'none' } },
  large: { [largeScreen]: { display: 'none' } },
  both: { display: 'none' },
}
/** Of a picture and a shortened address, of a name in the place of that, and of a balance such as "1,234.2 BNB". In pixels. */
const widths = { account: 140, name: 78, balance: 88 }

const forward = { shouldForwardProp: (prop: string) => prop !== 'hiddenOn' }
const hide = ({ hiddenOn }: { hiddenOn?: Hidden }) => hiddenOn && hiddenStyles[hiddenOn]

// Its buttons' styles too: those of a button of MUI's would be written three times, once for each of the components it is made of.
const Bar = styled('span')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  const wide = { minWidth: widths.account + 8 + widths.balance }
  return {
    display: 'inline-flex',
    gap: 8,
    maxWidth: '100%',
    '& > button': {
      minHeight: 44,
      minWidth: 44,
      padding: '6px 14px',
      gap: 8,
      whiteSpace: 'nowrap',
      fontVariantNumeric: 'tabular-nums',
      // Wide enough for an address, and for a balance where there is one: becoming connected moves nothing around it.
      '&[data-reserve]': { minWidth: widths.account },
      '&[data-reserve=none]': wide,
      '&.MuiButton-outlined': { borderColor: palette.divider },
      '&.MuiButton-outlined.Mui-disabled': { color: palette.text.secondary },
      '&[aria-busy=true]': { cursor: 'progress' },
      '&[data-hidden=both]': hiddenStyles.both,
    },
    [smallScreen]: { '& > button[data-reserve=large]': wide, '& > button[data-hidden=small]': hiddenStyles.both },
    [largeScreen]: { '& > button[data-reserve=small]': wide, '& > button[data-hidden=large]': hiddenStyles.both },
    // Chosen colours leave a filled button no edge.
    '@media (forced-colors: active)': {
      '& > button': { outline: '1px solid ButtonText', outlineOffset: -1 },
      '& > button.Mui-focusVisible': { outline: '3px solid Highlight' },
    },
  }
})

const Piece = styled('span', forward)<{ hiddenOn?: Hidden }>({ display: 'inline-flex' }, hide)

// As wide for a name, which may come long after the account, as for the address.
const Name = styled(Piece)({
  minWidth: widths.name,
  '&[data-address]': { fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace' },
  '&:not([data-address])': { display: 'block', maxWidth: widths.name, overflow: 'hidden', textOverflow: 'ellipsis' },
})

/** Its width is kept while the balance is on its way. */
const Balance = styled(Piece)({ minWidth: widths.balance, justifyContent: 'center' })

const turn = keyframes({ to: { transform: 'rotate(1turn)' } })

/** A ring on the button's corner: it takes no room, so that nothing moves when a transaction comes or goes. */
const Pending = styled('span')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    position: 'absolute',
    top: -7,
    // Not beyond the button: at the edge of a page that would make it scroll sideways.
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
