// A separate module, loaded on demand: few people type a name.
import { AbortedError, ConfigurationError, WalletKitError } from '../lib/errors.ts'
import { withTimeout } from '../lib/promises.ts'
import { requestTimeout } from '../provider/requestProvider.ts'
import type { KitContext } from '../state/context.ts'
import type { NamedAddress } from '../state/state.ts'
import { findBnbAddress } from './bnbNames.ts'
import { parseName } from './parseName.ts'

export type LookUpAddressParameters = { name: string }

/** Reads the account of a .bnb name from the chain. */
export async function lookUpAddress(
  { config, clients, signal }: KitContext,
  parameters: LookUpAddressParameters,
): Promise<NamedAddress | undefined> {
  if (!config.names?.bnb) throw new ConfigurationError('No source of names was configured.')
  const name = parseName(parameters.name)
  if (!name?.endsWith('.bnb')) return undefined
  try {
    const createError = () => new Error('The node did not answer in time.')
    const lookup = findBnbAddress(clients.getClient(56), name)
    const address = await withTimeout(lookup, requestTimeout, createError, signal)
    return address && { name, address }
  } catch (cause) {
    if (signal.aborted) throw new AbortedError('The kit was destroyed before the address was found.')
    throw new WalletKitError('There was an error with the request.', { cause })
  }
}
