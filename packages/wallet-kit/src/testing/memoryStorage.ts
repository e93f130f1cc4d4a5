import type { KeyValueStorage } from '../core/lib/storage.ts'

/**
 * Creates a storage in memory, for tests and stories.
 *
 * @param entries - Initial entries. Default: none.
 * @example
 * const kit = createWalletKit({ ...config, storage: memoryStorage() })
 */
export function memoryStorage(entries: Readonly<Record<string, string>> = {}): KeyValueStorage {
  const values = new Map(Object.entries(entries))
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
}
