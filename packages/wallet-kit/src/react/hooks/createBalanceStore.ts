import type { Address } from 'viem'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { untilIdle } from '../../core/lib/promises.ts'
import type { WalletKit } from '../../core/WalletKit.ts'

/** `stale`: the last reading failed, and `value` comes from the reading before. */
type BalanceState = { status: 'idle' | 'loading' | 'failed' } | { status: 'ready' | 'stale'; value: bigint }

export type BalanceStore = Pick<StoreApi<BalanceState>, 'getState' | 'subscribe'> & { refresh: () => void }

const idle: BalanceState = { status: 'idle' }

/**
 * Creates the store of the connected account's balance. It reads only while it has subscribers, and once for all of
 * them.
 */
export function createBalanceStore(kit: WalletKit): BalanceStore {
  const store = createStore<BalanceState>(() => idle)
  const set = (state: BalanceState) => store.setState(state, true)
  let account = ''
  let lastReading = 0
  let subscribers = 0
  let unsubscribes: (() => void)[] = []

  const read = async (until?: Promise<unknown>) => {
    const { status, address, chainId, isSupportedChain } = kit.getState()
    const reading = ++lastReading
    if (status !== 'connected' || !isSupportedChain) return set(idle)
    if (!('value' in store.getState())) set({ status: 'loading' })
    await until
    // Also drops a reading that was replaced by a later one or by another account.
    if (reading !== lastReading) return
    const next = await readBalance(kit, address, chainId)
    const last = store.getState()
    if (reading !== lastReading) return
    set(next.status === 'failed' && 'value' in last ? { status: 'stale', value: last.value } : next)
  }
  const refresh = () => void read()

  const readNewAccount = () => {
    const { status, address, chainId } = kit.getState()
    const next = status === 'connected' ? `${chainId}:${address}` : ''
    if (next === account) return
    account = next
    set(idle)
    // Paint the account first.
    void read(untilIdle())
  }

  return {
    getState: store.getState,
    refresh,
    subscribe(listener) {
      const unsubscribe = store.subscribe(listener)
      if (subscribers++ === 0) {
        unsubscribes = [kit.subscribe(readNewAccount), kit.onTransactionSettled(refresh)]
        // It was not followed meanwhile.
        if (account) refresh()
      }
      readNewAccount()
      return () => {
        unsubscribe()
        if (--subscribers === 0) for (const stop of unsubscribes) stop()
      }
    },
  }
}

async function readBalance(kit: WalletKit, address: Address, chainId: number): Promise<BalanceState> {
  try {
    const value = await kit.getClient({ chainId }).request({ method: 'eth_getBalance', params: [address, 'latest'] })
    return { status: 'ready', value: BigInt(value) }
  } catch {
    return { status: 'failed' }
  }
}
