/** What an app says of itself to wallets that are not on its page, and the relay it meets them at. */
export type AppDetails = {
  appName: string
  /** Shown by wallets that ask the person. Default: the origin of the page. */
  appUrl?: string
  /** Address of an icon that such wallets show. */
  appIcon?: string
  /** A relay of your own (`wss:`). Default: WalletConnect's. */
  relayUrl?: string
}
