import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { connectWallet } from '../../locales/locales.ts'
import { directionOf } from '../../locales/translate.ts'
import { Button } from '../Button.tsx'
import { ErrorBoundary } from '../ErrorBoundary.tsx'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { ChainIcon } from '../icons/ChainIcon.tsx'
import { KitStyles, useVariables } from '../theme/KitStyles.tsx'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { AccountButton, type AccountButtonProps, widths } from './AccountButton.tsx'
import { Part, useOpener } from './buttonParts.ts'
import { hiddenOn, type Responsive } from './responsive.ts'
import { type ButtonTexts, useButtonTexts } from './useButtonTexts.ts'
import { type ConnectButtonRenderProps, useConnectButton } from './useConnectButton.ts'

export type ConnectButtonProps = {
  /** Text while nothing is connected. Default: "Connect Wallet" in the kit's language. */
  label?: string | undefined
  accountStatus?: AccountButtonProps['accountStatus'] | undefined
  /** Shown if the app has several chains. "Wrong network" is always shown. */
  chainStatus?: ChainButtonProps['chainStatus'] | undefined
  showBalance?: AccountButtonProps['showBalance'] | undefined
}

function ConnectButtonBase(props: ConnectButtonProps) {
  return (
    <ErrorBoundary fallback={() => <FailedButton />}>
      <KitStyles>
        <ButtonBar {...props} />
      </KitStyles>
    </ErrorBoundary>
  )
}

function ButtonBar({
  label,
  accountStatus = 'full',
  chainStatus = { smallScreen: 'icon', largeScreen: 'full' },
  showBalance = { smallScreen: false, largeScreen: true },
}: ConnectButtonProps) {
  const { locale } = useWalletKitContext()
  const variables = useVariables()
  const button = useConnectButton()
  const texts = useButtonTexts(button)
  const isWrong = button.status === 'connected' && button.chain?.unsupported === true
  return (
    <Bar lang={locale} dir={directionOf(locale)} sx={variables}>
      <ChainButton {...{ button, texts, isWrong, chainStatus }} />
      <AccountButton {...{ button, texts, isWrong, label, accountStatus, showBalance }} />
    </Bar>
  )
}

/** Opens the same dialogs in the browser's own style, after the button itself failed. */
function FailedButton() {
  const { account, openAccountModal, openConnectModal } = useConnectButton()
  const { locale } = useWalletKitContext()
  return (
    <button type="button" onClick={account ? openAccountModal : openConnectModal}>
      {account ? account.displayName : connectWallet[locale]}
    </button>
  )
}

function ConnectButtonCustom({ children }: { children: (props: ConnectButtonRenderProps) => ReactNode }) {
  return children(useConnectButton())
}

/**
 * Shows "Connect Wallet", then the account and its chain. `ConnectButton.Custom` passes the same state and actions to a
 * render prop.
 *
 * @example
 * ```tsx
 * export const Small = () => <ConnectButton chainStatus="icon" showBalance={false} />
 * export const Own = () => (
 *   <ConnectButton.Custom>
 *     {({ account, openConnectModal }) => account?.displayName ?? <button onClick={openConnectModal}>Join</button>}
 *   </ConnectButton.Custom>
 * )
 * ```
 */
export const ConnectButton = /* @__PURE__ */ Object.assign(ConnectButtonBase, { Custom: ConnectButtonCustom })

// Also styles the buttons inside: `styled(Button)` would insert the button's styles once per component.
const Bar = styled('span')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  const wide = { minWidth: widths.account + 8 + widths.balance }
  const none = { display: 'none !important' }
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
      // MUI's default would write addresses and currencies in capitals.
      textTransform: 'none',
      fontVariantNumeric: 'tabular-nums',
      // As wide as an address, and a balance if shown, so that restoring a connection moves nothing around the
      // button.
      '&[data-reserve]': { minWidth: widths.account },
      '&[data-reserve=none]': wide,
      '&[data-empty]': { color: 'transparent' },
      // Uses the colours of the surrounding text, because the page may be light while the kit is dark.
      '&.MuiButton-outlined': { borderColor: 'color-mix(in srgb, currentColor 20%, transparent)' },
      '&.MuiButton-outlined:disabled, &[data-restoring]': { color: 'inherit', opacity: 0.64 },
      '&[aria-busy=true]': { cursor: 'progress' },
      '&:focus-visible': { outline: `2px solid ${palette.primary.main}`, outlineOffset: 2 },
    },
    '& [data-hidden=both]': none,
    '@media (max-width: 767.98px)': { '& > button[data-reserve=large]': wide, '& [data-hidden=small]': none },
    '@media (min-width: 768px)': { '& > button[data-reserve=small]': wide, '& [data-hidden=large]': none },
    // With forced colours, a filled button has no edge of its own.
    '@media (forced-colors: active)': {
      '& > button': { outline: '1px solid ButtonText', outlineOffset: -1 },
      '& > button:focus-visible': { outline: '3px solid Highlight' },
    },
  }
})

type ChainButtonProps = {
  button: ConnectButtonRenderProps
  chainStatus: Responsive<'full' | 'icon' | 'name' | 'none'>
  texts: ButtonTexts
  /** `true` if the wallet is on a chain that the app does not support. */
  isWrong: boolean
}

/** Opens the network dialog: "Wrong network", or the chain if the app has several. */
function ChainButton({ button, texts, isWrong, chainStatus }: ChainButtonProps) {
  const kit = useWalletKit({ shouldThrow: false })
  const { account, chain, status, openChainModal, chainModalOpen } = button
  const opener = useOpener(openChainModal)
  const isChoice = kit && kit.config.chains.length > 1 && chain?.name
  if (!account || !chain || (!isWrong && !isChoice)) return null
  return (
    <Button
      {...opener}
      variant={isWrong ? 'contained' : 'outlined'}
      color={isWrong ? 'error' : 'inherit'}
      disabled={status === 'reconnecting'}
      aria-expanded={chainModalOpen}
      aria-label={isWrong ? undefined : chain.name}
      data-hidden={isWrong ? undefined : hiddenOn(chainStatus, (value) => value === 'none')}
    >
      {isWrong ? (
        texts.wrongNetwork
      ) : (
        <>
          <Part data-hidden={hiddenOn(chainStatus, (value) => value === 'name')}>
            <ChainIcon chain={{ id: chain.id, name: chain.name ?? '', iconUrl: chain.iconUrl }} size={24} />
          </Part>
          <Part data-hidden={hiddenOn(chainStatus, (value) => value === 'icon')}>{chain.name}</Part>
        </>
      )}
    </Button>
  )
}
