/**
 * Computes anew only when that takes less than a twentieth of the time: what costs much is answered a little older,
 * so that it cannot hold up everything else.
 */
export function paced<input, output>(
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
