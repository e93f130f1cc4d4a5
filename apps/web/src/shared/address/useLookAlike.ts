import { createContext, use, useEffect, useSyncExternalStore } from 'react'
import { shorten } from './parseAddress.ts'

/** Counts the addresses on a page by their shortened form. */
export function createLookAlikeStore() {
  const shown = new Map<string, Map<string, number>>()
  const listeners = new Set<() => void>()
  const change = (address: string, by: 1 | -1) => {
    const short = shorten(address)
    const same = shown.get(short) ?? new Map<string, number>()
    shown.set(short, same)
    const before = same.size
    const count = (same.get(address) ?? 0) + by
    if (count > 0) same.set(address, count)
    else same.delete(address)
    if (same.size !== before && Math.max(same.size, before) > 1) for (const listener of listeners) listener()
  }
  return {
    add(address: string) {
      change(address, 1)
      return () => change(address, -1)
    },
    has: (address: string) => (shown.get(shorten(address))?.size ?? 0) > 1,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

export const LookAlikeContext = createContext<ReturnType<typeof createLookAlikeStore> | undefined>(undefined)

/** Returns whether the page shows another address with the same shortened form. */
export function useLookAlike(address: string): boolean {
  const seen = use(LookAlikeContext)
  useEffect(() => seen?.add(address), [seen, address])
  return useSyncExternalStore(seen?.subscribe ?? never, () => seen?.has(address) ?? false)
}

const never = () => () => {}
