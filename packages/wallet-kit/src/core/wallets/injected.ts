import type { Address, EIP1193Provider } from 'viem'
import { ChainError, createNoAccountError, WalletNotAvailableError } from '../lib/errors.ts'
import { abortable, delay } from '../lib/promises.ts'
import { parseAccounts, parseChainId } from '../lib/untrusted.ts'
import {
  graceTime,
  type ProviderListeners,
  requestProvider,
  requestTimeout,
  settleTimeout,
  watchProvider,
} from '../provider/eip1193.ts'
import type { ConnectAndSign, ConnectorConnection, ConnectorFactory } from './wallet.ts'

/**
 * Connects a wallet through its provider on the page: a browser extension, or the in-app browser of the wallet.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193
 * @example
 * const wallet: WalletDefinition = { ...acme, rdns: ['example.acme'], connectors: [injectedConnector()] }
 */
export function injectedConnector(): ConnectorFactory {
  return ({ findProvider }, { name }) => ({
    kind: 'injected',
    isReady: () => findProvider() !== undefined,
    getProvider: findProvider,
    connect: async ({ signIn }) => {
      const provider = findProvider()
      if (!provider)
        throw new WalletNotAvailableError(`${name} is not on this page. Install or enable it.`, {
          reason: 'notInstalled',
        })
      return requestAccounts(provider, signIn)
    },
    reconnect: async ({ signal }) => {
      const provider = findProvider()
      return provider && readAccounts(provider, signal)
    },
  })
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

/**
 * Reads the accounts that the wallet has already granted, without a prompt. Resolves with `undefined` when there are
 * none.
 */
export async function readAccounts(
  provider: EIP1193Provider,
  signal: AbortSignal,
): Promise<ConnectorConnection | undefined> {
  const accounts = parseAccounts(await abortable(requestProvider(provider, { method: 'eth_accounts' }), signal))
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
    const request = { method: 'eth_chainId' }
    // Without a time limit for a wallet that was connected before: one that starts late may answer late.
    const answer = await (signal
      ? abortable(requestProvider(provider, request), signal)
      : requestProvider(provider, request, requestTimeout))
    connection.chainId = parseChainId(answer) ?? connection.chainId
    if (connection.chainId) {
      await settleAccounts(connection, signal)
      return connection
    }
    throw new ChainError('The wallet does not say which network it is on.', {
      ...(typeof answer === 'string' && { details: answer }),
    })
  } finally {
    stop()
  }
}

/** Waits for the next account of a wallet that has taken back the one that it granted. */
export async function settleAccounts(answer: ConnectorConnection, signal?: AbortSignal): Promise<void> {
  if (answer.accounts.length > 0) return
  await delay(graceTime, signal)
  if (answer.accounts.length > 0 || signal?.aborted) return
  const asked = requestProvider(answer.provider, { method: 'eth_accounts' }, settleTimeout, signal)
  const accounts = parseAccounts(await asked.catch(() => undefined))
  // The wallet may have reported it meanwhile.
  if (accounts && answer.accounts.length === 0) answer.accounts = accounts
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
