/** What the browser kept under `key`; `undefined` when it kept nothing or keeps nothing at all. */
export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps `value` when the browser lets it; a full or forbidden store loses a convenience, nothing else. */
export function writeStored(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {}
}
