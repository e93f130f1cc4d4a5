import type { WalletOption } from '../wallets/wallet.ts'
import type { WalletKitState } from './state.ts'

/** Shows the wallets that were connected last, the latest first. */
export function showRecentWallets(state: WalletKitState, recentWalletIds: readonly string[]): WalletKitState {
  return { ...state, recentWalletIds }
}

/** Shows the wallets of the page. An equal list does not change the state. */
export function showWallets(state: WalletKitState, wallets: readonly WalletOption[]): WalletKitState {
  return isSameList(wallets, state.wallets) ? state : { ...state, wallets }
}

/** Compares two lists by the fields of their wallets. */
function isSameList(a: readonly WalletOption[], b: readonly WalletOption[]): boolean {
  const isSame = (one: WalletOption, other = {} as WalletOption) =>
    Object.keys({ ...one, ...other }).every(
      (key) => one[key as keyof WalletOption] === other[key as keyof WalletOption],
    )
  return a.length === b.length && a.every((wallet, index) => isSame(wallet, b[index]))
}
