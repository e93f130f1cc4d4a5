import type { Address } from 'viem'
import type { KitContext } from './context.ts'
import {
  AbortedError,
  ConfigurationError,
  toWalletKitError,
  WalletKitError,
  WalletNotAvailableError,
} from './errors.ts'
import { toAvatar } from './foreign.ts'
import type { AccountName, NameLookup } from './state.ts'
import { isRecord } from './storage.ts'

export type LookUpNameParameters = { address: Address }

/** A name this old is still shown, and asked for anew. */
const staleAfter = 10 * 60_000
const keptFor = 180 * 60_000
const maxKept = 50
const maxNameLength = 255

/** `at`: when it was found, in Unix milliseconds. */
type KeptName = AccountName & { at: number }

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

/** The names that are still good from the last pages, for the first paint. */
export function readKeptNames(context: KitContext): Record<string, NameLookup> {
  if (!context.config.names) return {}
  return Object.fromEntries(
    Object.entries(readKept(context)).map(([key, { at: _, ...known }]) => [key, { status: 'ready', ...known }]),
  )
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

function readKept({ storage }: KitContext): Record<string, KeptName> {
  return storage.read('names', parseKept) ?? {}
}

function parseKept(value: unknown): Record<string, KeptName> | undefined {
  if (!isRecord(value)) return undefined
  const entries = Object.entries(value).slice(0, maxKept)
  return Object.fromEntries(
    entries.flatMap(([key, entry]): [string, KeptName][] => {
      if (!isAddress(key) || !isRecord(entry) || typeof entry.at !== 'number') return []
      const age = Date.now() - entry.at
      if (!(age >= 0 && age < keptFor)) return []
      const name = isPlain(entry.name) ? entry.name : undefined
      const avatar = name && toAvatar(entry.avatar)
      return [[key.toLowerCase(), { at: entry.at, ...(name && { name }), ...(avatar && { avatar }) }]]
    }),
  )
}

/** Kept names were found fit to be shown; this is for a storage that others have written to. U+200D joins emoji. */
function isPlain(name: unknown): name is string {
  return typeof name === 'string' && name.length <= maxNameLength && !/[^\P{C}\u200d]|\p{Z}/u.test(name)
}

function isAddress(value: unknown): value is Address {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)
}
