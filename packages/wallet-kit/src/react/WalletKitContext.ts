import { type ComponentType, createContext, type ReactNode, useContext } from 'react'
import type { WalletKit } from '../core/WalletKit.ts'
import type { Locale, Messages } from '../locales/locales.ts'
import type { BalanceStore } from './hooks/createBalanceStore.ts'
import type { WalletKitTheme } from './theme/createWalletKitTheme.ts'

/** The props of a component that draws an account. */
export type AvatarProps = {
  address: string
  /** Picture of the account's name. */
  avatar: string | undefined
  /** Width and height in pixels. */
  size: number
}

/** The options of the dialogs. */
export type DialogOptions = {
  /** Parent element of the dialogs. Default: `document.body`. */
  container?: HTMLElement | (() => HTMLElement | null) | null | undefined
  /**
   * Whether dialogs trap the focus. Set `false` inside a modal of the app that also traps it, or the two compete
   * endlessly. Default: `true`.
   */
  trapFocus?: boolean | undefined
  /**
   * Where Back closes the open dialog instead of leaving the page. For that, an open dialog adds an entry to the browser's history with
   * the page's own URL and state. Default: `'phone'`.
   */
  closeOnBack?: 'phone' | 'always' | 'never' | undefined
  /** Nonce of the content security policy, for styles. */
  nonce?: string | undefined
  /** URL of the "Learn More" link. */
  learnMoreUrl?: string | undefined
  /** Text below the wallet list, such as a sentence with a link to the terms of the app. */
  disclaimer?: ReactNode
}

/** The values that `WalletKitProvider` gives to the components and hooks below it. */
type WalletKitContextValue = DialogOptions & {
  /** `undefined` while the app is still creating it. */
  kit: WalletKit | undefined
  /** Order of this provider among those of the page. */
  place: number
  balance: BalanceStore | undefined
  locale: Locale
  /** The app's own texts. */
  messages: Messages | undefined
  /** The app's own component for the picture of an account. */
  avatar: ComponentType<AvatarProps> | undefined
  /** Changes of the kit's own look. */
  theme: WalletKitTheme | undefined
  /** Loads the dialogs and their language before they are opened. */
  preload: () => void
  /** `true` from the opening of a dialog until its code is loaded. */
  isLoading: boolean
}

export const WalletKitContext = createContext<WalletKitContextValue | undefined>(undefined)

export function useWalletKitContext(): WalletKitContextValue {
  const value = useContext(WalletKitContext)
  if (!value) throw new Error('No WalletKitProvider was found.')
  return value
}
