/**
 * Returns a function that reuses its result for `maxAge` milliseconds in all calls. A failure is not kept.
 *
 * @example const getStatus = shareFor(1_000, fetchStatus)
 */
export function shareFor<Result>(
  maxAge: number,
  load: () => Promise<Result>,
  now = () => performance.now(),
): () => Promise<Result> {
  let kept: { result: Promise<Result>; until: number } | undefined
  return () => {
    if (kept && now() < kept.until) return kept.result
    const entry = { result: load(), until: now() + maxAge }
    kept = entry
    entry.result.catch(() => {
      if (kept === entry) kept = undefined
    })
    return entry.result
  }
}
