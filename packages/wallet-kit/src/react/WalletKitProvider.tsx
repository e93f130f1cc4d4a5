import type { Theme } from '@mui/material/styles'
import {
  type ComponentType,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import type { WalletKit } from '../core/createWalletKit.ts'
import { once } from '../core/once.ts'
import { loadMessages } from '../locales/loadMessages.ts'
import type { Messages } from '../locales/locales.ts'
import { KitContext } from './context.ts'
import { createBalanceStore } from './createBalanceStore.ts'
import { createOwnTheme } from './createWalletKitTheme.ts'
import { KitStyles, useHasHostTheme, useShownTheme } from './KitStyles.tsx'
import { useLocale } from './useLocale.ts'

export type WalletKitProviderProps = {
  kit: WalletKit
  children?: ReactNode
  /** An MUI theme for the kit's pieces alone. Default: the theme around, else the kit's own. */
  theme?: Theme
  /** BCP 47 tag. Goes before the kit's own `locale`, and may change. */
  locale?: string
  /** Texts that replace the kit's own, by key; under the name of a language for that one alone. Go before those of the configuration. */
  messages?: Messages
}

const never = () => () => undefined

const loadDialogs = () => import('./Dialogs.tsx').then((module) => module.Dialogs)

// React 18 warns of a layout effect on a server, where neither kind runs.
const useBeforePaint = typeof window === 'undefined' ? useEffect : useLayoutEffect

/**
 * Gives a kit to everything below it, restores the last connection, and shows the dialogs, which are loaded when they
 * are first needed.
 *
 * @example
 * ```tsx
 * <WalletKitProvider kit={kit}>
 *   <ConnectButton />
 * </WalletKitProvider>
 * ```
 */
export function WalletKitProvider({ kit, children, theme: ownTheme, locale: tag, messages }: WalletKitProviderProps) {
  const locale = useLocale(tag ?? kit.config.locale)
  const hasHostTheme = useHasHostTheme()
  const isServers = useSyncExternalStore(
    never,
    () => false,
    () => true,
  )
  // Stays: what a server has sent is not drawn anew once the page is hydrated.
  const [colours] = useState<'variables' | 'literal'>(isServers ? 'variables' : 'literal')
  const chosen = useMemo(
    () => ownTheme ?? (hasHostTheme ? undefined : createOwnTheme({}, colours)),
    [ownTheme, hasHostTheme, colours],
  )
  const theme = useShownTheme(chosen, ownTheme ? 'keys' : 'system')
  const balance = useMemo(() => createBalanceStore(kit), [kit])
  const isDialogOpen = useSyncExternalStore(
    kit.subscribe,
    () => kit.getState().dialog.name !== 'none',
    () => false,
  )
  const [Dialogs, setDialogs] = useState<ComponentType>()

  const [load] = useState(() =>
    once(async () => {
      const loaded = await loadDialogs()
      setDialogs(() => loaded)
    }),
  )
  const preload = useMemo(() => {
    // English comes with the dialogs.
    const loadAll = once(() => Promise.all([load(), locale === 'en' || loadMessages(locale)]))
    // A failure here is met again, and said, by the click.
    return () => void loadAll().catch(() => undefined)
  }, [load, locale])

  // Before the first paint, so that a person who is connected never sees "Connect Wallet"; and, on a page that no server has
  // drawn, before anything is drawn at all, so that it is not drawn twice. Asked twice, it is done once.
  const [, setRestoring] = useState(() => {
    if (isServers || kit.isObserved) return false
    void kit.reconnect()
    return kit.getState().status === 'reconnecting'
  })
  useBeforePaint(() => {
    void kit.reconnect()
    // Stores are listened to only after the paint, unless a state of React's own changes before it.
    setRestoring(kit.getState().status === 'reconnecting')
  }, [kit])

  useEffect(() => {
    if (!isDialogOpen || Dialogs) return
    let isCurrent = true
    // The page is offline or was deployed anew: without its dialog, an open one would be a dead button.
    load().catch(() => isCurrent && kit.closeDialog())
    return () => {
      isCurrent = false
    }
  }, [kit, load, isDialogOpen, Dialogs])

  const isLoading = isDialogOpen && !Dialogs
  const value = useMemo(
    () => ({
      kit,
      balance,
      locale,
      messages: [messages, kit.config.messages].filter((source) => source !== undefined),
      theme,
      preload,
      isLoading,
    }),
    [kit, balance, locale, messages, theme, preload, isLoading],
  )
  return (
    <KitContext.Provider value={value}>
      {children}
      <KitStyles withVariables>{Dialogs && <Dialogs />}</KitStyles>
    </KitContext.Provider>
  )
}
