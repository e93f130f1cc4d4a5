import { createContext, use, useEffect, useSyncExternalStore } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { shorten } from './parseAddress.ts'

type LookAlikes = {
  /** Shortened forms that several addresses on the page share. */
  store: StoreApi<ReadonlySet<string>>
  /** Adds an address to the page. Returns a function that removes it. */
  add: (address: string) => () => void
}

/** Counts the addresses on a page by their shortened form. */
export function createLookAlikes(): LookAlikes {
  const store = createStore<ReadonlySet<string>>(() => new Set())
  const shown = new Map<string, Map<string, number>>()
  const change = (address: string, by: 1 | -1) => {
    const short = shorten(address)
    const same = shown.get(short) ?? new Map<string, number>()
    shown.set(short, same)
    const count = (same.get(address) ?? 0) + by
    if (count > 0) same.set(address, count)
    else same.delete(address)
    const isAlike = same.size > 1
    if (isAlike === store.getState().has(short)) return
    const forms = new Set(store.getState())
    if (isAlike) forms.add(short)
    else forms.delete(short)
    store.setState(forms, true)
  }
  return {
    store,
    add(address) {
      change(address, 1)
      return () => change(address, -1)
    },
  }
}

export const LookAlikeContext = createContext<LookAlikes | undefined>(undefined)

/** Returns whether the page shows another address with the same shortened form. */
export function useLookAlike(address: string): boolean {
  const seen = use(LookAlikeContext)
  useEffect(() => seen?.add(address), [seen, address])
  const isAlike = () => seen?.store.getState().has(shorten(address)) ?? false
  return useSyncExternalStore(seen?.store.subscribe ?? never, isAlike, isAlike)
}

const never = () => () => {}
