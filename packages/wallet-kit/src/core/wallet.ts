import type { Address, EIP1193Provider, Hash } from 'viem'
import type { AppDetails } from './app.ts'

/** Places a wallet can be had from. Keys are browsers and platforms; values are https links. */
export type DownloadUrls = {
  ios?: string
  android?: string
  /** A page that leads to the right mobile store. */
  mobile?: string
  /** What the download QR code holds. */
  qrCode?: string
  chrome?: string
  edge?: string
  firefox?: string
  opera?: string
  safari?: string
  macos?: string
  windows?: string
  linux?: string
  desktop?: string
  /** For a browser that has no link of its own. */
  browserExtension?: string
}

/**
 * One wallet as data: who it is, how it is found, where it can be had. Adding one needs no logic.
 *
 * @example
 * const acme = {
 *   id: 'acme',
 *   name: 'Acme Wallet',
 *   iconUrl: 'https://acme.example/icon.svg',
 *   iconBackground: '#fff',
 *   rdns: ['example.acme'],
 *   connectors: [injected()],
 * } satisfies WalletDefinition
 */
export type WalletDefinition = {
  id: string
  name: string
  /** For narrow places. Default: `name`. */
  shortName?: string
  /** A function is called when the icon is first shown. */
  iconUrl: string | (() => Promise<string>)
  /** CSS colour behind the icon. */
  iconBackground: string
  /** Hex colour of the wallet's brand. */
  iconAccent?: string
  /** EIP-6963 reverse-DNS names by which it announces itself, the one to prefer first. */
  rdns?: readonly string[]
  /** Properties that its provider sets to `true` (`isTokenPocket`), for when it announces nothing. */
  flags?: readonly string[]
  /** Where its provider stands on `window` (`okxwallet`, `binancew3w.ethereum`), for when it announces nothing. */
  namespaces?: readonly string[]
  downloadUrls?: DownloadUrls
  /**
   * Opens this page in the wallet's own browser. A pattern with `{url}`, the encoded address of the page, `{urlTwice}`,
   * for a link within a link, or `{hostAndPath}`, the address as it is without `https://`.
   */
  openInWallet?: string
  /** How its app is handed a pairing of the relay. */
  relayLinks?: RelayLinks
  /** Ways to reach it; the first that is ready is used. Empty: shown as unsupported. */
  connectors: readonly ConnectorFactory[]
}

/**
 * Patterns with `{uri}`, which stands for the pairing URI, encoded. Where there is none for a phone, the URI itself is
 * the link: the wallet has registered `wc:`.
 */
export type RelayLinks = {
  ios?: string
  android?: string
  /** An https link that brings up the app, for browsers of apps that open web addresses only. */
  universal?: string
  /** What the QR code holds. */
  qrCode?: string
}

/** What a factory gets from the kit that uses it. */
export type ConnectorContext = {
  chainIds: readonly [number, ...number[]]
  projectId: string | undefined
  /** What the app says of itself, and the relay it uses. */
  app: AppDetails
  /** Asks the app's own node of a chain: reads never go through the wallet. */
  read: (chainId: number, request: { method: string; params?: unknown }) => Promise<unknown>
  /** Fires when the kit is destroyed. */
  signal: AbortSignal
  /** What a connector keeps of its session for the next page, in the storage of this kit. */
  session: { read: () => unknown; write: (value: unknown) => void }
  /** What all connectors of this kit share under `key`, made by the first that needs it. */
  share: <T>(key: object, make: () => T) => T
  /** The provider found for this wallet (EIP-6963, flags, or a namespace), if any. */
  findProvider: () => EIP1193Provider | undefined
}

export type ConnectorFactory = (context: ConnectorContext, definition: WalletDefinition) => Connector

export type ConnectorKind = 'injected' | 'walletConnect' | 'safe' | 'coinbase'

/** One way to reach a wallet. A connector keeps no state of its own beyond its client. */
export type Connector = {
  kind: ConnectorKind
  /** Whether it can be asked to connect now. A function, since extensions announce late. */
  isReady: () => boolean
  /** The provider it would ask, when there is one before connecting. */
  getProvider?: () => EIP1193Provider | undefined
  /**
   * Asks for accounts.
   * @throws what the wallet throws; the kit classifies it
   */
  connect: (parameters: ConnectorConnectParameters) => Promise<ConnectorConnection>
  /** The connection as the wallet still grants it, without a prompt; `undefined` when there is none. */
  reconnect?: (parameters: { signal: AbortSignal }) => Promise<ConnectorConnection | undefined>
  /**
   * Whether its wallet may surround this page, as a Safe does. It is then asked on every `reconnect`, before what was
   * connected last; and it is listed only once it is ready.
   */
  surrounds?: () => boolean
  /**
   * For a wallet that knows transactions by hashes of its own until they are on chain; their receipts are read through its
   * provider. How far one is with the wallet; `undefined` when the wallet does not say, or knows none by this hash.
   */
  readTransaction?: (hash: Hash) => Promise<WalletTransaction | undefined>
  /** Tells the wallet, in the background; the kit has forgotten already. */
  disconnect?: (provider: EIP1193Provider) => Promise<void>
}

/** How far a wallet is with a transaction that it knows by a hash of its own. */
export type WalletTransaction = {
  status: 'awaitingOwners' | 'awaitingExecution' | 'executed' | 'cancelled' | 'failed'
  /** On chain, once it is there. */
  hash?: Hash
}

export type ConnectorConnectParameters = {
  signal: AbortSignal
  /** The relay's pairing URI, for a QR code or a deep link. */
  onUri: (uri: string) => void
  /**
   * The person said no, and the connector goes on with a new URI. Without it the connector rejects: nobody would show
   * the new one.
   */
  onDeclined?: () => void
}

export type ConnectorConnection = { provider: EIP1193Provider; accounts: readonly Address[]; chainId: number }

export type WalletGroup = { groupName: string; wallets: readonly WalletDefinition[] }

/** A wallet as dialogs show it: its definition, and how things stand with it now. */
export type WalletOption = {
  id: string
  name: string
  shortName: string
  iconUrl: string | (() => Promise<string>)
  iconBackground: string
  iconAccent?: string
  /** A provider of it is on this page. */
  installed: boolean
  /** It can be asked to connect. */
  ready: boolean
  /** The way it would be asked; `walletConnect` shows a QR code or a deep link. */
  kind?: ConnectorKind
  /** Among the last three used. */
  recent: boolean
  downloadUrls: DownloadUrls
  /** "Installed" for what was found on this page, else the group it was configured in. */
  groupName: string
  groupIndex: number
  rdns?: string
  openInWallet?: string
  relayLinks?: RelayLinks
  /** `false` when another provider claims the same rdns. */
  verified: boolean
}
