import { type Address, getAddress, isAddress } from 'viem'
import { type DemoChainId, nodeChainId, toDemoChainId } from './chains.ts'

/** The demo wallet's stored state. Storage is per origin, and so is the permission. */
export type DemoWalletState = {
  /** The selected account. */
  account: Address
  chainId: DemoChainId
  /** `granted`: this site may see the account. */
  permission: 'granted' | 'none'
}

const storageKey = 'lineage-demo-wallet'

/** Reads the stored state; invalid or missing parts get defaults. */
export function readState(accounts: readonly Address[]): DemoWalletState {
  const fallback: DemoWalletState = { account: accounts[0] as Address, chainId: nodeChainId, permission: 'none' }
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return fallback
    const { account, chainId, permission } = stored as Record<string, unknown>
    const known = typeof account === 'string' && isAddress(account, { strict: false }) ? getAddress(account) : undefined
    // The permission belongs to that account only.
    if (!known || !accounts.includes(known)) return fallback
    return {
      account: known,
      chainId: toDemoChainId(chainId) ?? nodeChainId,
      permission: permission === 'granted' ? 'granted' : 'none',
    }
  } catch {
    return fallback
  }
}

export function writeState(state: DemoWalletState): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(state))
  } catch {
    // Storage is forbidden or full: the state lasts until the page closes.
  }
}
