/** A name of RainbowKit and the entry and name that replace it. */
type Replacement = { entry: '' | '/core' | '/wallets' | '/wagmi'; name: string }

/**
 * Returns the entry of a table for a name in an app. The name may also be one that every object has, such as
 * `constructor`.
 */
export const entryOf = <entry>(table: Readonly<Record<string, entry>>, name: string): entry | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

export const rainbowKit = '@rainbow-me/rainbowkit'
export const rainbowKitWallets = `${rainbowKit}/wallets`
export const walletKit = '@lineage/wallet-kit'

/** Names of RainbowKit that have a replacement in the kit. */
export const replacements: Readonly<Record<string, Replacement>> = {
  ConnectButton: { entry: '', name: 'ConnectButton' },
  RainbowKitProvider: { entry: '', name: 'WalletKitProvider' },
  useAccountModal: { entry: '', name: 'useAccountDialog' },
  useAddRecentTransaction: { entry: '', name: 'useAddTransaction' },
  useChainModal: { entry: '', name: 'useNetworkDialog' },
  useConnectModal: { entry: '', name: 'useConnectDialog' },
}

/** A hook of a dialog: the kit's fields by their name in RainbowKit, and the status in which RainbowKit's dialog opens. */
type DialogHook = { fields: Readonly<Record<string, string>>; status: string }

/** The hooks of dialogs, by their name in RainbowKit. */
export const dialogHooks: Readonly<Record<string, DialogHook>> = {
  useAccountModal: { fields: { openAccountModal: 'open', accountModalOpen: 'isOpen' }, status: 'connected' },
  useChainModal: { fields: { openChainModal: 'open', chainModalOpen: 'isOpen' }, status: 'connected' },
  useConnectModal: { fields: { openConnectModal: 'open', connectModalOpen: 'isOpen' }, status: 'disconnected' },
}

/** Definitions of the kit for the wallets of RainbowKit. */
export const wallets: Readonly<Record<string, string>> = {
  base: 'baseAccount',
  baseAccount: 'baseAccount',
  binanceWallet: 'binance',
  bitgetWallet: 'bitget',
  coinbaseWallet: 'coinbase',
  imTokenWallet: 'imToken',
  metaMaskWallet: 'metaMask',
  okxWallet: 'okx',
  rabbyWallet: 'rabby',
  rainbowWallet: 'rainbow',
  safeWallet: 'safe',
  safepalWallet: 'safePal',
  tokenPocketWallet: 'tokenPocket',
  trustWallet: 'trust',
  walletConnectWallet: 'walletConnect',
}

/** Advice for names of RainbowKit without a replacement. */
export const advice: Readonly<Record<string, string>> = {
  AuthenticationStatus: 'Remove it: the kit keeps the status itself, in `useConnection().status`.',
  Chain:
    'Use `WalletKitChain` of `@lineage/wallet-kit/core`. Its `iconUrl` is a string, and it has no `iconBackground`.',
  DisclaimerComponent: 'Give `disclaimer`, a text, to `createWalletKit`.',
  Locale: 'Use `string`: the kit takes any language tag.',
  RainbowKitProviderProps: 'Use `WalletKitProviderProps` of `@lineage/wallet-kit`.',
  Theme: 'Use `Theme` of `@mui/material/styles`, which `createWalletKitTheme` returns.',
  Wallet: 'Use `WalletDefinition` of `@lineage/wallet-kit/core`. The guide to migration maps its fields.',
  WalletButton:
    'Write a button that calls `void kit.openConnectDialog()` and then `kit.dispatch({ type: "pick", walletId })`, with `const kit = useWalletKit()`.',
  WalletList: 'Use `WalletGroup[]` of `@lineage/wallet-kit/core`.',
  cssObjectFromTheme: 'The kit writes its own styles. Remove the call.',
  cssStringFromTheme: 'The kit writes its own styles. Remove the call.',
  getWalletConnectConnector:
    'Put `walletConnect()` of `@lineage/wallet-kit/wallets` among the `connectors` of the definition.',
  useTransactionStore: 'Read transactions with `useRecentTransactions()`.',
}

export const avatarAdvice = 'Your component gets `avatar` in place of `ensImage`, and `undefined` in place of `null`.'

/** Options of RainbowKit's configuration that neither the kit nor wagmi has. */
export const unsupported: Readonly<Record<string, string>> = {
  appDescription: '`appDescription` is left out: wallets show the name and the icon alone.',
  walletConnectParameters:
    '`walletConnectParameters` is left out: the kit sets up its relay client itself, without telemetry. For a relay of your own give `relayUrl` to `createWalletKit`.',
}

/** Options of `getDefaultConfig` that belong to the kit. The others belong to wagmi. */
export const kitOptions: readonly string[] = [
  'appName',
  'appUrl',
  'appIcon',
  'projectId',
  'chains',
  'transports',
  'wallets',
]
