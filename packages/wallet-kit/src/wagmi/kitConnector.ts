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
    const provider = createFollowingProvider(kit)
    const follower = createFollower(kit, emitter)
    return {
      id: 'walletKit',
      name: 'Wallet Kit',
      type: 'walletKit',
      setup: async () => {
        if (typeof window !== 'undefined') follower.start()
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
  if (kit.getState().status === 'reconnecting') await kit.reconnect()
  if (!readAccount(kit)) await kit.openConnectDialog()
  const account = readAccount(kit)
  if (account) return account
  throw new UserRejectedRequestError(new Error('The person closed the dialog without connecting.'))
}

/** Returns the connection; waits while the kit restores the last one. */
async function restore(kit: WalletKit) {
  await kit.reconnect()
  const account = readAccount(kit)
  if (account) return account
  throw new WalletNotAvailableError('Connect a wallet first.')
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
  try {
    await switchChain(kit, chainId)
  } catch (thrown) {
    if (thrown instanceof UserRejectedRequestError) throw thrown
  }
}

/** Creates one provider for all wallets, because wagmi keeps the first provider that it got. */
function createFollowingProvider(kit: WalletKit): EIP1193Provider {
  const find = () => {
    if (kit.provider) return kit.provider
    throw new WalletNotAvailableError('Connect a wallet first.')
  }
  const provider = {
    request: async (request: Parameters<EIP1193Provider['request']>[0]) => find().request(request),
    on: (...parameters: Parameters<EIP1193Provider['on']>) => void kit.provider?.on(...parameters),
    removeListener: (...parameters: Parameters<EIP1193Provider['removeListener']>) =>
      void kit.provider?.removeListener(...parameters),
  }
  return provider as unknown as EIP1193Provider
}
