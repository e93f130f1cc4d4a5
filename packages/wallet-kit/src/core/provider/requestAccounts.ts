import type { Address, EIP1193Provider } from 'viem'
import { WalletNotAvailableError } from '../lib/errors.ts'
import { parseAccounts, parseChainId } from './parsePayloads.ts'
import { requestProvider, requestTimeout } from './requestProvider.ts'
import { watchProvider } from './watchProvider.ts'

/** The accounts that a wallet granted, the selected one first, with its provider and current chain. */
export type ConnectorConnection = { provider: EIP1193Provider; accounts: readonly Address[]; chainId: number }

/** Asks the person, through the wallet, for its accounts. */
export async function requestAccounts(provider: EIP1193Provider, name: string): Promise<ConnectorConnection> {
  const accounts = parseAccounts(await requestProvider(provider, { method: 'eth_requestAccounts' }))
  if (!accounts?.length)
    throw new WalletNotAvailableError(`${name} gave no account. Unlock it, choose an account and try again.`)
  return addChain(provider, accounts)
}

/** Reads the accounts that the wallet has already granted, without a prompt; `undefined` when there are none. */
export async function readAccounts(
  provider: EIP1193Provider,
  signal: AbortSignal,
): Promise<ConnectorConnection | undefined> {
  const accounts = parseAccounts(await requestProvider(provider, { method: 'eth_accounts' }, requestTimeout, signal))
  return accounts?.length ? addChain(provider, accounts, signal) : undefined
}

/** Reads the chain. Uses the latest accounts: the person may choose another one meanwhile. */
async function addChain(
  provider: EIP1193Provider,
  granted: readonly Address[],
  signal?: AbortSignal,
): Promise<ConnectorConnection> {
  let accounts = granted
  const stop = watchProvider(provider, {
    accountsChanged: (payload) => {
      accounts = parseAccounts(payload) ?? accounts
    },
  })
  try {
    const answer = await requestProvider(provider, { method: 'eth_chainId' }, requestTimeout, signal)
    const chainId = parseChainId(answer)
    if (chainId === undefined)
      throw new WalletNotAvailableError('The wallet does not say which network it is on.', {
        ...(typeof answer === 'string' && { details: answer }),
      })
    return { provider, accounts, chainId }
  } finally {
    stop()
  }
}
