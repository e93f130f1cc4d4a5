// A separate module, because pages without names do not load it.
import type { NameLookup, WalletKitState } from '../state/state.ts'

/** Lookups by address in lower case. */
export type Lookups = Readonly<Record<string, NameLookup>>

/** Shows lookups of names. They replace earlier ones of the same accounts. */
export function showNames(state: WalletKitState, lookups: Lookups): WalletKitState {
  return { ...state, names: { ...state.names, ...lookups } }
}

/** Shows stored names, except of accounts that were looked up since. */
export function showStoredNames(state: WalletKitState, stored: Lookups): WalletKitState {
  return { ...state, names: { ...stored, ...state.names } }
}
