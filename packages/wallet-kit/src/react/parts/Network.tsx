import { createContext, type ReactNode, useContext } from 'react'
import type { ChainError, WalletKitError, WalletKitErrorName } from '../../core/lib/errors.ts'
import { parseUntrustedText } from '../../core/lib/untrusted.ts'
import type { WalletKitChain } from '../../core/state/config.ts'
import type { WalletKit } from '../../core/WalletKit.ts'
import type { MessageKey } from '../../locales/en.ts'
import { arrowKeys } from '../dialog/focus.ts'
import { useCanSwitchTo, useWalletConnection } from '../hooks/useWalletConnection.ts'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { useChainIcons } from '../icons/ChainIcon.tsx'
import { type Translate, Translated, useTranslate } from '../language.ts'
import { buttonProps, type ChildrenOf, createPart, fill, useWhileOpen, within } from './createPart.ts'

/** Texts of the errors whose text is sufficient without the wallet's own message. */
export const switchTexts: Partial<Record<WalletKitErrorName, MessageKey>> = {
  UserRejectedError: 'networkRejected',
  RequestPendingError: 'networkPending',
}

/** Texts of the reasons of a `ChainError`. */
export const reasonTexts: Partial<Record<string, MessageKey>> = {
  unsupported: 'networkUnsupported',
  notApproved: 'networkNotApproved',
}

/**
 * Returns the reason why the wallet did not switch; `detail` quotes the wallet. A wallet with some of the networks
 * refuses only the others.
 */
function switchErrorTexts(error: WalletKitError | undefined, hasSome: boolean, t: Translate) {
  if (!error || error.name === 'AbortedError') return undefined
  const { reason } = error as Partial<ChainError>
  const detail = switchTexts[error.name] || reasonTexts[reason ?? ''] ? '' : parseUntrustedText(error.details, 160)
  const text = reason === 'unsupported' && hasSome ? undefined : reasonTexts[reason ?? '']
  return {
    text: t(text ?? switchTexts[error.name] ?? 'networkFailed'),
    detail: detail && t('errorDetail', { detail }),
    // A rejection by the person is not an error.
    tone: error.name === 'UserRejectedError' ? undefined : ('error' as const),
  }
}

/** A network of the app, as the wallet was last known to treat it. */
export type ShownChain = {
  chain: WalletKitChain
  iconUrl: string | undefined
  /** The wallet is on it. */
  current: boolean
  /** The wallet is asked to switch to it. */
  switching: boolean
  /** `false` if the wallet was last known to refuse a switch to it. */
  offered: boolean
}

type NetworkState = {
  chains: readonly ShownChain[]
  isSwitching: boolean
  /** That the wallet is on a network that the app does not support. */
  warning: string | undefined
  /** That the networks have to be chosen in the wallet. */
  limit: string | undefined
  failure: ReturnType<typeof switchErrorTexts>
}

const Context = createContext<NetworkState | undefined>(undefined)

/** Returns the state of the network dialog. */
export const useNetworkState = (): NetworkState => within(useContext(Context), 'Network.Root')

export function Root({ children }: { children: ReactNode }) {
  return (
    <Translated>
      <Provider>{children}</Provider>
    </Translated>
  )
}

function Provider({ children }: { children: ReactNode }) {
  const kit: WalletKit = useWalletKit()
  const { chains } = kit.config
  const iconOf = useChainIcons(chains)
  const t = useTranslate()
  const { chainId, isSupportedChain } = useWalletConnection()
  const latest = useWalletKitState((state) => state.dialog)
  const dialog = useWhileOpen(latest.name === 'network', latest)
  const switchingTo = useWalletKitState((state) => state.switching?.chainId)
  const canSwitchTo = useCanSwitchTo()
  const others = chains.filter(({ id }) => id !== chainId)
  const offered = others.filter(({ id }) => canSwitchTo(id))
  const hasSome = offered.length > 0 && offered.length < others.length
  const value = {
    chains: chains.map((chain) => ({
      chain,
      iconUrl: iconOf(chain),
      current: chain.id === chainId,
      switching: chain.id === switchingTo,
      offered: canSwitchTo(chain.id),
    })),
    isSwitching: switchingTo !== undefined,
    warning: isSupportedChain ? undefined : t('wrongNetworkText'),
    limit: others.length > 0 && offered.length === 0 ? t('networkUnsupported') : undefined,
    failure: switchErrorTexts(dialog.name === 'network' ? dialog.error : undefined, hasSome, t),
  }
  return <Context.Provider value={value}>{children}</Context.Provider>
}

export const List = createPart<'ul', object, ChildrenOf<readonly ShownChain[]>>(
  'ul',
  function useChainList({ children }) {
    const { chains } = useNetworkState()
    return { ...arrowKeys, children: fill(children, chains) }
  },
  ['children'],
)

type ChainState = { current: boolean; switching: boolean; offered: boolean }

export const Chain = createPart<'button', ChainState, { chain: ShownChain }>(
  'button',
  function useChain({ chain: { chain, iconUrl: _, ...state } }) {
    const kit: WalletKit = useWalletKit()
    const onClick = () => {
      if (state.current) kit.closeDialog()
      // The dialog shows the outcome. A wallet accepts no second request while one is open.
      else if (!state.switching) kit.switchChain({ chainId: chain.id }).catch(() => {})
    }
    const marks = { 'aria-current': state.current || undefined, 'aria-busy': state.switching || undefined }
    return { state, ...buttonProps, ...marks, onClick, children: chain.name }
  },
  ['chain'],
)

export const Warning = createPart('p', function useWarning() {
  const { warning } = useNetworkState()
  return warning ? { children: warning } : undefined
})

export const Outcome = createPart<'p', { tone: 'error' | undefined }, { children?: ReactNode }>(
  'p',
  function useOutcome({ children }) {
    const { isSwitching, failure, limit } = useNetworkState()
    const text = children ?? failure?.text ?? limit
    return { state: { tone: failure?.tone }, children: isSwitching ? undefined : text }
  },
  ['children'],
)
