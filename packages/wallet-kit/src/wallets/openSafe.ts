import { WalletNotAvailableError } from '../core/errors.ts'
import { parseAccounts, parseChainId } from '../core/payloads.ts'
import { read } from '../core/read.ts'
import type { Connector, ConnectorConnection } from '../core/wallet.ts'
import { askParent } from './askParent.ts'
import { type AskSafe, createSafeProvider } from './createSafeProvider.ts'
import { readSafeTransaction } from './readSafeTransaction.ts'

export type OpenSafe = ConnectorConnection & { readTransaction: NonNullable<Connector['readTransaction']> }

/** A page that is no Safe never answers: how long it is given. */
const greetingTimeout = 3_000

/** The Safe around this page. What it is asked from then on goes to the origin that answered, and to no other. */
export async function openSafe(isAllowed: (origin: string) => boolean, signal: AbortSignal): Promise<OpenSafe> {
  const { data, origin } = await askParent({
    method: 'getSafeInfo',
    targetOrigin: '*',
    isAllowed,
    signal,
    timeout: greetingTimeout,
  })
  const accounts = parseAccounts([read(data, 'safeAddress')])
  const chainId = parseChainId(read(data, 'chainId'))
  if (!accounts?.[0] || chainId === undefined)
    throw new WalletNotAvailableError('The page around this one does not answer as a Safe does.')
  const ask: AskSafe = async (method, params, timeout) => {
    const isSame = (it: string) => it === origin
    const question = { method, params, targetOrigin: origin, isAllowed: isSame, signal, ...(timeout && { timeout }) }
    return (await askParent(question)).data
  }
  const provider = createSafeProvider({ address: accounts[0], chainId, ask })
  return { provider, accounts, chainId, readTransaction: (hash) => readSafeTransaction(ask, hash) }
}
