import type { Address } from 'viem'
import type { KitContext } from './context.ts'
import { toAvatar } from './foreign.ts'
import type { AccountName } from './state.ts'
import { isRecord } from './storage.ts'

const keptFor = 180 * 60_000
export const maxKept = 50
const maxNameLength = 255

/** `at`: when it was found, in Unix milliseconds. */
type KeptName = AccountName & { at: number }

/** Shows the names that are still good from earlier pages. What was looked up meanwhile is newer. */
export function showKeptNames(context: KitContext): void {
  const kept = Object.entries(readKept(context)).map(([key, { at: _, ...known }]) => [
    key,
    { status: 'ready', ...known },
  ])
  context.store.setState(({ names }) => ({ names: { ...Object.fromEntries(kept), ...names } }))
}

/** By address in lower case. */
export function readKept({ storage }: KitContext): Record<string, KeptName> {
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

export function isAddress(value: unknown): value is Address {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)
}
