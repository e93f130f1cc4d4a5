import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { MouseEvent } from 'react'
import type { WalletKitChain, WalletKitConfig } from '../../core/config.ts'
import type { SignInStep, SignInStepName } from '../../core/signInSteps.ts'
import type { WalletOption } from '../../core/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { openOutsideTelegram } from '../openOutsideTelegram.ts'
import { detectDevice, isPhone } from '../platform.ts'
import { useTranslate } from '../useTranslate.ts'
import { useWalletKit } from '../useWalletKit.ts'
import { findWalletApp } from './findWalletApp.ts'

export type SignButtonProps = { step: SignInStep; wallet: WalletOption | undefined; describedBy: string }

const labels: Record<SignInStepName, MessageKey> = {
  preparing: 'preparingMessage',
  unprepared: 'retry',
  idle: 'signMessage',
  signing: 'waitingForSignature',
  verifying: 'verifyingSignature',
  wrongNetwork: 'switchTo',
}

/** The one thing to do next. While there is nothing to do it says what is waited for, and keeps the focus. */
export function SignButton({ step, wallet, describedBy }: SignButtonProps) {
  const kit = useWalletKit()
  const t = useTranslate()
  const chain = findInitialChain(kit.config)
  const isSwitching = step.name === 'wrongNetwork' && step.switching !== undefined
  const act = {
    idle: () => kit.signIn(),
    unprepared: () => kit.openSignInDialog(),
    wrongNetwork: () => kit.switchChain({ chainId: chain.id }),
  }
  const name = isSwitching || !(step.name in act) ? undefined : (step.name as keyof typeof act)
  const device = detectDevice()
  // The wallet is asked and its app brought up by one tap; a tab of its own leaves this page where it is.
  const app = name === 'idle' && wallet && isPhone(device.platform) ? findWalletApp(wallet, device) : undefined
  const link = app && { component: 'a', role: 'button', href: app }
  const newTab = app?.startsWith('https:') && { target: '_blank', rel: 'noreferrer' }

  const onClick = (event: MouseEvent) => {
    // The dialog shows what comes of it.
    if (name) act[name]().catch(() => undefined)
    if (app && openOutsideTelegram(app)) event.preventDefault()
  }
  const waiting = !name && ({ 'aria-disabled': true, 'aria-busy': true, disableRipple: true } as const)
  return (
    <Action
      variant="contained"
      color="primary"
      aria-describedby={describedBy}
      {...link}
      {...newTab}
      {...waiting}
      onClick={onClick}
    >
      {t(isSwitching ? 'confirmInWallet' : labels[step.name], { chain: chain.name })}
    </Action>
  )
}

function findInitialChain({ chains, initialChain }: WalletKitConfig): WalletKitChain {
  if (typeof initialChain === 'object') return initialChain
  return chains.find(({ id }) => id === initialChain) ?? chains[0]
}

const Action = styled(Button)(({ theme }) => {
  const { palette } = theme.vars ?? theme
  const look = { color: palette.text.secondary, background: palette.action.selected, boxShadow: 'none' }
  return { '&[aria-disabled=true]': { ...look, cursor: 'progress', '&:hover': look } }
}) as typeof Button
