import { WalletNotAvailableError } from '../core/lib/errors.ts'
import { parseAccounts, parseChainId, readProperty } from '../core/lib/untrusted.ts'
import type { ConnectorConnection } from '../core/provider/requestAccounts.ts'
import type { Connector } from '../core/wallets/wallet.ts'
import { askParent } from './askParent.ts'
import { type AskSafe, createSafeProvider } from './createSafeProvider.ts'
import { readSafeTransaction } from './readSafeTransaction.ts'

export type OpenSafe = ConnectorConnection & { readTransaction: NonNullable<Connector['readTransaction']> }

/** Milliseconds to wait for an answer, because a page that is not a Safe never answers. */
const greetingTimeout = 3_000

/** Connects to the Safe that frames this page. Later requests go only to the origin that answered. */
export async function openSafe(isAllowed: (origin: string) => boolean, signal: AbortSignal): Promise<OpenSafe> {
  const { data, origin } = await askParent({
    method: 'getSafeInfo',
    targetOrigin: '*',
    isAllowed,
    signal,
    timeout: greetingTimeout,
  })
  const accounts = parseAccounts([readProperty(data, 'safeAddress')])
  const chainId = parseChainId(readProperty(data, 'chainId'))
  if (!accounts?.[0] || chainId === undefined)
    throw new WalletNotAvailableError('The page that embeds this one is not a Safe.')
  const ask: AskSafe = async (method, params, timeout) => {
    const isSame = (it: string) => it === origin
    const question = { method, params, targetOrigin: origin, isAllowed: isSame, signal, ...(timeout && { timeout }) }
    return (await askParent(question)).data
  }
  const provider = createSafeProvider({ address: accounts[0], chainId, ask })
  return { provider, accounts, chainId, readTransaction: (hash) => readSafeTransaction(ask, hash) }
}
