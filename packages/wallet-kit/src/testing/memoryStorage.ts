import type { KeyValueStorage } from '../core/storage.ts'

/**
 * A storage that forgets with the page: one for each test, story or kit.
 *
 * @example
 * const kit = createWalletKit({ …, storage: memoryStorage() })
 */
export function memoryStorage(entries: Readonly<Record<string, string>> = {}): KeyValueStorage {
  const values = new Map(Object.entries(entries))
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
}
