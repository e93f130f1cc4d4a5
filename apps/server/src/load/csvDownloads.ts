/** Number of CSV files that a visitor may download at once. */
const mostAtOnce = 3

/**
 * Creates a counter of the CSV files that each visitor is downloading. A file is read from the index during the whole
 * download, so the cost charged at its start does not limit how many are read at once.
 */
export function createCsvDownloads() {
  const running = new Map<string, number>()
  return {
    /** Counts a download. Returns a function that ends it, or `undefined` if the visitor has too many. */
    start(visitor: string): (() => void) | undefined {
      const before = running.get(visitor) ?? 0
      if (before >= mostAtOnce) return undefined
      running.set(visitor, before + 1)
      let state: 'running' | 'ended' = 'running'
      return () => {
        if (state === 'ended') return
        state = 'ended'
        const left = (running.get(visitor) ?? 1) - 1
        if (left > 0) running.set(visitor, left)
        else running.delete(visitor)
      }
    },
  }
}
