import type { Address } from 'viem'
import type { CreateConnectorFn } from 'wagmi'
import type { WalletKit } from '../core/WalletKit.ts'

type Emitter = Parameters<CreateConnectorFn>[0]['emitter']

/** Interval in milliseconds at which the kit notifies wagmi again while wagmi restores or connects something else. */
const retryInterval = 100

/** Returns the account for wagmi; none while a required sign-in is missing. */
export function readAccount(kit: WalletKit): { address: Address; chainId: number } | undefined {
  const { status, address, chainId } = kit.getState()
  return status === 'connected' ? { address, chainId } : undefined
}

/** Notifies wagmi of each change of a kit's connection. */
export function createFollower(kit: WalletKit, emitter: Emitter) {
  let told = ''
  let isPaused = false
  let retry: ReturnType<typeof setTimeout> | undefined
  // wagmi listens for changes only of a connector that it has connected.
  const isConnected = () => emitter.listenerCount('change') > 0

  const tell = () => {
    clearTimeout(retry)
    const account = readAccount(kit)
    if (!account) return isConnected() ? emitter.emit('disconnect') : undefined
    const now = { accounts: [account.address], chainId: account.chainId }
    if (isConnected()) return emitter.emit('change', now)
    emitter.emit('connect', now)
    // wagmi ignores the event while it connects, through this connector or another one.
    if (!isConnected()) retry = setTimeout(tell, retryInterval)
  }
  const follow = () => {
    const { address = '', chainId } = readAccount(kit) ?? {}
    const next = `${chainId}:${address}`
    if (isPaused || next === told) return
    told = next
    tell()
  }

  return {
    start: () => {
      kit.subscribe(follow)
      // wagmi's store does not exist yet when wagmi sets up a connector.
      retry = setTimeout(follow)
    },
    /** Runs a task that wagmi requested, without notifying wagmi, which updates its own state. */
    pauseWhile: (task: () => Promise<void>): Promise<void> => {
      isPaused = true
      return task().finally(() => {
        isPaused = false
        told = ''
        clearTimeout(retry)
      })
    },
  }
}
