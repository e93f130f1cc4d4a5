import { type EIP1193Provider, SwitchChainError, UserRejectedRequestError } from 'viem'
import type { CreateConnectorFn } from 'wagmi'
import { toWalletKitError, WalletNotAvailableError } from '../core/lib/errors.ts'
import type { WalletKit } from '../core/WalletKit.ts'
import { createFollower, readAccount } from './createFollower.ts'

/**
 * Creates a wagmi connector that follows a kit: a connection made in the kit's dialog appears in wagmi's hooks
 * without another prompt, and wagmi's `connect` opens the dialog, which needs a `WalletKitProvider` on the page. Set
 * wagmi's `multiInjectedProviderDiscovery` to `false`, so that only the kit lists the wallets.
 *
 * @param kit - The kit to follow. It works on a server too, where it does not subscribe to the kit.
 * @returns A function for `connectors` of wagmi's `createConfig`. Its connector has the id `walletKit`.
 * @throws {UserRejectedRequestError} from `connect` and `switchChain` when the person rejects the request or closes
 * the dialog
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
    const { provider, follow } = createFollowingProvider(kit)
    const follower = createFollower(kit, emitter)
    return {
      id: 'walletKit',
      name: 'Wallet Kit',
      type: 'walletKit',
      setup: async () => {
        if (typeof window === 'undefined') return
        kit.subscribe(() => follow())
        follower.start()
      },
      connect: async ({ chainId, isReconnecting, withCapabilities } = {}) => {
        const connection = await (isReconnecting ? restore(kit) : connect(kit))
        if (chainId !== undefined && chainId !== connection.chainId) await switchIfAllowed(kit, chainId)
        const { address, chainId: current } = readAccount(kit) ?? connection
        const account = withCapabilities ? { address, capabilities: {} } : address
        return { accounts: [account] as never, chainId: current }
      },
      // wagmi updates its own state after a disconnect.
      disconnect: () => follower.pauseWhile(() => kit.disconnect()),
      getAccounts: async () => [(await restore(kit)).address],
      getChainId: async () => (await restore(kit)).chainId,
      getProvider: async () => provider,
      isAuthorized: async () => {
        await kit.reconnect()
        return readAccount(kit) !== undefined
      },
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
  return readAccount(kit) ?? fail(createMissingError())
}

const createMissingError = () => new WalletNotAvailableError('Connect a wallet first.')

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

/** Switches a new connection to a chain. If the wallet cannot switch, it stays connected on its own chain. */
async function switchIfAllowed(kit: WalletKit, chainId: number): Promise<void> {
  await switchChain(kit, chainId).catch((thrown) => {
    if (thrown instanceof UserRejectedRequestError) throw thrown
  })
}

type Listen = Parameters<EIP1193Provider['on']>

/** Creates one provider for all wallets, because wagmi keeps the first provider that it got. */
function createFollowingProvider(kit: WalletKit) {
  let listeners: Listen[] = []
  let current: EIP1193Provider | undefined
  const callAll = (method: 'on' | 'removeListener') => {
    // A wallet may throw or reject.
    for (const listen of listeners) (async () => current?.[method](...listen))().catch(() => {})
  }
  /** Moves the listeners to the connected wallet. */
  const follow = (changed = listeners) => {
    if (changed === listeners && kit.provider === current) return
    callAll('removeListener')
    listeners = changed
    current = kit.provider
    callAll('on')
  }
  const provider = {
    request: async (request: Parameters<EIP1193Provider['request']>[0]) =>
      (kit.provider ?? fail(createMissingError())).request(request),
    on: (...added: Listen) => follow([...listeners, added]),
    removeListener: (...[event, listener]: Listen) =>
      follow(listeners.filter((it) => it[0] !== event || it[1] !== listener)),
  }
  return { provider: provider as unknown as EIP1193Provider, follow }
}
