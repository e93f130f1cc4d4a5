// On its own, to be loaded on demand: few pages show many accounts.
import type { Address } from 'viem'
import { findBnbName } from './bnbNames.ts'
import type { KitContext } from './context.ts'
import { AbortedError, ConfigurationError, WalletKitError } from './errors.ts'
import { isAddress } from './keptNames.ts'
import { requestTimeout } from './request.ts'
import type { AccountName } from './state.ts'
import { within } from './within.ts'

export type LookUpNamesParameters = { addresses: readonly Address[] }

/** What the chain calls many accounts, read at once: in a few multicalls. */
export async function lookUpNames(
  { config, clients, signal, store }: KitContext,
  { addresses }: LookUpNamesParameters,
): Promise<AccountName[]> {
  if (!config.names?.bnb) throw new ConfigurationError('No source of names was configured.')
  if (!addresses.every(isAddress)) throw new WalletKitError('Invalid address')
  try {
    const client = clients.getClient(56)
    const asked = Promise.all(addresses.map((address) => findBnbName(client, address)))
    const found = await within(asked, requestTimeout, () => new Error('The node did not answer in time.'), signal)
    const named = found.flatMap((known, at) =>
      known.name ? [[addresses[at]?.toLowerCase(), { status: 'ready', ...known }]] : [],
    )
    if (named.length > 0) store.setState(({ names }) => ({ names: { ...names, ...Object.fromEntries(named) } }))
    return found
  } catch (cause) {
    if (signal.aborted) throw new AbortedError('The kit was destroyed before the names were found.')
    throw new WalletKitError('There was an error with the request.', { cause })
  }
}
