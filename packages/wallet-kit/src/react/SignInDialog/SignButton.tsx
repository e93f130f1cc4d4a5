import type { KeyboardEvent, MouseEvent } from 'react'
import type { SignInStepName } from '../../core/signIn/signInSteps.ts'
import { findInitialChain } from '../../core/state/config.ts'
import type { SignInStep } from '../../core/state/state.ts'
import { readDeepLinkName } from '../../core/wallets/deepLink.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { Button } from '../Button.tsx'
import { findAppLink, openOutsideTelegram } from '../device/appLinks.ts'
import { type Device, detectDevice, isPhone } from '../device/device.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { useTranslate } from '../language.ts'

type SignButtonProps = {
  step: SignInStep
  isSwitching: boolean
  wallet: WalletOption | undefined
  describedBy: string
}

const labels: Record<SignInStepName, MessageKey> = {
  preparing: 'preparingMessage',
  unprepared: 'retry',
  idle: 'signMessage',
  signing: 'waitingForSignature',
  verifying: 'verifyingSignature',
  wrongNetwork: 'switchTo',
}

/** Renders the main button: the next action, or what the dialog is waiting for. It keeps the focus throughout. */
export function SignButton({ step, isSwitching, wallet, describedBy }: SignButtonProps) {
  const kit = useWalletKit()
  const t = useTranslate()
  const chain = findInitialChain(kit.config)
  const act = {
    idle: () => kit.signIn(),
    unprepared: () => kit.openSignInDialog(),
    wrongNetwork: () => kit.switchChain({ chainId: chain.id }),
  }
  const name = isSwitching || !(step.name in act) ? undefined : (step.name as keyof typeof act)
  const device = detectDevice()
  // One tap both asks the wallet and opens its app; in a new tab this page stays open.
  const app =
    name === 'idle' && wallet && isPhone(device.platform)
      ? findWalletApp(wallet, kit.getState().wallets, device)
      : undefined
  // A link reacts only to Enter.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== ' ') return
    event.preventDefault()
    event.currentTarget.click()
  }
  const link = app && { role: 'button', href: app, onKeyDown }
  const newTab = app?.startsWith('https:') && { target: '_blank', rel: 'noreferrer' }

  const onClick = (event: MouseEvent) => {
    // The dialog shows the outcome.
    if (name) act[name]().catch(() => undefined)
    if (app && openOutsideTelegram(app)) event.preventDefault()
  }
  const waiting = !name && ({ 'aria-disabled': true, 'aria-busy': true } as const)
  return (
    <Button
      variant="contained"
      color="primary"
      aria-describedby={describedBy}
      {...link}
      {...newTab}
      {...waiting}
      onClick={onClick}
    >
      {t(isSwitching ? 'confirmInWallet' : labels[step.name], { chain: chain.name })}
    </Button>
  )
}

/**
 * Returns the link that opens the wallet's app on this phone to answer a request; `undefined` for a wallet on another
 * device. Built from the definition of the wallet, or of the one that was chosen for WalletConnect: a stored link is not
 * trusted.
 */
function findWalletApp(wallet: WalletOption, wallets: readonly WalletOption[], device: Device): string | undefined {
  const opened = readDeepLinkName()
  const app = (wallet.id === 'walletConnect' ? wallets : [wallet]).find(({ name }) => name === opened)
  if (wallet.kind !== 'walletConnect' || !app) return undefined
  const [link] = findAppLink(app.relayLinks, 'wc:', device)?.split('?') ?? []
  return link === 'wc:' ? 'wc://' : link
}
