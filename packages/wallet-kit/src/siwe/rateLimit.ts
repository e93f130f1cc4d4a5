/** Counts what each visitor does in a minute. Answers 0, or in how many seconds there is a new one. */
export function createRateLimit(perMinute: number, now: () => number) {
  let minute = 0
  const spent = new Map<string, number>()
  return (visitor: string, cost: number): number => {
    const current = Math.floor(now() / 60_000)
    if (current !== minute) spent.clear()
    minute = current
    const total = (spent.get(visitor) ?? 0) + cost
    spent.set(visitor, total)
    return total <= perMinute ? 0 : Math.ceil(((current + 1) * 60_000 - now()) / 1000)
  }
}
