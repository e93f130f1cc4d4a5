import type { Account, Client, EIP1193Provider, PublicClient, Transport, WalletClient } from 'viem'
import type { ConnectParameters } from './connection/connect.ts'
import type { SwitchChainParameters } from './connection/connected.ts'
import type { NewConnection } from './connection/connectionListeners.ts'
import type { DisconnectParameters } from './connection/disconnect.ts'
import type { OpenConnectParameters } from './dialogs/dialogs.ts'
import type { ConnectEvent } from './dialogs/steps.ts'
import type { LookUpAddressParameters, LookUpNamesParameters } from './names/bnbNames.ts'
import type { LookUpNameParameters } from './names/lookUpName.ts'
import type { GetClientParameters } from './provider/clients.ts'
import type { Session } from './state/authentication.ts'
import type { Chains, ResolvedConfig } from './state/config.ts'
import type { SettledListener } from './state/context.ts'
import type { AccountName, Connection, NamedAddress, WalletKitState } from './state/state.ts'
import type { GetCapabilitiesParameters, SendCallsParameters, SentCalls } from './transactions/calls.ts'
import type { AddCallsParameters, AddTransactionParameters } from './transactions/createTransactions.ts'
import type { WalletCapabilities } from './transactions/parseCalls.ts'
import type { ListedWalletId, WalletId } from './wallets/wallet.ts'

/**
 * The chain of a client. If a kit's chains are unknown, blocks and transactions may have any fields: chains such as
 * Base have their own transactions, and viem's clients of such chains are not assignable to clients of a general
 * chain.
 */
// biome-ignore lint/suspicious/noExplicitAny: nothing else takes them all
type ChainOf<chains extends Chains> = Chains extends chains ? any : chains[number]

/** The ids of the wallets of a kit: those of its definitions, the rdns of announced ones, which contain a dot, and those in its state. */
type WalletIdOf<id extends string> = string extends id ? WalletId : id | `${string}.${string}` | ListedWalletId

// Members that depend on the chains and wallets use method syntax, so that a kit of certain ones is assignable to
// `WalletKit`.
/**
 * A set of wallets and at most one connection. Create it once and share it; give each an `id` if a page has several.
 *
 * @typeParam chains - The chains of the configuration; chain ids of parameters are limited to them.
 * @typeParam id - The ids of the configured wallets; wallet ids of parameters are limited to them, and to any rdns.
 */
export type WalletKit<chains extends Chains = Chains, id extends string = string> = {
  /** The given configuration, with a transport for each URL. */
  config: ResolvedConfig<chains>
  /** Returns the state, a union by `status`. */
  getState: () => WalletKitState
  /**
   * Calls `listener` on every change. Returns a function that unsubscribes.
   *
   * @param listener - Called with the new state and the one before it.
   * @example
   * const unsubscribe = kit.subscribe(({ status }) => console.log(status))
   */
  subscribe: (listener: (state: WalletKitState, previous: WalletKitState) => void) => () => void
  /** The provider of the connected wallet. @see https://eips.ethereum.org/EIPS/eip-1193 */
  readonly provider: EIP1193Provider | undefined

  /**
   * Asks a wallet for its accounts.
   *
   * @param parameters - The wallet; a signal that cancels; a function that gets the URI of the relay.
   * @throws {WalletKitError} `UserRejectedError`, `WalletNotAvailableError`, `RelayUnreachableError`, `AbortedError`
   * @see https://eips.ethereum.org/EIPS/eip-1102
   * @example
   * const { address } = await kit.connect({ walletId: 'metaMask' })
   */
  connect(parameters: ConnectParameters<WalletIdOf<id>>): Promise<Connection>
  /**
   * Forgets the connection here and in every tab, and cancels the current attempt. Never rejects.
   *
   * @param parameters - `revoke`: also take back the permission in the wallet. Default: only forget the connection.
   * @example
   * await kit.disconnect({ revoke: true })
   */
  disconnect: (parameters?: DisconnectParameters) => Promise<void>
  /**
   * Calls `listener` for each connection that begins from now on: a person connects or, where sign-in is required, signs
   * in, another wallet takes the place of the first, or the last connection is restored. Returns a function that stops.
   *
   * @param listener - Called with the connection, and whether it was restored without a prompt.
   * @example
   * const stop = kit.onConnect(({ address, isRestored }) => show(isRestored ? address : `Welcome, ${address}!`))
   */
  onConnect: (listener: (connection: NewConnection) => void) => () => void
  /**
   * Calls `listener` for each connection that has ended: here, in the wallet or in another tab. A change of account or
   * network is no end. Returns a function that stops.
   *
   * @param listener - Called with the connection that has ended.
   * @example
   * const stop = kit.onDisconnect(({ address }) => show(`${address} is no longer connected.`))
   */
  onDisconnect: (listener: (connection: Connection) => void) => () => void
  /**
   * Restores the last connection without a prompt. Resolves with `undefined` when there is none. Never rejects.
   *
   * @example
   * const connection = await kit.reconnect()
   */
  reconnect: () => Promise<Connection | undefined>
  /**
   * Switches the wallet to a chain of the configuration, and adds the chain if the wallet lacks it.
   *
   * @param parameters - The id of the chain, which must be in the configuration.
   * @throws {WalletKitError} `UserRejectedError`, `ChainError`, `WalletNotAvailableError` while nothing is connected
   * @see https://eips.ethereum.org/EIPS/eip-3326
   * @example
   * await kit.switchChain({ chainId: 56 })
   */
  switchChain(parameters: SwitchChainParameters<chains[number]['id']>): Promise<void>

  /**
   * Asks the connected wallet to sign a message, and the server to verify it. While the sign-in dialog shows a prepared
   * message, the wallet is asked synchronously, within the tap.
   *
   * @throws {WalletKitError} `UserRejectedError`, `SignInError` with its `stage`, `ChainError` on an unsupported chain,
   * `AbortedError` when the account changed or the dialog was closed meanwhile
   * @see https://eips.ethereum.org/EIPS/eip-4361
   * @example
   * const { address, expiresAt } = await kit.signIn()
   */
  signIn: () => Promise<Session>
  /** Ends the session here and in every tab. @throws {SignInError} when the server could not be reached */
  signOut: () => Promise<void>

  /**
   * Stores a transaction of this account on this chain and watches it until it settles, also across reloads. A signature
   * of 65 bytes or more, which some contract wallets return instead of a hash, is watched like in `addCalls`.
   *
   * When it throws, the person has already signed: pass what is not a hash to `addCalls` and catch errors, as below. The
   * hooks that send and `kit.sendCalls` do both.
   *
   * @param parameters - The hash that the wallet returned, a description, and how many confirmations to wait for.
   * @throws {WalletKitError} "Invalid transaction hash", "Transaction must have a description", "Transaction
   * confirmations must be a positive integer", or while nothing is connected
   * @example
   * const description = 'Joined under 0x12…cdef'
   * try {
   *   if (isHash(hash)) kit.addTransaction({ hash, description, confirmations: 2 })
   *   else kit.addCalls({ id: hash, description })
   * } catch (error) {
   *   console.error('Sent, but not listed:', error)
   * }
   */
  addTransaction: (parameters: AddTransactionParameters) => void
  /**
   * Stores calls that the app has sent with `wallet_sendCalls` and watches them in the wallet until they settle, also
   * across reloads. `kit.sendCalls` does this automatically.
   *
   * @param parameters - The id that the wallet returned, and a description.
   * @throws {WalletKitError} "Invalid id of calls", "Transaction must have a description", or while nothing is
   * connected
   * @see https://eips.ethereum.org/EIPS/eip-5792
   * @example
   * const { id } = await walletClient.sendCalls({ calls })
   * kit.addCalls({ id, description: 'Approved and joined' })
   */
  addCalls: (parameters: AddCallsParameters) => void
  /**
   * Asks the wallet to send several calls, which smart accounts execute as one transaction. Resolves once the person
   * has signed anything.
   *
   * @param parameters - The calls; `chainId` to switch the wallet first; `description` to show and follow them; `fallback` for
   * wallets that do not accept lists.
   * @returns How the calls were sent, their ids, and the reason if some were not sent.
   * @throws {WalletKitError} when the wallet does not accept lists of calls, `UserRejectedError`,
   * `WalletNotAvailableError` while nothing is connected, `ChainError` on an unsupported chain
   * @see https://eips.ethereum.org/EIPS/eip-5792
   * @example
   * await kit.sendCalls({
   *   calls: [
   *     { to: token, abi: erc20Abi, functionName: 'approve', args: [shop, price] },
   *     { to: shop, data: order },
   *   ],
   *   description: 'Bought a ticket',
   *   fallback: 'sequential',
   * })
   */
  sendCalls<const calls extends readonly unknown[]>(
    parameters: SendCallsParameters<calls, chains[number]['id']>,
  ): Promise<SentCalls>
  /**
   * Asks the connected wallet for its capabilities on a chain. A wallet without this method has none.
   *
   * @param parameters - `chainId`. Default: the chain of the wallet.
   * @returns The capabilities by name; `{}` when there are none.
   * @throws {WalletKitError} `WalletNotAvailableError` while nothing is connected, or when the wallet does not answer
   * @see https://eips.ethereum.org/EIPS/eip-5792#wallet_getcapabilities
   * @example
   * const { atomic } = await kit.getCapabilities({ chainId: 56 })
   * const isOneTransaction = atomic?.status === 'supported'
   */
  getCapabilities(parameters?: GetCapabilitiesParameters<chains[number]['id']>): Promise<WalletCapabilities>
  /**
   * Calls `listener` once for each transaction that settles, in every tab that knew it as pending. A transaction that
   * settled while no page was open is reported by the next page that connects this account. Returns a function that
   * unsubscribes.
   *
   * @param listener - Called with the transaction, and the account and chain that it belongs to.
   * @example
   * const stop = kit.onTransactionSettled(({ description, status }) => show(`${description}: ${status}`))
   */
  onTransactionSettled: (listener: SettledListener) => () => void
  /** Forgets the transactions of this account on this chain. */
  clearTransactions: () => void

  /**
   * Looks up the name of an account in the sources of `names` in the configuration. Returns a cached name if it is
   * younger than 10 minutes; while an older one is looked up again, the state still shows it.
   *
   * @param parameters - The account.
   * @throws {WalletKitError} `ConfigurationError` without `names`; `WalletNotAvailableError` while nothing is connected,
   * unless `names` has a `resolve`; or when no source answers
   * @example
   * const { name, avatar } = await kit.lookUpName({ address: friend })
   */
  lookUpName: (parameters: LookUpNameParameters) => Promise<AccountName>
  /**
   * Looks up the .bnb names of many accounts on chain, in a few multicalls, in the order of `addresses`. Needs `names.bnb`
   * but no connection. Names that are found are in the state as well.
   *
   * @param parameters - The accounts.
   * @throws {WalletKitError} `ConfigurationError` without `names.bnb`, or when no node answers
   * @see https://eips.ethereum.org/EIPS/eip-181
   * @example
   * await kit.lookUpNames({ addresses: ['0x…', '0x…'] }) // [{ name: 'alice.bnb' }, {}]
   */
  lookUpNames: (parameters: LookUpNamesParameters) => Promise<AccountName[]>
  /**
   * Looks up the account of a .bnb name. Resolves with `undefined` for other names, and for a name without an
   * account. Needs `names.bnb` but no connection. Show the whole address before anything is sent to it.
   *
   * @param parameters - The name, as a person types it.
   * @throws {WalletKitError} `ConfigurationError` without `names.bnb`, or when no node answers
   * @see https://eips.ethereum.org/EIPS/eip-137
   * @example
   * await kit.lookUpAddress({ name: 'Alice.bnb' }) // { name: 'alice.bnb', address: '0x…' }
   */
  lookUpAddress: (parameters: LookUpAddressParameters) => Promise<NamedAddress | undefined>

  /**
   * Returns a small viem client that reads a chain. Default: the wallet's chain if supported, else the initial one.
   *
   * @param parameters - `chainId`: a chain of the configuration.
   * @throws {ConfigurationError} for another chain
   * @example
   * const client = kit.getClient({ chainId: 56 })
   */
  getClient(parameters?: GetClientParameters<chains[number]['id']>): Client<Transport, chains[number]>
  /**
   * Loads a viem client with every public action. Default chain: that of `getClient`.
   *
   * @param parameters - `chainId`: a chain of the configuration.
   * @example
   * const client = await kit.getPublicClient({ chainId: 56 })
   * const block = await client.getBlockNumber()
   */
  getPublicClient(
    parameters?: GetClientParameters<chains[number]['id']>,
  ): Promise<PublicClient<Transport, ChainOf<chains>>>
  /**
   * Loads a viem client that signs with the connected wallet, for its current account and chain.
   *
   * @throws {WalletKitError} `WalletNotAvailableError` while nothing is connected, `ChainError` on an unsupported chain
   * @example
   * const wallet = await kit.getWalletClient()
   * const signature = await wallet.signMessage({ message: 'I was here.' })
   */
  getWalletClient(): Promise<WalletClient<Transport, chains[number], Account>>

  /**
   * Opens the connect dialog, or sign-in if only that is missing. Resolves with the connection, or with `undefined` when
   * the person closes the dialog or it cannot be loaded.
   *
   * @example
   * const connection = await kit.openConnectDialog()
   * if (connection) show(connection.address)
   */
  openConnectDialog(): Promise<Connection | undefined>
  /**
   * Opens the connect dialog on a wallet, as if the person had picked it from the list. While a wallet is connected, even
   * another one, it opens nothing and resolves with that connection.
   *
   * @param parameters - `walletId`: the wallet.
   * @example
   * const connection = await kit.openConnectDialog({ walletId: 'metaMask' })
   */
  openConnectDialog(parameters: OpenConnectParameters<WalletIdOf<id>> | undefined): Promise<Connection | undefined>
  /** Opens the account dialog. Does nothing while not connected. */
  openAccountDialog: () => void
  /** Opens the network dialog. Does nothing while not connected. */
  openNetworkDialog: () => void
  /**
   * Opens the sign-in dialog while connected. Resolves with the session, or with `undefined` when the person closes it.
   *
   * @example
   * const session = await kit.openSignInDialog()
   */
  openSignInDialog: () => Promise<Session | undefined>
  /** Closes the open dialog. Closing the connect dialog cancels its attempt; closing a required sign-in disconnects. */
  closeDialog: () => void
  /**
   * Applies the person's event to the connect dialog. Does nothing while it is closed.
   *
   * @param event - The event, such as the wallet that the person picked.
   * @example
   * kit.dispatch({ type: 'get' })
   */
  dispatch(event: ConnectEvent<WalletIdOf<id>>): void

  /**
   * Removes every listener and timer that the kit has set. The connection stays stored for the next kit; your own
   * listeners stay subscribed.
   */
  destroy: () => void
}

/**
 * Tells the hooks the type of your kit, so that they accept only the ids of its chains and wallets.
 */
// biome-ignore lint/suspicious/noEmptyInterface: apps add to it.
export interface Register {}

/** The type of the registered kit; any kit while none is registered. */
export type RegisteredKit = Register extends { kit: infer kit extends WalletKit } ? kit : WalletKit

/** The id of a wallet of the registered kit, or the rdns of an announced one; any id while none is registered. */
export type KitWalletId =
  RegisteredKit extends WalletKit<infer _ extends Chains, infer id extends string> ? WalletIdOf<id> : WalletId

/** The id of a chain of the registered kit; any number while none is registered. */
export type KitChainId = RegisteredKit extends WalletKit<infer chains extends Chains> ? chains[number]['id'] : number
