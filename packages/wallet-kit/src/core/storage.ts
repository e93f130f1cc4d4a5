import type { Address } from 'viem'

/** The part of `localStorage` that the kit uses. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** What the kit remembers of the last connection, to restore it without a prompt. */
export type StoredConnection = {
  walletId: string
  rdns?: string
  /** The way the wallet was reached. */
  kind: string
  address: Address
  chainId: number
}

export type KitStorage = {
  /** The stored value, as `parse` accepts it; `undefined` for anything else. */
  read: <T>(key: StorageKey, parse: (value: unknown) => T | undefined) => T | undefined
  write: (key: StorageKey, value: unknown) => void
  remove: (key: StorageKey) => void
}

export type StorageKey = 'connection' | 'session' | 'recentWallets' | 'transactions' | 'names'

/** What all kits with this id share. The version is part of it: a later one never reads what an earlier one wrote. */
export const storagePrefix = (id?: string): string => (id === undefined ? 'walletKit.v1' : `walletKit.v1.${id}`)

export const storageKey = (key: StorageKey, id?: string): string => `${storagePrefix(id)}.${key}`

/** A storage that never throws: what cannot be kept there is kept in memory until the page goes. */
export function createStorage(given: KeyValueStorage | undefined, id?: string): KitStorage {
  const keyOf = (key: StorageKey) => storageKey(key, id)
  const unsaved = new Map<string, string>()
  // `localStorage` is missing on servers, `null` in some WebViews, and throws where cookies are blocked.
  const getStorage = () => given ?? (typeof window === 'undefined' ? undefined : window.localStorage)

  const load = (key: string): string | null | undefined => {
    try {
      return getStorage()?.getItem(key)
    } catch {
      return undefined
    }
  }

  return {
    read: (key, parse) => {
      const text = unsaved.get(keyOf(key)) ?? load(keyOf(key))
      try {
        return typeof text === 'string' ? parse(JSON.parse(text)) : undefined
      } catch {
        return undefined
      }
    },
    write: (key, value) => {
      const text = JSON.stringify(value)
      unsaved.set(keyOf(key), text)
      try {
        getStorage()?.setItem(keyOf(key), text)
      } catch {
        return
      }
      if (load(keyOf(key)) === text) unsaved.delete(keyOf(key))
    },
    remove: (key) => {
      unsaved.delete(keyOf(key))
      try {
        getStorage()?.removeItem(keyOf(key))
      } catch {
        // Unreachable storage holds nothing that could be restored.
      }
    },
  }
}

export function parseStoredConnection(value: unknown): StoredConnection | undefined {
  if (!isRecord(value)) return undefined
  const { walletId, rdns, kind, address, chainId } = value
  if (typeof walletId !== 'string' || typeof kind !== 'string') return undefined
  if (typeof address !== 'string' || typeof chainId !== 'number') return undefined
  if (!/^0x[0-9a-f]{40}$/i.test(address) || !Number.isSafeInteger(chainId)) return undefined
  return { walletId, kind, address: address as Address, chainId, ...(typeof rdns === 'string' && { rdns }) }
}

export function parseRecentWallets(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return [...new Set(value.filter((id): id is string => typeof id === 'string'))].slice(0, maxRecentWallets)
}

export const maxRecentWallets = 3

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
