import { injectedConnector } from '../core/wallets/injected.ts'
import type { WalletGroup } from '../core/wallets/wallet.ts'
import { type CoinbaseSdk, coinbaseConnector } from './coinbase.ts'
import { coinbaseWallet, metaMaskWallet, rainbowWallet, safeWallet, walletConnectWallet } from './table.ts'

export type DefaultWalletsOptions = {
  /** Loads the SDK that connects Coinbase Wallet without its extension: `() => import('@coinbase/wallet-sdk')`. */
  loadCoinbase?: (() => Promise<CoinbaseSdk>) | undefined
}

type DefaultWalletId = 'safe' | 'rainbow' | 'coinbase' | 'metaMask' | 'walletConnect'

/**
 * Returns the most used wallets, in one group.
 *
 * @param options - Functions that load the SDKs you install. Default: none.
 * @example
 * const wallets = [...defaultWallets(), { groupName: 'More', wallets: [okxWallet, trustWallet] }]
 */
export function defaultWallets({ loadCoinbase }: DefaultWalletsOptions = {}): WalletGroup<DefaultWalletId>[] {
  const ours = { ...coinbaseWallet, connectors: [injectedConnector(), coinbaseConnector({ load: loadCoinbase })] }
  return [{ groupName: 'Popular', wallets: [safeWallet, rainbowWallet, ours, metaMaskWallet, walletConnectWallet] }]
}
