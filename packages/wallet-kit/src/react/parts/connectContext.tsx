import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { ConnectEvent } from '../../core/dialogs/steps.ts'
import type { ConnectFlow, ConnectStep, WalletKitState } from '../../core/state/state.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { findAppLink } from '../device/appLinks.ts'
import { detectDevice, isOnPhone } from '../device/device.ts'
import { type CopyState, useCopy } from '../device/useCopy.ts'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { LanguageContext, Translated } from '../language.ts'
import { usesRelay } from './connectingTexts.ts'
import { useWhileOpen, within } from './createPart.ts'

/** A step as it is drawn: `scan` and `openApp` are requests over the relay, on a computer and on a phone. */
export type ConnectView = ConnectStep['name'] | 'scan' | 'openApp'

/** The state of the connect dialog. */
export type ConnectState = {
  step: ConnectStep
  view: ConnectView
  /** The earlier steps. */
  history: ConnectFlow['history']
  /** All wallets, with their names in the language of the page. */
  wallets: readonly WalletOption[]
  /** The wallet of the step. */
  wallet: WalletOption | undefined
  /** The pairing URI of the step `scan` or `openApp`, once the relay has given one. */
  uri: string | undefined
  /** The link that opens the wallet's app with the pairing URI, at the step `openApp`. */
  appLink: string | undefined
  /** `true` if the link was followed, and the page is still visible after a while. */
  isAppMissing: boolean
  /** The outcome of `Connect.CopyLink`. */
  copyState: CopyState
  query: string
}

type ConnectValue = ConnectState & {
  setQuery: (query: string) => void
  setAppMissing: (isMissing: boolean) => void
  copyLink: () => void
  dispatch: (event: ConnectEvent) => void
}

const Context = createContext<ConnectValue | undefined>(undefined)

/** Returns whether the connect dialog is open. */
export const isConnecting = ({ dialog }: WalletKitState): boolean => dialog.name === 'connect'

/** Returns the state of the connect dialog. */
export const useConnectState = (): ConnectValue => within(useContext(Context), 'Connect.Root')

/** Returns the wallets that match the search. */
export function useFoundWallets(): readonly WalletOption[] {
  const { wallets, query } = useConnectState()
  const wanted = query.trim().toLowerCase()
  return wanted ? wallets.filter((wallet) => isNamed(wallet, wanted)) : wallets
}

/** Provides the state of the connect dialog to the parts inside, as it was last while the dialog is closed. */
export function ConnectRoot({ children }: { children: ReactNode }) {
  return (
    <Translated>
      <ConnectProvider>{children}</ConnectProvider>
    </Translated>
  )
}

function ConnectProvider({ children }: { children: ReactNode }) {
  const { dispatch } = useWalletKit()
  const isOpen = useWalletKitState(isConnecting)
  const { step, history } = useShownFlow(isOpen)
  const listed = useWalletKitState((state) => state.wallets)
  const wallets = useNamedWallets(useWhileOpen(isOpen, listed))
  const [queries, setQueries] = useState({ wallets: '', apps: '' })
  const [isAppMissing, setAppMissing] = useState(false)
  const { walletId, uri }: { name: string; walletId?: string; uri?: string } = step
  const wallet = wallets.find(({ id }) => id === walletId)
  const view = viewOf(step, wallet)
  const { state: copyState, copy: copyLink } = useCopy(uri ?? '')
  const value = useMemo(() => {
    const field = view === 'openApp' ? 'apps' : 'wallets'
    const appLink = view === 'openApp' && uri ? findAppLink(wallet?.relayLinks, uri, detectDevice()) : undefined
    return {
      ...{
        step,
        view,
        history,
        wallets,
        wallet,
        uri,
        appLink,
        isAppMissing,
        setAppMissing,
        copyState,
        copyLink,
        dispatch,
      },
      query: queries[field],
      setQuery: (query: string) => setQueries((last) => ({ ...last, [field]: query })),
    }
  }, [step, view, history, wallets, wallet, uri, isAppMissing, copyState, copyLink, queries, dispatch])
  return <Context.Provider value={value}>{children}</Context.Provider>
}

function viewOf(step: ConnectStep, wallet: WalletOption | undefined): ConnectView {
  if (step.name !== 'connecting' || !wallet || !usesRelay(step, wallet)) return step.name
  return isOnPhone() ? 'openApp' : 'scan'
}

const list: ConnectFlow = { step: { name: 'list' }, history: [] }

/**
 * Returns the step to draw and the earlier steps, unchanged while the dialog fades out. Draws a change of the step in a
 * task of its own: the press is handled first, and if the wallet answers at once, its step is not drawn. This takes a
 * sixth off the time between press and address.
 */
function useShownFlow(isOpen: boolean): ConnectFlow {
  const kit = useWalletKit()
  const [shown, setShown] = useState(() => nextFlow(list, kit.getState()))
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    setShown(nextFlow(shown, kit.getState()))
  }
  useEffect(() => {
    const draw = () => setShown((last) => nextFlow(last, kit.getState()))
    draw()
    return kit.subscribe(() => setTimeout(draw))
  }, [kit])
  return shown
}

/** Returns the flow of the open connect dialog, or else the last one: also if both are at the list, to draw nothing again. */
function nextFlow(last: ConnectFlow, { dialog }: WalletKitState): ConnectFlow {
  const isAtList = ({ step, history }: ConnectFlow) => step.name === 'list' && history.length === 0
  return dialog.name !== 'connect' || (isAtList(last) && isAtList(dialog)) ? last : dialog
}

/** Returns whether a name of the wallet, in any language, contains the text. */
export const isNamed = ({ name, names = {} }: Pick<WalletOption, 'name' | 'names'>, text: string) =>
  [name, ...Object.values(names)].some((it) => it.toLowerCase().includes(text))

/** Returns the wallets with their names in the language of the dialog. The English name stays among the others, for search. */
function useNamedWallets(wallets: readonly WalletOption[]): readonly WalletOption[] {
  const { locale } = useContext(LanguageContext)
  return useMemo(
    () =>
      wallets.map((wallet) => {
        const name = wallet.names?.[locale === 'zh-HK' ? 'zh-TW' : locale]
        return name ? { ...wallet, name, shortName: name, names: { ...wallet.names, en: wallet.name } } : wallet
      }),
    [wallets, locale],
  )
}
