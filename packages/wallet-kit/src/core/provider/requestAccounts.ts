import type { Address, EIP1193Provider } from 'viem'
import { ChainError, WalletNotAvailableError } from '../lib/errors.ts'
import { parseAccounts, parseChainId } from '../lib/untrusted.ts'
import { type ProviderListeners, requestProvider, requestTimeout, watchProvider } from './eip1193.ts'

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
