// A separate module, loaded on demand: few pages show many accounts.
import type { Address } from 'viem'
import { AbortedError, ConfigurationError, WalletKitError } from '../lib/errors.ts'
import { isAddress } from '../lib/isAddress.ts'
import { withTimeout } from '../lib/promises.ts'
import { requestTimeout } from '../provider/requestProvider.ts'
import { type KitContext, update } from '../state/context.ts'
import type { AccountName, NameLookup } from '../state/state.ts'
import { findBnbName } from './bnbNames.ts'
import { showNames } from './nameTransitions.ts'

export type LookUpNamesParameters = { addresses: readonly Address[] }

/** Reads the .bnb names of many accounts in a few multicalls. */
export async function lookUpNames(context: KitContext, { addresses }: LookUpNamesParameters): Promise<AccountName[]> {
  const { config, clients, signal } = context
  if (!config.names?.bnb) throw new ConfigurationError('No source of names was configured.')
  if (!addresses.every(isAddress)) throw new WalletKitError('Invalid address')
  try {
    const client = clients.getClient(56)
    const lookup = Promise.all(addresses.map((address) => findBnbName(client, address)))
    const found = await withTimeout(lookup, requestTimeout, () => new Error('The node did not answer in time.'), signal)
    const named = found.flatMap((known, at): [string, NameLookup][] => {
      const address = addresses[at]
      return address && known.name ? [[address.toLowerCase(), { status: 'ready', ...known }]] : []
    })
    if (named.length > 0) update(context, (state) => showNames(state, Object.fromEntries(named)))
    return found
  } catch (cause) {
    if (signal.aborted) throw new AbortedError('The kit was destroyed before the names were found.')
    throw new WalletKitError('There was an error with the request.', { cause })
  }
}
