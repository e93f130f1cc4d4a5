/**
 * Creates a watch over a process that is polled repeatedly, because a process that hangs does not end.
 *
 * @param limit Milliseconds without an answer after which the process counts as hanging; 0 for never.
 */
export function createSilenceWatch(limit: number) {
  let since: number | undefined
  return {
    /**
     * Records whether the process answered. Returns `true` once it has not answered for the limit, and then starts
     * again.
     */
    note(outcome: 'answered' | 'silent', now = performance.now()): boolean {
      since = outcome === 'silent' ? (since ?? now) : undefined
      if (since === undefined || limit === 0 || now - since < limit) return false
      since = undefined
      return true
    },
  }
}
