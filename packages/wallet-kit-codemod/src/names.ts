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

/** Fields that the hooks of dialogs return in the kit, by their name in RainbowKit. */
export const dialogHooks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  useAccountModal: { openAccountModal: 'open', accountModalOpen: 'isOpen' },
  useChainModal: { openChainModal: 'open', chainModalOpen: 'isOpen' },
  useConnectModal: { openConnectModal: 'open', connectModalOpen: 'isOpen' },
}

/** Definitions of the kit for the wallets of RainbowKit. */
export const wallets: Readonly<Record<string, string>> = {
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
  AvatarComponent: 'The kit draws its own avatars. Remove the type.',
  DisclaimerComponent: 'Give `disclaimer`, a text, to `createWalletKit`.',
  WalletButton: 'Write a button that calls `useWalletKit().connect({ walletId })`.',
  cssStringFromTheme: 'The kit writes its own styles. Remove the call.',
  useTransactionStore: 'Read transactions with `useRecentTransactions()`.',
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
