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

/** Creates the service that notifies wagmi of each change of a kit's connection. */
export function createNotifier(kit: WalletKit, emitter: Emitter) {
  /** The account and chain of the last notification. */
  let notified = ''
  let isPaused = false
  let retry: ReturnType<typeof setTimeout> | undefined
  // wagmi listens for changes only of a connector that it has connected.
  const isConnected = () => emitter.listenerCount('change') > 0

  const notify = () => {
    clearTimeout(retry)
    const account = readAccount(kit)
    if (!account) return isConnected() ? emitter.emit('disconnect') : undefined
    const now = { accounts: [account.address], chainId: account.chainId }
    if (isConnected()) return emitter.emit('change', now)
    emitter.emit('connect', now)
    // wagmi ignores the event while it connects, through this connector or another one.
    if (!isConnected()) retry = setTimeout(notify, retryInterval)
  }
  const notifyOnChange = () => {
    const { address = '', chainId } = readAccount(kit) ?? {}
    const next = `${chainId}:${address}`
    if (isPaused || next === notified) return
    notified = next
    notify()
  }

  return {
    start: () => {
      kit.subscribe(notifyOnChange)
      // wagmi's store does not exist yet when wagmi sets up a connector.
      retry = setTimeout(notifyOnChange)
    },
    /** Runs a task that wagmi requested, without notifying wagmi, which updates its own state. */
    pauseWhile: (task: () => Promise<void>): Promise<void> => {
      isPaused = true
      return task().finally(() => {
        isPaused = false
        notified = ''
        clearTimeout(retry)
      })
    },
  }
}
