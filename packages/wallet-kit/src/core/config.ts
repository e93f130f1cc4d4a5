import type { Chain, Transport } from 'viem'
import type { AppDetails } from './app.ts'
import type { KeyValueStorage } from './storage.ts'
import type { WalletGroup } from './wallet.ts'

/** A viem chain, with an icon if the app has one. */
export type WalletKitChain = Chain & { iconUrl?: string }

/** The argument of `createWalletKit`. */
export type WalletKitConfig = AppDetails & {
  /** Of the WalletConnect relay. Wallets that need none work without it. */
  projectId?: string
  chains: readonly [WalletKitChain, ...WalletKitChain[]]
  /** How each chain is read, by chain id; reads never go through the wallet. */
  transports: Readonly<Record<number, Transport>>
  wallets: readonly WalletGroup[]
  /**
   * Where the last wallet, recent wallets and transactions are kept. Default: `localStorage`, and then tabs tell
   * each other when a connection ends. A storage given here is not taken to be shared between tabs.
   */
  storage?: KeyValueStorage
  /** Chain that is read before a wallet is connected. Default: the first. */
  initialChain?: number | WalletKitChain
  /** BCP 47 tag of the dialogs' language. Default: the browser's. */
  locale?: string
  /** Texts that replace the kit's own, by key. */
  messages?: Readonly<Record<string, string>>
  /** Element that dialogs are put into. Default: `document.body`. */
  container?: HTMLElement | (() => HTMLElement | null)
  /** Content-security-policy nonce for styles. */
  nonce?: string
  /** Where "Learn More" leads. */
  learnMoreUrl?: string
  /** A sentence under the wallet list. */
  disclaimer?: string
}
