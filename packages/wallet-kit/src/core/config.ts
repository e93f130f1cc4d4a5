import type { Chain, Transport } from 'viem'
import type { Messages } from '../locales/locales.ts'
import type { AppDetails } from './app.ts'
import type { AuthenticationConfig } from './authentication.ts'
import type { KeyValueStorage } from './storage.ts'
import type { WalletGroup } from './wallet.ts'

/** A viem chain, with an icon if the app has one. */
export type WalletKitChain = Chain & { iconUrl?: string }

/** The sources of names, asked in this order while a wallet is connected. */
export type NamesConfig = {
  /** Service that answers `GET {baseUrl}/v1/resolve-ens?address=…` with `{ data: string | null }`. */
  baseUrl?: string
  /** Of that service. A key in a page is public: give a `baseUrl` of your own server to keep it. */
  apiKey?: string
  /** Header the key is sent in. Default: `x-api-key`. */
  header?: string
  /**
   * Names that end in .bnb, read on chain 56, which must be among the chains. Believed only if the name leads back to the
   * account.
   *
   * @see https://docs.space.id
   */
  bnb?: boolean
}

/** The argument of `createWalletKit`. */
export type WalletKitConfig = AppDetails & {
  /**
   * Letters, digits and dashes that tell this kit apart from others of the same site: it then remembers a connection of its
   * own, and hears of disconnecting, sign-in and transactions only from tabs with the same. Default: none.
   */
  id?: string
  /** Of the WalletConnect relay. Wallets that need none work without it. */
  projectId?: string
  chains: readonly [WalletKitChain, ...WalletKitChain[]]
  /** How each chain is read, by chain id; reads never go through the wallet. */
  transports: Readonly<Record<number, Transport>>
  wallets: readonly WalletGroup[]
  /** Lets people prove that an account is theirs, or asks them to. */
  authentication?: AuthenticationConfig
  /**
   * Where the last wallet, recent wallets and transactions are kept. Default: `localStorage`, and then tabs tell
   * each other when a connection ends. A storage given here is not taken to be shared between tabs.
   */
  storage?: KeyValueStorage
  /** Where names of accounts come from. Default: accounts have none, and nothing is asked. */
  names?: NamesConfig
  /** Chain that is read before a wallet is connected. Default: the first. */
  initialChain?: number | WalletKitChain
  /** BCP 47 tag of the dialogs' language. Default: the browser's. */
  locale?: string
  /** Texts that replace the kit's own, by key; under the name of a language for that one alone. */
  messages?: Messages
  /** Element that dialogs are put into. Default: `document.body`. */
  container?: HTMLElement | (() => HTMLElement | null)
  /**
   * Whether a dialog takes back the focus when it leaves. `false` inside a modal of the app's own that does the same: the two
   * would take it from each other for ever. Default: `true`.
   */
  trapFocus?: boolean
  /** Content-security-policy nonce for styles. */
  nonce?: string
  /** Where "Learn More" leads. */
  learnMoreUrl?: string
  /** A sentence under the wallet list. */
  disclaimer?: string
}
