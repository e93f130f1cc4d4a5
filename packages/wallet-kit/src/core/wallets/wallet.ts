import type { Address, EIP1193Provider, Hash } from 'viem'

/** Details of the app that wallets outside the page show, and the relay that connects them. */
export type AppDetails = {
  appName: string
  /** Address that these wallets show. Default: the origin of the page. */
  appUrl?: string | undefined
  /** Address of the icon that these wallets show. */
  appIcon?: string | undefined
  /** URL of your own relay (`wss:`). Default: WalletConnect's. */
  relayUrl?: string | undefined
}

/** Download links of a wallet (https), by browser and platform. */
export type DownloadUrls = {
  ios?: string | undefined
  android?: string | undefined
  /** A page that redirects to the store of the phone. */
  mobile?: string | undefined
  /** Content of the QR code for the download. */
  qrCode?: string | undefined
  chrome?: string | undefined
  edge?: string | undefined
  firefox?: string | undefined
  opera?: string | undefined
  safari?: string | undefined
  macos?: string | undefined
  windows?: string | undefined
  linux?: string | undefined
  desktop?: string | undefined
  /** For other browsers. */
  browserExtension?: string | undefined
}

/** A wallet as data: its name, how it is found on the page, its downloads and connectors. */
export type WalletDefinition<id extends string = string> = {
  id: id
  name: string
  /** Its names in other languages, by the kit's tag of the language. That of `zh-TW` is also shown in Hong Kong. */
  names?: Readonly<Record<string, string>> | undefined
  /** Name for narrow places. Default: `name`. */
  shortName?: string | undefined
  /** Address of the icon, or a function that loads it when it is first shown. */
  iconUrl: string | (() => Promise<string>)
  /** CSS colour behind the icon. */
  iconBackground: string
  /** Hex colour of the wallet's brand. */
  iconAccent?: string | undefined
  /** Names that it announces, the preferred one first. @see https://eips.ethereum.org/EIPS/eip-6963#rdns */
  rdns?: readonly string[] | undefined
  /** Properties that its provider sets to `true` (`isTokenPocket`), in case it does not announce itself. */
  flags?: readonly string[] | undefined
  /** Paths of its provider below `window` (`binancew3w.ethereum`), in case it does not announce itself. */
  namespaces?: readonly string[] | undefined
  downloadUrls?: DownloadUrls | undefined
  /**
   * Link that opens this page in the in-app browser of the wallet. A pattern with `{url}`, the encoded address of the page,
   * `{urlTwice}`, the address encoded twice, or `{hostAndPath}`, the address without `https://`.
   */
  openInWallet?: string | undefined
  /** Links that open its app with a pairing URI of the relay. */
  relayLinks?: RelayLinks | undefined
  /**
   * Loads more apps for the choice that the definition `walletConnectWallet` leads to on phones. Called once it is picked
   * there.
   */
  apps?: LoadWalletApps | undefined
  /**
   * Capabilities of the wallet while it connects, through the method `wallet_connect`, or over the relay by session
   * authentication. `signInWithEthereum`: it signs in with the same approval, if the app requires sign-in.
   *
   * @see https://eips.ethereum.org/EIPS/eip-7846
   * @see https://specs.walletconnect.com/2.0/specs/clients/sign/authenticated-session
   */
  connectCapabilities?: readonly 'signInWithEthereum'[] | undefined
  /** Ways to connect it; the first ready one is used. If empty, the wallet is shown as unsupported. */
  connectors: readonly ConnectorFactory[]
}

/**
 * Patterns with `{uri}`, the encoded pairing URI. Without a pattern, the URI itself is the link, for wallets that
 * have registered `wc:`.
 */
export type RelayLinks = {
  ios?: string | undefined
  android?: string | undefined
  /** An https link that opens the app, for in-app browsers that open only https links. */
  universal?: string | undefined
  /** Content of the QR code. */
  qrCode?: string | undefined
}

/** The services of a kit that a connector can use. */
export type ConnectorContext = {
  chainIds: readonly [number, ...number[]]
  projectId: string | undefined
  /** Name, address and icon of the app, and its relay. */
  app: AppDetails
  /**
   * Sends a request to the app's node for a chain.
   *
   * @param chainId - A chain of the app.
   * @param request - A request that changes nothing.
   */
  read: (chainId: number, request: { method: string; params?: unknown }) => Promise<unknown>
  /** Fires when the kit is destroyed. */
  signal: AbortSignal
  /** The relay session that the connectors store for the next page. */
  relaySession: {
    read: () => unknown
    /**
     * Stores the session in place of an earlier one.
     *
     * @param value - Any value that JSON can hold.
     */
    write: (value: unknown) => void
  }
  /**
   * Returns the value that all connectors of this kit share under `key`, created on first use.
   *
   * @param key - An object that identifies the value, such as the factory itself.
   * @param create - Creates the value.
   */
  share: <T>(key: object, create: () => T) => T
  /** Returns the provider on the page that belongs to this wallet, if there is one. */
  findProvider: () => EIP1193Provider | undefined
}

/**
 * Creates a connector for a wallet, once for each kit.
 *
 * @param context - The services of the kit.
 * @param definition - The wallet that the connector belongs to.
 */
export type ConnectorFactory = (context: ConnectorContext, definition: WalletDefinition) => Connector

/** The kind of a connector: one of the kit's, or a name of your own. */
export type ConnectorKind = 'injected' | 'walletConnect' | 'safe' | 'coinbase' | (string & {})

/**
 * A way to connect a wallet. It keeps no state besides its client.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193
 */
export type Connector = {
  kind: ConnectorKind
  /** Returns whether `connect` can be called now. It may change: extensions announce themselves late. */
  isReady: () => boolean
  /**
   * Requirement that the app must meet before this connector can be used: a project id of the relay, or a package.
   * In development, the kit logs it to the console.
   */
  needs?: 'projectId' | '@coinbase/wallet-sdk' | '@base-org/account' | undefined
  /** Returns the provider that it would use, if that exists before connecting. */
  getProvider?: () => EIP1193Provider | undefined
  /**
   * Asks for accounts. Rejects with any error of the wallet; the kit classifies it.
   *
   * @param parameters - A signal that ends the attempt, and functions that report its progress.
   */
  connect: (parameters: ConnectorConnectParameters) => Promise<ConnectorConnection>
  /**
   * Returns the accounts that the wallet has already granted, without a prompt; `undefined` when there are none.
   *
   * @param parameters - A signal that ends the attempt.
   */
  reconnect?: (parameters: { signal: AbortSignal }) => Promise<ConnectorConnection | undefined>
  /**
   * Waits for the wallet's answer to a request that an earlier page has shown as a code or link; `undefined` when it has
   * expired. Called while the relay session stores this wallet's id as its `pairing`.
   *
   * @param parameters - A signal that ends the attempt.
   */
  resume?: (parameters: { signal: AbortSignal }) => Promise<ConnectorConnection | undefined>
  /**
   * Returns whether its wallet may surround this page, like a Safe. It is then asked on every `reconnect`, before the
   * last connection, and listed only once it is ready.
   */
  containsPage?: () => boolean
  /**
   * Reads a transaction that the wallet knows by its own hash until it is on chain. Resolves with `undefined` when
   * the wallet does not know it. Receipts are then read through the wallet's provider.
   *
   * @param hash - The wallet's own hash.
   */
  readTransaction?: (hash: Hash) => Promise<WalletTransaction | undefined>
  /**
   * Returns `false` if the connected wallet is known to refuse a switch to this chain. Dialogs then say that it has to be
   * chosen in the wallet; a press still asks, because the answer may have changed. Default: `true` for every chain.
   *
   * @param chainId - The chain to switch to.
   */
  canSwitchTo?: (chainId: number) => boolean
  /**
   * Returns the accounts that the connected wallet approved on a chain, the selected one first, if it approves accounts
   * by chain. Default: those of its `accountsChanged` event on every chain.
   *
   * @param chainId - The chain.
   */
  getAccounts?: (chainId: number) => readonly Address[]
  /**
   * Ends the session with the wallet, in the background.
   *
   * @param provider - The provider that `connect` or `reconnect` returned.
   */
  disconnect?: (provider: EIP1193Provider) => Promise<void>
}

/** The progress of a transaction that a wallet knows by its own hash. */
export type WalletTransaction = {
  status: 'awaitingOwners' | 'awaitingExecution' | 'executed' | 'cancelled' | 'failed'
  /** The hash on chain, once executed. */
  hash?: Hash
}

export type ConnectorConnectParameters = {
  /** Fires when the attempt ends. */
  signal: AbortSignal
  /**
   * Called with each pairing URI of the relay, for a QR code or a deep link.
   *
   * @param uri - The pairing URI, such as `wc:…`.
   */
  onUri: (uri: string) => void
  /**
   * Called when the person rejects and the connector continues with another URI. Without this callback the connector
   * rejects instead.
   */
  onDeclined?: () => void
  /**
   * Asks a provider to connect and to sign in with one approval. Resolves with `undefined` when the provider does not
   * support it. Passed only to wallets with the capability `signInWithEthereum`.
   */
  signIn?: ConnectAndSign
}

/** The id of a wallet: the id of a definition of the kit, or the rdns of an announced wallet. */
export type WalletId =
  | 'safe'
  | 'rainbow'
  | 'coinbase'
  | 'metaMask'
  | 'walletConnect'
  | 'binance'
  | 'okx'
  | 'trust'
  | 'tokenPocket'
  | 'safePal'
  | 'bitget'
  | 'imToken'
  | 'rabby'
  | 'baseAccount'
  | (string & {})

declare const listed: unique symbol

/** The id of a wallet in the state of a kit. Its actions accept it; other strings have to be ids that they know. */
export type ListedWalletId = string & { readonly [listed]: true }

/** Wallets under a heading of the list. Dialogs translate "Popular" and "More". */
export type WalletGroup<id extends string = string> = { groupName: string; wallets: readonly WalletDefinition<id>[] }

/** An app in which a pairing over the relay can be opened. */
export type WalletApp = Pick<
  WalletDefinition,
  'id' | 'name' | 'names' | 'shortName' | 'iconUrl' | 'iconBackground' | 'relayLinks'
>

/**
 * Loads apps in which a pairing can be opened.
 *
 * @param parameters - The project id and the chains of the app, and the kind of phone.
 */
export type LoadWalletApps = (parameters: {
  projectId: string | undefined
  chainIds: readonly number[]
  platform: 'ios' | 'android'
}) => Promise<readonly WalletApp[]>

/** A wallet of the list, with its current state. */
export type WalletOption = {
  id: ListedWalletId
  name: string
  names?: Readonly<Record<string, string>>
  shortName: string
  iconUrl: string | (() => Promise<string>)
  iconBackground: string
  iconAccent?: string
  /** `true` if its provider is on this page. */
  installed: boolean
  /** `true` if it can connect now. */
  ready: boolean
  /** Kind of the connector that would be used; `walletConnect` shows a QR code or a deep link. */
  kind?: ConnectorKind | undefined
  /** `true` if it is among the last three used. */
  recent: boolean
  downloadUrls: DownloadUrls
  /** "Installed" if its provider is on this page, otherwise its configured group. */
  groupName: string
  groupIndex: number
  rdns?: string | undefined
  openInWallet?: string
  relayLinks?: RelayLinks
  apps?: LoadWalletApps
  /** `false` when another provider announces the same rdns, or when a configured wallet has the same name. */
  verified: boolean
}

/** A message that a wallet signed while it connected, not yet checked. */
export type SignedMessage = { address: Address; message: string; signature: string }

/**
 * Asks a wallet to connect and to sign in with one approval. Resolves with only the accounts when it did not sign,
 * and with `undefined` when it does not support this.
 *
 * @param provider - The provider to ask.
 */
export type ConnectAndSign = (
  provider: EIP1193Provider,
) => Promise<{ accounts: readonly Address[]; signed?: SignedMessage } | undefined>

/** The accounts that a wallet granted, the selected one first, with its provider and current chain. */
export type ConnectorConnection = {
  provider: EIP1193Provider
  accounts: readonly Address[]
  chainId: number
  /** The message that the selected account signed in the same approval. */
  signed?: SignedMessage
}
