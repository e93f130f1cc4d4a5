import type { Theme } from '@mui/material/styles'
import { createContext, useContext } from 'react'
import type { WalletKit } from '../core/createWalletKit.ts'
import type { Locale, Messages } from '../locales/locales.ts'
import type { BalanceStore } from './createBalanceStore.ts'

/** What `WalletKitProvider` gives to everything below it. */
export type KitContextValue = {
  kit: WalletKit
  balance: BalanceStore
  locale: Locale
  /** Texts of the host, which go before the kit's own; the first that has one counts. */
  messages: readonly Messages[]
  /** The theme to lay over the kit's pieces; `undefined` where the host's own is inherited. */
  theme: Theme | undefined
  /** Fetches the dialogs and their language before they are asked for. */
  preload: () => void
  /** The dialogs were asked for and are on their way. */
  isLoading: boolean
}

export const KitContext = createContext<KitContextValue | undefined>(undefined)

export function useKitContext(): KitContextValue {
  const value = useContext(KitContext)
  if (!value)
    throw new Error('No WalletKitProvider was found. Put this component inside <WalletKitProvider kit={kit}>.')
  return value
}
