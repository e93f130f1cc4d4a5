/**
 * Wraps a computation so that it takes at most a twentieth of the time: until then it returns its last output, with the input
 * that this was computed from. An expensive result gets a little older instead of delaying everything else.
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
