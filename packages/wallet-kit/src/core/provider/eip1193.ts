import type { Address, EIP1193Provider } from 'viem'
import { AbortedError, ChainError, WalletNotAvailableError } from '../lib/errors.ts'
import { withTimeout } from '../lib/promises.ts'
import { parseAccounts, parseChainId, readProperty } from '../lib/untrusted.ts'

/** Time limit in milliseconds of requests that need no answer from a person. */
export const requestTimeout = 10_000

/**
 * Sends a request to a wallet. Also rejects when the provider throws synchronously. Pass `requestTimeout` for
 * requests that need no answer from a person. `signal` applies only together with `timeout`.
 */
export async function requestProvider(
  provider: EIP1193Provider,
  parameters: { method: string; params?: unknown },
  timeout?: number,
  signal?: AbortSignal,
): Promise<unknown> {
  const answer = Promise.resolve(provider.request(parameters as Parameters<EIP1193Provider['request']>[0]))
  if (timeout === undefined) return answer
  const createError = () =>
    signal?.aborted
      ? new AbortedError('Request cancelled.')
      : new WalletNotAvailableError('The wallet does not answer. Open or restart it and try again.')
  return withTimeout(answer, timeout, createError, signal)
}

type Listener = (payload: unknown) => void

/** Listeners by event, called with unchecked payloads. */
type ProviderListeners = Partial<Record<'accountsChanged' | 'chainChanged' | 'disconnect', Listener>>

/**
 * Adds listeners to a provider. Returns a function that removes them; afterwards no listener is called, even if the
 * provider cannot remove listeners. Never throws.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193#events-1
 */
export function watchProvider(provider: EIP1193Provider, listeners: ProviderListeners): () => void {
  let isActive = true
  const entries = Object.entries(listeners) as [keyof ProviderListeners, Listener][]
  const guarded = entries.map(
    ([event, listener]) => [event, (payload: unknown) => void (isActive && listener(payload))] as const,
  )
  const callAll = (method: 'on' | 'removeListener') => {
    // A provider may throw, or reject: some return a promise.
    for (const [event, listener] of guarded) (async () => provider[method](event, listener))().catch(() => {})
  }
  callAll('on')
  return () => {
    isActive = false
    callAll('removeListener')
  }
}

/**
 * Returns whether the reason of a `disconnect` event is 1013: the wallet lost its node and reconnects by itself.
 *
 * @see https://github.com/MetaMask/providers/blob/main/src/BaseProvider.ts
 */
export const isReconnecting = (reason: unknown): boolean => readProperty(reason, 'code') === 1013

/** A message that a wallet signed while it connected, not yet checked. */
export type SignedMessage = { address: Address; message: string; signature: string }

/**
 * Asks a wallet to connect and to sign in with one approval. Resolves with only the accounts when it did not sign,
 * and with `undefined` when it does not support this.
 *
 * @param provider - The provider to ask.
 */
export type ConnectAndSign = (
  provider: EIP1193Provider,
) => Promise<{ accounts: readonly Address[]; signed?: SignedMessage } | undefined>

/** The accounts that a wallet granted, the selected one first, with its provider and current chain. */
export type ConnectorConnection = {
  provider: EIP1193Provider
  accounts: readonly Address[]
  chainId: number
  /** The message that the selected account signed in the same approval. */
  signed?: SignedMessage
}

/**
 * Requests accounts from the wallet, which prompts the person. With `signIn`, also requests sign-in if the wallet
 * supports it.
 */
export async function requestAccounts(
  provider: EIP1193Provider,
  signIn?: ConnectAndSign,
): Promise<ConnectorConnection> {
  // Without sign-in the request is synchronous, because phones open another app only during a tap.
  const { accounts, signed } = (signIn && (await signIn(provider))) ?? {
    accounts: parseAccounts(await requestProvider(provider, { method: 'eth_requestAccounts' })),
  }
  if (!accounts?.length) throw createNoAccountError()
  const connection = await addChain(provider, accounts)
  return { ...connection, ...(signed && { signed }) }
}

export const createNoAccountError = () =>
  new WalletNotAvailableError('The wallet returned no account. Unlock it and try again.')

/**
 * Reads the accounts that the wallet has already granted, without a prompt. Resolves with `undefined` when there are
 * none.
 */
export async function readAccounts(
  provider: EIP1193Provider,
  signal: AbortSignal,
): Promise<ConnectorConnection | undefined> {
  const accounts = parseAccounts(await requestProvider(provider, { method: 'eth_accounts' }, requestTimeout, signal))
  return accounts?.length ? addChain(provider, accounts, signal) : undefined
}

/** Adds the chain of the wallet. Uses the latest accounts, because the person may choose another account meanwhile. */
async function addChain(
  provider: EIP1193Provider,
  accounts: readonly Address[],
  signal?: AbortSignal,
): Promise<ConnectorConnection> {
  const connection = { provider, accounts, chainId: 0 }
  const stop = followWallet(connection)
  try {
    const answer = await requestProvider(provider, { method: 'eth_chainId' }, requestTimeout, signal)
    connection.chainId = parseChainId(answer) ?? connection.chainId
    if (connection.chainId) return connection
    throw new ChainError('The wallet does not say which network it is on.', {
      ...(typeof answer === 'string' && { details: answer }),
    })
  } finally {
    stop()
  }
}

/** Updates a connection with the events of its wallet. Returns a function that stops it. */
export function followWallet(connection: ConnectorConnection, others?: ProviderListeners): () => void {
  return watchProvider(connection.provider, {
    ...others,
    accountsChanged: (payload) => {
      connection.accounts = parseAccounts(payload) ?? connection.accounts
    },
    chainChanged: (payload) => {
      connection.chainId = parseChainId(payload) ?? connection.chainId
    },
  })
}
