import type { Address } from 'viem'
import type { WalletKit } from '../core/createWalletKit.ts'
import { whenIdle } from '../core/whenIdle.ts'

/** `stale`: the last reading failed, and this is the one before it. */
type BalanceState = { status: 'idle' | 'loading' | 'failed' } | { status: 'ready' | 'stale'; value: bigint }

/** The balance of the connected account, read once for all who show it. */
export type BalanceStore = {
  getState: () => BalanceState
  /** Reads while somebody listens. */
  subscribe: (listener: () => void) => () => void
  refresh: () => void
}

const idle: BalanceState = { status: 'idle' }

export function createBalanceStore(kit: WalletKit): BalanceStore {
  const listeners = new Set<() => void>()
  let state = idle
  let account = ''
  let read = {}
  let unsubscribes: (() => void)[] = []

  const set = (next: BalanceState) => {
    state = next
    for (const listener of listeners) listener()
  }

  const readWhen = (start: (read: () => void) => void) => {
    const { status, address, chainId, isSupportedChain } = kit.getState()
    const current = {}
    read = current
    if (status !== 'connected' || !address || !isSupportedChain) return set(idle)
    if (!('value' in state)) set({ status: 'loading' })
    start(() => {
      if (read !== current) return
      void readBalance(kit, { address, chainId }).then((next) => {
        // An answer about another account, or one that a later read has overtaken, says nothing.
        if (read !== current) return
        // A node that is away for a moment does not make the balance unknown.
        set(next.status === 'failed' && 'value' in state ? { status: 'stale', value: state.value } : next)
      })
    })
  }
  const refresh = () => readWhen((read) => read())

  const follow = () => {
    const { status, address, chainId } = kit.getState()
    const nextAccount = status === 'connected' ? `${chainId}:${address}` : ''
    if (nextAccount === account) return
    account = nextAccount
    state = idle
    // The account is on screen first.
    readWhen(whenIdle)
  }

  return {
    getState: () => state,
    refresh,
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) unsubscribes = [kit.subscribe(follow), kit.onTransactionSettled(refresh)]
      follow()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        for (const unsubscribe of unsubscribes) unsubscribe()
        unsubscribes = []
      }
    },
  }
}

async function readBalance(
  kit: WalletKit,
  { address, chainId }: { address: Address; chainId: number | undefined },
): Promise<BalanceState> {
  try {
    const client = kit.getClient(chainId)
    const value = await client.request({ method: 'eth_getBalance', params: [address, 'latest'] })
    return { status: 'ready', value: BigInt(value) }
  } catch {
    return { status: 'failed' }
  }
}
