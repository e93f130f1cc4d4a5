import type { WalletGroup } from '../core/wallets/wallet.ts'
import { coinbase } from './definitions/coinbase.ts'
import { metaMask } from './definitions/metaMask.ts'
import { rainbow } from './definitions/rainbow.ts'
import { safe } from './definitions/safe.ts'
import { walletConnect } from './definitions/walletConnect.ts'

/**
 * Returns the most used wallets, in one group.
 *
 * @example
 * const wallets = [...defaultWallets(), { groupName: 'More', wallets: [okx, trust] }]
 */
export function defaultWallets(): WalletGroup[] {
  return [{ groupName: 'Popular', wallets: [safe, rainbow, coinbase, metaMask, walletConnect] }]
}
