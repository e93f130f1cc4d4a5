// A separate module, loaded on demand: most pages show no names before a wallet is connected.
import type { Address } from 'viem'
import {
  AbortedError,
  ConfigurationError,
  createNotConnectedError,
  toWalletKitError,
  WalletKitError,
} from '../lib/errors.ts'
import { isAddress } from '../lib/untrusted.ts'
import { type KitContext, signalWhile, update } from '../state/context.ts'
import { type AccountName, isEstablished, type NameLookup, type WalletKitState } from '../state/state.ts'
import type { LookUpAddressParameters, LookUpNamesParameters } from './bnbNames.ts'
import { maxCachedNames, readCachedNames, showCachedNames, showNames } from './cachedNames.ts'

export type LookUpNameParameters = { address: Address }

/** Age in milliseconds from which a cached name is looked up again. */
const staleAfter = 10 * 60_000

type Lookups = Map<string, Promise<AccountName>>

/** Shows the cached names, and creates the lookup of names. Concurrent calls for one account share a lookup. */
export function createNameLookup(context: KitContext) {
  const lookups: Lookups = new Map()
  showCachedNames(context)
  return {
    lookUpName: (parameters: LookUpNameParameters) => lookUpName(context, lookups, parameters),
    lookUpNames: async (parameters: LookUpNamesParameters) =>
      (await import('./bnbNames.ts')).lookUpNames(context, parameters),
    lookUpAddress: async (parameters: LookUpAddressParameters) =>
      (await import('./bnbNames.ts')).lookUpAddress(context, parameters),
  }
}

/** Returns the cached name if it is fresh, otherwise asks the sources. */
async function lookUpName(
  context: KitContext,
  lookups: Lookups,
  { address }: LookUpNameParameters,
): Promise<AccountName> {
  if (!context.config.names) throw new ConfigurationError('No source of names was configured.')
  if (!isAddress(address)) throw new WalletKitError('Invalid address')
  const state = context.store.getState()
  if (!canAsk(context)(state)) throw createNotConnectedError()
  const key = address.toLowerCase() as Address
  const { at, isPartial, ...known } = readCachedNames(context)[key] ?? {}
  const isComplete = !isPartial || !isEstablished(state)
  if (at !== undefined && Date.now() - at < staleAfter && isComplete) {
    show(context, key, { status: 'ready', ...known })
    return known
  }
  const pending = lookups.get(key)
  if (pending) return pending
  const lookup = askSources(context, key, known).finally(() => lookups.delete(key))
  lookups.set(key, lookup)
  show(context, key, { status: 'loading', ...known })
  return lookup
}

/** Returns whether a name may be asked for: of the app's own source at any time, of others once a wallet is connected. */
const canAsk =
  ({ config }: KitContext) =>
  (state: WalletKitState) =>
    config.names?.resolve !== undefined || isEstablished(state)

async function askSources(context: KitContext, key: Address, known: AccountName): Promise<AccountName> {
  const { config, clients } = context
  const { signal, release } = signalWhile(context, canAsk(context))
  try {
    const { resolveName } = await import('./resolveName.ts')
    const isConnected = () => isEstablished(context.store.getState())
    const found = await resolveName({ config, clients, address: key, signal, isConnected })
    if (signal.aborted) throw new AbortedError('The connection ended before the name was found.')
    const hasOthers = config.names?.baseUrl !== undefined || config.names?.bnb === true
    cache(context, key, found, !found.name && hasOthers && !isConnected())
    show(context, key, { status: 'ready', ...found })
    return found
  } catch (thrown) {
    const error = toWalletKitError(thrown)
    show(context, key, { status: 'failed', ...known, error })
    throw error
  } finally {
    release()
  }
}

function show(context: KitContext, key: string, lookup: NameLookup): void {
  update(context, (state) => showNames(state, { [key]: lookup }))
}

function cache(context: KitContext, key: string, found: AccountName, isPartial: boolean): void {
  const { [key]: _, ...others } = readCachedNames(context)
  const latest = Object.entries(others).sort(([, a], [, b]) => b.at - a.at)
  context.storage.write(
    'names',
    Object.fromEntries(
      [[key, { ...found, at: Date.now(), ...(isPartial && { isPartial }) }], ...latest].slice(0, maxCachedNames),
    ),
  )
}
