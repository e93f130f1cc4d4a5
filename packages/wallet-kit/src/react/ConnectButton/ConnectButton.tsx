import type { ReactNode } from 'react'
import { connectWallet } from '../../locales/locales.ts'
import { directionOf } from '../../locales/translate.ts'
import { Button } from '../Button.tsx'
import { checkButtonProps } from '../checkProps.ts'
import { ErrorBoundary } from '../ErrorBoundary.tsx'
import { ChainIcon } from '../icons/ChainIcon.tsx'
import { Styles } from '../styles/Styles.tsx'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { AccountButton, type AccountButtonProps } from './AccountButton.tsx'
import { hiddenOn, type Responsive } from './responsive.ts'
import { type ButtonTexts, useButtonTexts } from './useButtonTexts.ts'
import { type ConnectButtonRenderProps, useConnectButton } from './useConnectButton.ts'
import { useOpener } from './useOpener.ts'

export type ConnectButtonProps = {
  /** Text while nothing is connected. Default: "Connect Wallet" in the kit's language. */
  label?: string | undefined
  accountStatus?: AccountButtonProps['accountStatus'] | undefined
  /** Shown if the app has several chains. "Wrong network" is always shown. */
  chainStatus?: ChainButtonProps['chainStatus'] | undefined
  showBalance?: AccountButtonProps['showBalance'] | undefined
  /** Classes of each button. Their rules win over the kit's. */
  className?: string | undefined
}

function ConnectButtonBase(props: ConnectButtonProps) {
  try {
    // Bundlers replace this. Without a bundler there is no `process`.
    if (process.env.NODE_ENV !== 'production') checkButtonProps(props)
  } catch {}
  return (
    <ErrorBoundary fallback={() => <FailedButton />}>
      <ButtonBar {...props} />
    </ErrorBoundary>
  )
}

// One element, which is not rendered again with the button.
const styles = <Styles />

function ButtonBar({
  label,
  accountStatus = 'full',
  chainStatus = { smallScreen: 'icon', largeScreen: 'full' },
  showBalance = { smallScreen: false, largeScreen: true },
  className,
}: ConnectButtonProps) {
  const { locale, theme } = useWalletKitContext()
  const button = useConnectButton()
  const texts = useButtonTexts(button)
  const isWrong = button.status === 'connected' && button.chain?.unsupported === true
  return (
    <span className={`wk wk-bar wk-own ${theme?.className ?? ''}`} lang={locale} dir={directionOf(locale)}>
      {styles}
      <ChainButton {...{ button, texts, isWrong, chainStatus, className }} />
      <AccountButton {...{ button, texts, isWrong, label, accountStatus, showBalance, className }} />
    </span>
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

type ChainButtonProps = {
  button: ConnectButtonRenderProps
  chainStatus: Responsive<'full' | 'icon' | 'name' | 'none'>
  texts: ButtonTexts
  /** `true` if the wallet is on a chain that the app does not support. */
  isWrong: boolean
  className: string | undefined
}

/** Opens the network dialog: "Wrong network", or the chain if the app has several. */
function ChainButton({ button, texts, isWrong, chainStatus, className }: ChainButtonProps) {
  const { kit } = useWalletKitContext()
  const { account, chain, status, openChainModal, chainModalOpen } = button
  const opener = useOpener(openChainModal)
  const isChoice = kit && kit.config.chains.length > 1 && chain?.name
  if (!account || !chain || (!isWrong && !isChoice)) return null
  return (
    <Button
      {...opener}
      className={className}
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
          <span className="wk-part wk-own" data-hidden={hiddenOn(chainStatus, (value) => value === 'name')}>
            <ChainIcon chain={{ name: chain.name ?? '', iconUrl: chain.iconUrl }} size={24} />
          </span>
          <span className="wk-part wk-own" data-hidden={hiddenOn(chainStatus, (value) => value === 'icon')}>
            {chain.name}
          </span>
        </>
      )}
    </Button>
  )
}
