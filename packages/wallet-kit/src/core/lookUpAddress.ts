// On its own, to be loaded on demand: few people type a name.
import { findBnbAddress } from './bnbNames.ts'
import type { KitContext } from './context.ts'
import { AbortedError, ConfigurationError, WalletKitError } from './errors.ts'
import { requestTimeout } from './request.ts'
import type { NamedAddress } from './state.ts'
import { toName } from './toName.ts'
import { within } from './within.ts'

export type LookUpAddressParameters = { name: string }

/** The account a name leads to, as the chain says at this moment. */
export async function lookUpAddress(
  { config, clients, signal }: KitContext,
  parameters: LookUpAddressParameters,
): Promise<NamedAddress | undefined> {
  if (!config.names?.bnb) throw new ConfigurationError('No source of names was configured.')
  const name = toName(parameters.name)
  if (!name?.endsWith('.bnb')) return undefined
  try {
    const asked = findBnbAddress(clients.getClient(56), name)
    const address = await within(asked, requestTimeout, () => new Error('The node did not answer in time.'), signal)
    return address && { name, address }
  } catch (cause) {
    if (signal.aborted) throw new AbortedError('The kit was destroyed before the address was found.')
    throw new WalletKitError('There was an error with the request.', { cause })
  }
}
