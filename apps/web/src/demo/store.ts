import { type Address, getAddress, isAddress } from 'viem'
import { type DemoChainId, nodeChainId, toDemoChainId } from './chains.ts'

/** What the demo wallet remembers across reloads. Storage belongs to one origin, and so does the permission in it. */
export type DemoWalletState = {
  /** Chosen in the wallet. */
  account: Address
  chainId: DemoChainId
  /** Whether this site may see the account. */
  permission: 'granted' | 'none'
}

const storageKey = 'lineage-demo-wallet'

/** The remembered state, as far as it is of use. Storage may be forbidden, full, or hold anything. */
export function readState(accounts: readonly Address[]): DemoWalletState {
  const fallback: DemoWalletState = { account: accounts[0] as Address, chainId: nodeChainId, permission: 'none' }
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return fallback
    const { account, chainId, permission } = stored as Record<string, unknown>
    const known = typeof account === 'string' && isAddress(account, { strict: false }) ? getAddress(account) : undefined
    // The permission was given for that account: it does not pass to another.
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
    // Then it is forgotten with the page.
  }
}
