import type { WalletOption } from '../wallets/wallet.ts'
import type { KitContext } from './context.ts'

/** Puts the wallets of this page into the state, the recent ones first. An equal list does not change the state. */
export function showWallets({ store, wallets }: KitContext): void {
  const { recentWalletIds, wallets: shown } = store.getState()
  const list = wallets.list(recentWalletIds)
  if (!isSameList(list, shown)) store.setState({ wallets: list })
}

/** Compares two lists by the fields of their wallets. */
function isSameList(a: readonly WalletOption[], b: readonly WalletOption[]): boolean {
  const isSame = (one: WalletOption, other = {} as WalletOption) =>
    Object.keys({ ...one, ...other }).every(
      (key) => one[key as keyof WalletOption] === other[key as keyof WalletOption],
    )
  return a.length === b.length && a.every((wallet, index) => isSame(wallet, b[index]))
}
