/** Reads from localStorage; `undefined` when absent or forbidden. */
export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Writes to localStorage; ignores a full or forbidden one. */
export function writeStored(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {}
}

/** Returns whether the wallet kit has stored a connection, which it restores. */
export const isConnectionStored = (): boolean =>
  typeof window !== 'undefined' && readStored('walletKit.v1.connection') !== undefined
