import { type Address, type EIP1193Provider, SwitchChainError, UserRejectedRequestError } from 'viem'
import type { CreateConnectorFn } from 'wagmi'
import { createNotConnectedError, toWalletKitError } from '../core/lib/errors.ts'
import { requestForViem } from '../core/provider/requestForViem.ts'
import type { WalletKit } from '../core/WalletKit.ts'

/**
 * Creates a wagmi connector that follows a kit: a connection made in the kit's dialog appears in wagmi's hooks
 * without another prompt, and wagmi's `connect` opens the dialog, which needs a `WalletKitProvider` on the page. Set
 * wagmi's `multiInjectedProviderDiscovery` to `false`, so that only the kit lists the wallets.
 *
 * @param kit - The kit to follow. It works on a server too, where it does not subscribe to the kit.
 * @returns A function for `connectors` of wagmi's `createConfig`, which calls it once; not for wagmi's `connect`. Its
 * connector has the id `walletKit`.
 * @throws {UserRejectedRequestError} from `connect` when the person closes the dialog, and from `switchChain` when the
 * person rejects the request
 * @see https://wagmi.sh/dev/creating-connectors
 * @example
 * const config = createConfig({
 *   chains: [bsc],
 *   transports: { [bsc.id]: http() },
 *   connectors: [kitConnector(kit)],
 *   multiInjectedProviderDiscovery: false,
 * })
 */
export function kitConnector(kit: WalletKit): CreateConnectorFn<EIP1193Provider> {
  return ({ chains, emitter }) => {
    const { provider, moveListeners } = createSharedProvider(kit)
    const notifier = createNotifier(kit, emitter)
    return {
      id: 'walletKit',
      name: 'Wallet Kit',
      type: 'walletKit',
      setup: async () => {
        if (typeof document === 'undefined') return
        kit.subscribe(moveListeners)
        notifier.start()
      },
      connect: async ({ chainId, isReconnecting, withCapabilities } = {}) => {
        const connection = await (isReconnecting ? restore(kit) : connect(kit))
        // If the wallet does not switch, it stays connected on its own chain, as in the kit.
        if (chainId !== undefined && chainId !== connection.chainId) await kit.switchChain({ chainId }).catch(() => {})
        const { address, chainId: current } = readAccount(kit) ?? fail(createNotConnectedError())
        const account = withCapabilities ? { address, capabilities: {} } : address
        return { accounts: [account] as never, chainId: current }
      },
      // wagmi updates its own state after a disconnect.
      disconnect: () => notifier.pauseWhile(() => kit.disconnect()),
      getAccounts: async () => [(await restore(kit)).address],
      getChainId: async () => (await restore(kit)).chainId,
      getProvider: async () => provider,
      isAuthorized: async () => {
        await kit.reconnect()
        return readAccount(kit) !== undefined
      },
      // The kit adds an unknown chain with the data of its own configuration.
      switchChain: async ({ chainId }) => {
        const chain = chains.find(({ id }) => id === chainId)
        if (!chain)
          throw new SwitchChainError(new Error(`The chain ${chainId} is not among the chains of wagmi's config.`))
        await switchChain(kit, chainId)
        return chain
      },
      // The kit follows the wallet's events itself.
      onAccountsChanged: () => {},
      onChainChanged: () => {},
      onDisconnect: () => {},
    }
  }
}

/** Returns the connection, or opens the dialog for one. */
async function connect(kit: WalletKit) {
  await kit.reconnect()
  if (!readAccount(kit)) await kit.openConnectDialog()
  return (
    readAccount(kit) ??
    fail(new UserRejectedRequestError(new Error('The person closed the dialog without connecting.')))
  )
}

/** Returns the connection; waits while the kit restores the last one. */
async function restore(kit: WalletKit) {
  await kit.reconnect()
  return readAccount(kit) ?? fail(createNotConnectedError())
}

function fail(error: Error): never {
  throw error
}

/** Switches the chain, with the errors that users of wagmi expect. */
async function switchChain(kit: WalletKit, chainId: number): Promise<void> {
  try {
    await kit.switchChain({ chainId })
  } catch (thrown) {
    const error = toWalletKitError(thrown)
    throw error.name === 'UserRejectedError' ? new UserRejectedRequestError(error) : new SwitchChainError(error)
  }
}

type Listener = { event: string; listener: (payload: unknown) => void; attached?: (payload: unknown) => void }

/** Creates one provider for all wallets, because wagmi keeps the first provider that it got. */
function createSharedProvider(kit: WalletKit) {
  let listeners: Listener[] = []
  let current: EIP1193Provider | undefined
  const call = async (method: 'on' | 'removeListener', { event, attached }: Listener) =>
    current?.[method](event as 'message', attached as never)
  const attach = (added: Listener) => {
    // A wallet without `removeListener` still calls listeners that were removed.
    const attached = (payload: unknown) => void (added.attached === attached && added.listener(payload))
    added.attached = attached
    call('on', added).catch(() => {})
  }
  const detach = (removed: Listener) => {
    call('removeListener', removed).catch(() => {})
    delete removed.attached
  }
  /** Moves the listeners to the connected wallet. */
  const moveListeners = () => {
    if (kit.provider === current) return
    listeners.forEach(detach)
    current = kit.provider
    listeners.forEach(attach)
  }
  const provider = {
    request: async (request: Parameters<EIP1193Provider['request']>[0]) =>
      requestForViem(kit.provider ?? fail(createNotConnectedError()), request),
    on: (event: string, listener: Listener['listener']) => {
      moveListeners()
      listeners.push({ event, listener })
      listeners.slice(-1).forEach(attach)
    },
    removeListener: (event: string, listener: Listener['listener']) => {
      const isRemoved = (it: Listener) => it.event === event && it.listener === listener
      listeners.filter(isRemoved).forEach(detach)
      listeners = listeners.filter((it) => !isRemoved(it))
    },
  }
  return { provider: provider as unknown as EIP1193Provider, moveListeners }
}

type Emitter = Parameters<CreateConnectorFn>[0]['emitter']

/** Interval in milliseconds at which the kit notifies wagmi again while wagmi restores or connects something else. */
const retryInterval = 100

/** Returns the account for wagmi; none while a required sign-in is missing. */
function readAccount(kit: WalletKit): { address: Address; chainId: number } | undefined {
  const { status, address, chainId } = kit.getState()
  return status === 'connected' ? { address, chainId } : undefined
}

/** Creates the service that notifies wagmi of each change of a kit's connection. */
function createNotifier(kit: WalletKit, emitter: Emitter) {
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
