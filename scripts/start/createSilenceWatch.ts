/**
 * Creates a watch over a process that is asked again and again: one that hangs does not end by itself.
 *
 * @param limit Milliseconds without an answer after which it hangs; 0 for never.
 */
export function createSilenceWatch(limit: number) {
  let since: number | undefined
  return {
    /** Notes whether the process answered. Returns `true` once it has not answered for the limit, and begins anew. */
    note(outcome: 'answered' | 'silent', now = performance.now()): boolean {
      since = outcome === 'silent' ? (since ?? now) : undefined
      if (since === undefined || limit === 0 || now - since < limit) return false
      since = undefined
      return true
    },
  }
}
