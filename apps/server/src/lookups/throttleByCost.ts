/**
 * Wraps a computation so that it takes at most a twentieth of the time. In between it returns its last output, with
 * the input of that output. So an expensive result becomes slightly outdated instead of delaying other requests.
 */
export function throttleByCost<input, output>(
  compute: (input: input) => output,
  now: () => number = () => performance.now(),
): (input: input) => { input: input; output: output } {
  let last: { input: input; output: output } | undefined
  let until = Number.NEGATIVE_INFINITY
  return (input) => {
    const start = now()
    if (last && start < until) return last
    last = { input, output: compute(input) }
    const end = now()
    until = end + (end - start) * 20
    return last
  }
}
