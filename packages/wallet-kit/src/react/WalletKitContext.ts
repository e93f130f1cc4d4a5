import type { Theme } from '@mui/material/styles'
import { type ComponentType, createContext, useContext } from 'react'
import type { WalletKit } from '../core/WalletKit.ts'
import type { Locale, Messages } from '../locales/locales.ts'
import type { BalanceStore } from './hooks/createBalanceStore.ts'

/** The props of a component that draws an account. */
export type AvatarProps = {
  address: string
  /** Picture of the account's name. */
  avatar: string | undefined
  /** Width and height in pixels. */
  size: number
}

/** The values that `WalletKitProvider` gives to the components and hooks below it. */
type WalletKitContextValue = {
  /** `undefined` while the app is still creating it. */
  kit: WalletKit | undefined
  balance: BalanceStore | undefined
  locale: Locale
  /** The app's own texts. The first source with a key wins. */
  messages: readonly Messages[]
  /** The app's own component for the picture of an account. */
  avatar: ComponentType<AvatarProps> | undefined
  /** Theme for the kit's components; `undefined` where they inherit the app's. */
  theme: Theme | undefined
  /** Loads the dialogs and their language before they are opened. */
  preload: () => void
  /** `true` from the opening of a dialog until its code is loaded. */
  isLoading: boolean
}

export const WalletKitContext = createContext<WalletKitContextValue | undefined>(undefined)

export function useWalletKitContext(): WalletKitContextValue {
  const value = useContext(WalletKitContext)
  if (!value)
    throw new Error('No WalletKitProvider was found. Put this component inside <WalletKitProvider kit={kit}>.')
  return value
}
