import {
  type ComponentType,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { ConfigurationError } from '../core/lib/errors.ts'
import { createLazy, type Lazy } from '../core/lib/promises.ts'
import { isObserved } from '../core/state/observers.ts'
import type { WalletKit } from '../core/WalletKit.ts'
import type { Locale, Messages } from '../locales/locales.ts'
import { loadMessages, resolveLocale } from '../locales/translate.ts'
import { checkProviderProps, replaceKit } from './checkProps.ts'
import { whenPageIsIdle } from './device/whenPageIsIdle.ts'
import { createBalanceStore } from './hooks/createBalanceStore.ts'
import { useStartsFromServer, useStateOf } from './hooks/useWalletKit.ts'
import type { WalletKitTheme } from './theme/createWalletKitTheme.ts'
import { type AvatarProps, type DialogOptions, WalletKitContext } from './WalletKitContext.ts'

export type WalletKitProviderProps = DialogOptions & {
  /**
   * `undefined` while the app is still creating it: the button keeps its place, and the hooks return "disconnected".
   */
  kit: WalletKit | undefined
  children?: ReactNode
  /** Look of the kit's components, of `createWalletKitTheme`. Default: ink on paper, light or dark by the system. */
  theme?: WalletKitTheme | undefined
  /** Draws each account instead of the name's picture and the identicon, in a circle of `size` pixels. */
  avatar?: ComponentType<AvatarProps> | undefined
  /** Language of button and dialogs, as a BCP 47 tag, which may change. Default: the browser's. */
  locale?: string | undefined
  /** Texts that replace the kit's own, by key, or by language and key. */
  messages?: Messages | undefined
  /**
   * `none` loads and shows no dialogs of the kit: the app draws its own, with the parts of `@lineage/wallet-kit/parts`,
   * while the name of `useWalletKitState((state) => state.dialog)` says so. `onDemand` does not load the kit's dialogs while
   * the page is idle, but once a person points at the button or opens one. Default: `own`.
   */
  dialogs?: 'own' | 'onDemand' | 'none' | undefined
}

// React 18 warns about layout effects on a server, where neither kind runs.
const useBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect

let places = 0

/**
 * Provides a kit to the components and hooks below it, restores the last connection, and shows the dialogs, whose
 * code loads when it is first needed.
 *
 * @param props - The `kit`, and settings that may change at any time: `theme`, `locale`, `messages`.
 * @example
 * ```tsx
 * <WalletKitProvider kit={kit}>
 *   <ConnectButton />
 * </WalletKitProvider>
 * ```
 */
export function WalletKitProvider(props: WalletKitProviderProps) {
  try {
    // Bundlers replace this. Without a bundler there is no `process`.
    if (process.env.NODE_ENV !== 'production') checkProviderProps(props)
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
  }
  const {
    kit,
    children,
    theme,
    avatar,
    locale: tag,
    messages,
    container,
    trapFocus,
    closeOnBack,
    nonce,
    learnMoreUrl,
    disclaimer,
    dialogs = 'own',
  } = props
  const locale = useLocale(tag)
  const isFromServer = useStartsFromServer()
  const [place] = useState(() => ++places)
  // The policy of a document allows one nonce. A server that renders the page again, as for `router.refresh()`, gives another.
  const [first] = useState(nonce)
  const balance = useMemo(() => kit && createBalanceStore(kit), [kit])
  useReplacement(kit)
  useReconnect(kit, isFromServer)
  /** The kit whose dialogs are shown. */
  const shown = dialogs === 'none' ? undefined : kit
  const { Dialogs, account, preload, isLoading } = useDialogs(shown, locale, dialogs)
  const value = {
    kit,
    place,
    balance,
    locale,
    messages,
    avatar,
    theme,
    preload,
    isLoading,
    container,
    trapFocus,
    closeOnBack,
    nonce: first || nonce,
    learnMoreUrl,
    disclaimer,
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: lists every property of the object
  const stable = useMemo(() => value, Object.values(value))
  return (
    <WalletKitContext.Provider value={stable}>
      {children}
      {shown && Dialogs && <Dialogs account={account} />}
    </WalletKitContext.Provider>
  )
}

/** Destroys a kit that a hot reload has replaced. Set once, so that a page has the same hooks in each render; empty in production. */
let useReplacement = (_kit: WalletKit | undefined): void => {}
try {
  if (process.env.NODE_ENV !== 'production')
    useReplacement = (kit) => {
      const previous = useRef(kit)
      useEffect(() => {
        replaceKit(previous.current, kit)
        previous.current = kit
      }, [kit])
    }
} catch {}

/** Restores the last connection before the first paint, so that a connected page never shows "Connect Wallet". */
function useReconnect(kit: WalletKit | undefined, isFromServer: boolean): void {
  const reconnect = () => {
    void kit?.reconnect()
    return kit?.getState().status === 'reconnecting'
  }
  // Without server HTML to match, reconnect before the first render, which would otherwise be drawn twice.
  const [, setIsReconnecting] = useState(() => !isFromServer && !(kit && isObserved(kit)) && reconnect())
  // React subscribes to stores after the paint; only the component's own state is drawn before it.
  useBeforePaint(() => setIsReconnecting(reconnect()), [kit])
}

const lazyDialogs = createLazy(() => import('./Dialogs.tsx'))

const lazyAccountDialogs = createLazy(() => lazyDialogs.load().then((module) => module.loadAccountDialogs()))

/** Loads the dialogs when one is opened, or earlier by `preload` or when the page is idle. */
function useDialogs(kit: WalletKit | undefined, locale: Locale, dialogs: WalletKitProviderProps['dialogs']) {
  const [{ Dialogs } = {}, load] = useLazy(lazyDialogs)
  const [account, loadAccount] = useLazy(lazyAccountDialogs)
  const preload = useCallback(() => {
    // The dialogs' file contains English. The click tries again and logs the failure.
    Promise.all([kit && load(), locale === 'en' || loadMessages(locale)]).catch(() => {})
  }, [load, locale, kit])
  useEffect(() => (dialogs === 'onDemand' ? undefined : whenPageIsIdle(preload)), [preload, dialogs])
  useEffect(() => {
    if (!kit) return
    let cancel: (() => void) | undefined
    // Without rendering the provider again.
    const check = () => {
      if (kit.getState().status === 'disconnected') {
        cancel?.()
        cancel = undefined
      } else cancel ??= whenPageIsIdle(() => void loadAccount().catch(() => {}))
    }
    check()
    const unsubscribe = kit.subscribe(check)
    return () => {
      unsubscribe()
      cancel?.()
    }
  }, [kit, loadAccount])

  /** The open dialog, while its code is loading. */
  const awaited = useStateOf(kit, ({ dialog: { name } }) =>
    name !== 'none' && !(Dialogs && (account || name === 'connect')) ? name : undefined,
  )
  useEffect(() => {
    if (!awaited) return
    const loadOpen = () => Promise.all([load(), awaited === 'connect' || loadAccount()])
    // A request can get lost, so a second one follows. If the browser is offline, or the app was deployed again, an open
    // dialog that cannot be drawn would look like a dead button.
    loadOpen()
      .catch(loadOpen)
      .catch((error) => {
        console.error(error)
        kit?.closeDialog()
      })
  }, [kit, load, loadAccount, awaited])
  return { Dialogs, account, preload, isLoading: awaited !== undefined }
}

/**
 * Returns a value once it has loaded, and a function that loads it. The next call retries a failure. A provider that takes the
 * place of another has it at once: a dialog that is open would else count as left.
 */
function useLazy<Value extends object>({ current, load }: Lazy<Value>) {
  const [value, setValue] = useState(current)
  return [value, useCallback(() => load().then(setValue), [load])] as const
}

const subscribeToLanguage = (listener: () => void) => {
  window.addEventListener('languagechange', listener)
  return () => window.removeEventListener('languagechange', listener)
}

/** Returns the kit's language for `tag`, or else for the browser's language; English on a server. */
function useLocale(tag: string | undefined): Locale {
  const known = useSyncExternalStore(
    subscribeToLanguage,
    () => tag ?? navigator.language,
    () => tag ?? 'en',
  )
  return resolveLocale(known)
}
