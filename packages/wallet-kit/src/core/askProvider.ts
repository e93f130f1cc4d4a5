import type { Address, EIP1193Provider } from 'viem'
import { WalletNotAvailableError } from './errors.ts'
import { follow } from './follow.ts'
import { parseAccounts, parseChainId } from './payloads.ts'
import { request, requestTimeout } from './request.ts'
import type { ConnectorConnection } from './wallet.ts'

/** Asks the person, through the wallet, for its accounts. */
export async function askProvider(provider: EIP1193Provider, name: string): Promise<ConnectorConnection> {
  const accounts = parseAccounts(await request(provider, { method: 'eth_requestAccounts' }))
  if (!accounts?.length)
    throw new WalletNotAvailableError(`${name} gave no account. Unlock it, choose an account and try again.`)
  return describe(provider, accounts)
}

/** What the wallet still grants, without a prompt. */
export async function askProviderQuietly(
  provider: EIP1193Provider,
  signal: AbortSignal,
): Promise<ConnectorConnection | undefined> {
  const accounts = parseAccounts(await request(provider, { method: 'eth_accounts' }, requestTimeout, signal))
  return accounts?.length ? describe(provider, accounts, signal) : undefined
}

async function describe(
  provider: EIP1193Provider,
  answered: readonly Address[],
  signal?: AbortSignal,
): Promise<ConnectorConnection> {
  let accounts = answered
  // The person may choose another account while the chain is being read.
  const stop = follow(provider, {
    accountsChanged: (payload) => {
      accounts = parseAccounts(payload) ?? accounts
    },
  })
  try {
    const answer = await request(provider, { method: 'eth_chainId' }, requestTimeout, signal)
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
