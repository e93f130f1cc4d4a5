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
