import { isAddress, isRecord, parseAvatar } from '../lib/untrusted.ts'
import { type KitContext, update } from '../state/context.ts'
import type { AccountName, NameLookup, WalletKitState } from '../state/state.ts'

/** Age in milliseconds from which a cached name is dropped. */
const maxAge = 180 * 60_000
export const maxCachedNames = 50
const maxNameLength = 255

/**
 * A name with the time when it was found, in Unix milliseconds. `isPartial`: only the app's own source was asked, because
 * no wallet was connected.
 */
type CachedName = AccountName & { at: number; isPartial?: true }

/** Shows cached names of earlier pages, except for accounts that were looked up since. */
export function showCachedNames(context: KitContext): void {
  const cached = Object.entries(readCachedNames(context)).map(
    ([key, { at, isPartial, ...known }]): [string, NameLookup] => [key, { status: 'ready', ...known }],
  )
  update(context, (state) => showStoredNames(state, Object.fromEntries(cached)))
}

/** Returns the names that are still valid, by address in lower case. */
export function readCachedNames({ storage }: KitContext): Record<string, CachedName> {
  return storage.read('names', parseCachedNames) ?? {}
}

function parseCachedNames(value: unknown): Record<string, CachedName> | undefined {
  if (!isRecord(value)) return undefined
  const entries = Object.entries(value).slice(0, maxCachedNames)
  return Object.fromEntries(
    entries.flatMap(([key, entry]): [string, CachedName][] => {
      if (!isAddress(key) || !isRecord(entry) || typeof entry.at !== 'number') return []
      const age = Date.now() - entry.at
      if (!(age >= 0 && age < maxAge)) return []
      const name = isVisible(entry.name) ? entry.name : undefined
      const avatar = parseAvatar(entry.avatar)
      const { at, isPartial } = entry
      const known = { ...(name && { name }), ...(avatar && { avatar }) }
      return [[key.toLowerCase(), { at, ...known, ...(isPartial === true && { isPartial }) }]]
    }),
  )
}

/**
 * Returns whether a stored name has only visible characters, because other code may have written to the storage.
 * U+200D joins emoji.
 */
function isVisible(name: unknown): name is string {
  return typeof name === 'string' && name.length <= maxNameLength && !/[^\P{C}\u200d]|\p{Z}/u.test(name)
}

/** Lookups by address in lower case. */
type Lookups = Readonly<Record<string, NameLookup>>

/** Shows lookups of names. They replace earlier ones of the same accounts. */
export function showNames(state: WalletKitState, lookups: Lookups): WalletKitState {
  return { ...state, names: { ...state.names, ...lookups } }
}

/** Shows stored names, except of accounts that were looked up since. */
export function showStoredNames(state: WalletKitState, stored: Lookups): WalletKitState {
  return { ...state, names: { ...stored, ...state.names } }
}
