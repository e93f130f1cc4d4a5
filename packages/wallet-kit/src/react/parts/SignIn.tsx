import { createContext, type KeyboardEvent, type MouseEvent, type ReactNode, useContext } from 'react'
import type { Address as AccountAddress } from 'viem'
import { type SignInStage, toWalletKitError } from '../../core/lib/errors.ts'
import { formatAddress } from '../../core/lib/format.ts'
import { parseUntrustedText } from '../../core/lib/untrusted.ts'
import type { SignInStepName } from '../../core/signIn/signInSteps.ts'
import { findInitialChain } from '../../core/state/config.ts'
import type { SignInStep } from '../../core/state/state.ts'
import { readDeepLinkName } from '../../core/wallets/deepLink.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { findAppLink, openOutsideTelegram } from '../device/appLinks.ts'
import { detectDevice, isPhone } from '../device/device.ts'
import { useCanSwitchTo, useWalletConnection } from '../hooks/useWalletConnection.ts'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { type Translate, Translated, useTranslate } from '../language.ts'
import { buttonProps, createPart, useWhileOpen, within } from './createPart.ts'
import { reasonTexts, switchTexts } from './Network.tsx'

type SignInState = {
  step: SignInStep
  isSwitching: boolean
  address: AccountAddress | undefined
  wallet: WalletOption | undefined
  /** The sentence that asks the person to sign, or to switch the network. */
  text: string
} & ReturnType<typeof signInTexts>

const Context = createContext<SignInState | undefined>(undefined)

/** Returns the state of the sign-in dialog. */
export const useSignInState = (): SignInState => within(useContext(Context), 'SignIn.Root')

const preparing: SignInStep = { name: 'preparing' }

export function Root({ children }: { children: ReactNode }) {
  return (
    <Translated>
      <Provider>{children}</Provider>
    </Translated>
  )
}

function Provider({ children }: { children: ReactNode }) {
  const { config } = useWalletKit()
  const t = useTranslate()
  const connection = useWalletConnection()
  const { address, wallet } = useWhileOpen(connection.address !== undefined, connection)
  const signIn = useWalletKitState((state) => state.signIn)
  const step = useWhileOpen(signIn !== undefined, signIn ?? preparing)
  const switching = useWalletKitState((state) => state.switching)
  const isSwitching = switching !== undefined && signIn?.name === 'wrongNetwork'
  const canSwitch = useCanSwitchTo()(findInitialChain(config).id)
  const request = config.authentication?.required ? 'verifyAccountText' : 'verifyAccountOptional'
  const text = t(step.name === 'wrongNetwork' ? 'wrongNetworkText' : request)
  const texts = signInTexts(step, { wallet: wallet?.name ?? '', isSwitching, request, canSwitch }, t)
  return <Context.Provider value={{ step, isSwitching, address, wallet, text, ...texts }}>{children}</Context.Provider>
}

export const Status = createPart('span', function useStatus() {
  return { role: 'status', children: useSignInState().status }
})

export const Address = createPart('strong', function useSignInAddress() {
  const { address } = useSignInState()
  return address && { translate: 'no', title: address, children: formatAddress(address) }
})

export const Text = createPart('p', function useText() {
  return { children: useSignInState().text }
})

export const Outcome = createPart<'p', { tone: 'error' | undefined }>('p', function useOutcome() {
  const { outcome, tone } = useSignInState()
  return { state: { tone }, children: outcome }
})

const labels: Record<SignInStepName, MessageKey> = {
  preparing: 'preparingMessage',
  unprepared: 'retry',
  idle: 'signMessage',
  signing: 'waitingForSignature',
  verifying: 'verifyingSignature',
  wrongNetwork: 'switchTo',
}

/** Clicks a link when Space is pressed: by itself a link reacts only to Enter. */
const clickOnSpace = (event: KeyboardEvent<HTMLElement>) => {
  if (event.key !== ' ') return
  event.preventDefault()
  event.currentTarget.click()
}

export const Submit = createPart<'button', { step: SignInStepName; waiting: boolean }>('button', function useSubmit() {
  const kit = useWalletKit()
  const { step, isSwitching, wallet } = useSignInState()
  const chain = findInitialChain(kit.config)
  const children = useTranslate()(isSwitching ? 'confirmInWallet' : labels[step.name], { chain: chain.name })
  const act = {
    idle: () => kit.signIn(),
    unprepared: () => kit.openSignInDialog(),
    wrongNetwork: () => kit.switchChain({ chainId: chain.id }),
  }
  const name = isSwitching || !(step.name in act) ? undefined : (step.name as keyof typeof act)
  // One tap both asks the wallet and opens its app; in a new tab this page stays open.
  const app = name === 'idle' && wallet ? findWalletApp(wallet, kit.getState().wallets) : undefined
  const onClick = (event: MouseEvent) => {
    // The dialog shows the outcome.
    if (name) act[name]().catch(() => undefined)
    if (app && openOutsideTelegram(app)) event.preventDefault()
  }
  const waiting = !name && ({ 'aria-disabled': true, 'aria-busy': true } as const)
  const state = { step: step.name, waiting: !name }
  if (!app) return { state, ...buttonProps, ...waiting, onClick, children }
  const newTab = app.startsWith('https:') && { target: '_blank', rel: 'noreferrer' }
  return {
    state,
    tag: 'a',
    ...newTab,
    role: 'button',
    href: app,
    onKeyDown: clickOnSpace,
    onClick,
    children,
  }
})

export const Cancel = createPart('button', function useCancel() {
  const { closeDialog, disconnect } = useWalletKit()
  const isWrong = useSignInState().step.name === 'wrongNetwork'
  const children = useTranslate()(isWrong ? 'disconnect' : 'cancel')
  return { ...buttonProps, onClick: isWrong ? () => void disconnect() : closeDialog, children }
})

/**
 * Returns the link that opens the wallet's app on this phone to answer a request; `undefined` for a wallet on another
 * device. Built from the definition of the wallet, or of the one that was chosen for WalletConnect: a stored link is not
 * trusted.
 */
function findWalletApp(wallet: WalletOption, wallets: readonly WalletOption[]): string | undefined {
  const device = detectDevice()
  const opened = readDeepLinkName()
  const app = (wallet.id === 'walletConnect' ? wallets : [wallet]).find(({ name }) => name === opened)
  if (wallet.kind !== 'walletConnect' || !app || !isPhone(device.platform)) return undefined
  const [link] = findAppLink(app.relayLinks, 'wc:', device)?.split('?') ?? []
  return link === 'wc:' ? 'wc://' : link
}

const stageTexts: Record<SignInStage, MessageKey> = {
  preparing: 'errorPreparing',
  signing: 'errorSigning',
  mismatch: 'errorMismatch',
  verifying: 'errorVerifying',
  generic: 'errorGeneric',
}

/** Returns the texts for a step of signing in. A rejection by the person has no error text. */
function signInTexts(
  step: SignInStep,
  {
    wallet,
    isSwitching,
    request,
    canSwitch,
  }: { wallet: string; isSwitching: boolean; request: MessageKey; canSwitch: boolean },
  t: Translate,
): { status: string; outcome?: string; tone?: 'error' } {
  switch (step.name) {
    case 'wrongNetwork': {
      if (isSwitching) return { status: t('confirmInWallet') }
      const warning = t('wrongNetworkText')
      const limit = canSwitch ? undefined : t('networkUnsupported')
      const name = step.error?.name === 'AbortedError' ? undefined : step.error?.name
      if (!name) return limit ? { status: `${warning} ${limit}`, outcome: limit } : { status: warning }
      const reason = step.error?.name === 'ChainError' ? step.error.reason : undefined
      const outcome = t(reasonTexts[reason ?? ''] ?? switchTexts[name] ?? 'networkFailed')
      return { status: outcome, outcome, ...(name !== 'UserRejectedError' && { tone: 'error' }) }
    }
    case 'signing': {
      const status = t('waitingForSignatureText', { wallet })
      return { status, outcome: status }
    }
    case 'verifying':
      return { status: t('verifyingSignature') }
    case 'preparing':
    case 'unprepared':
    case 'idle': {
      const { error } = step
      if (!error) return { status: t(request), outcome: t('verifyAccountFree') }
      const text = t(stageTexts[error.stage])
      if (error.stage !== 'signing') return failed(text)
      const { name, details } = toWalletKitError(error.cause)
      if (name === 'RequestPendingError') return failed(t('networkPending'))
      const detail = parseUntrustedText(details, 160)
      return failed(text, detail && t('errorDetail', { detail }))
    }
  }
}

/** Returns the texts of a failure, without the sentences that are empty. */
function failed(...sentences: string[]) {
  const outcome = sentences.filter(Boolean).join(' ')
  return { status: outcome, outcome, tone: 'error' as const }
}
