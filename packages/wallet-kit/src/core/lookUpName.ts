// On its own, to be loaded on demand: nobody has a name before a wallet is connected.
import type { Address } from 'viem'
import type { KitContext } from './context.ts'
import {
  AbortedError,
  ConfigurationError,
  toWalletKitError,
  WalletKitError,
  WalletNotAvailableError,
} from './errors.ts'
import { isAddress, maxKept, readKept } from './keptNames.ts'
import type { AccountName, NameLookup } from './state.ts'

export type LookUpNameParameters = { address: Address }

/** A name this old is still shown, and asked for anew. */
const staleAfter = 10 * 60_000

/** What an account is called: as kept if that is fresh, else as the sources say. All who ask meanwhile share one lookup. */
export async function lookUpName(context: KitContext, { address }: LookUpNameParameters): Promise<AccountName> {
  if (!context.config.names) throw new ConfigurationError('No source of names was configured.')
  if (!isAddress(address)) throw new WalletKitError('Invalid address')
  if (!context.live) throw new WalletNotAvailableError('Connect a wallet first.')
  const key = address.toLowerCase() as Address
  const { at, ...known } = readKept(context)[key] ?? {}
  if (at !== undefined && Date.now() - at < staleAfter) {
    show(context, key, { status: 'ready', ...known })
    return known
  }
  const lookup = context.lookups.get(key) ?? start(context, key, known)
  context.lookups.set(key, lookup)
  return lookup
}

async function start(context: KitContext, key: Address, known: AccountName): Promise<AccountName> {
  const { config, clients, lookups } = context
  const { signal, release } = whileConnected(context)
  show(context, key, { status: 'loading', ...known })
  try {
    const { resolveName } = await import('./resolveName.ts')
    const found = await resolveName({ config, clients, address: key, signal })
    if (signal.aborted) throw new AbortedError('The connection ended before the name was found.')
    keep(context, key, found)
    show(context, key, { status: 'ready', ...found })
    return found
  } catch (thrown) {
    const error = toWalletKitError(thrown)
    show(context, key, { status: 'failed', ...known, error })
    throw error
  } finally {
    release()
    lookups.delete(key)
  }
}

/** Fires when the connection ends or the kit is destroyed. */
function whileConnected(context: KitContext) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const unsubscribe = context.store.subscribe(() => {
    if (!context.live) abort()
  })
  context.signal.addEventListener('abort', abort)
  if (context.signal.aborted) abort()
  const release = () => {
    unsubscribe()
    context.signal.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, release }
}

function show({ store }: KitContext, key: string, lookup: NameLookup): void {
  store.setState(({ names }) => ({ names: { ...names, [key]: lookup } }))
}

function keep(context: KitContext, key: string, found: AccountName): void {
  const { [key]: _, ...others } = readKept(context)
  const latest = Object.entries(others).sort(([, a], [, b]) => b.at - a.at)
  context.storage.write('names', Object.fromEntries([[key, { ...found, at: Date.now() }], ...latest].slice(0, maxKept)))
}
