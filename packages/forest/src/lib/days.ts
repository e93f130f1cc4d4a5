export const secondsADay = 86_400

/** Returns the UTC day of a Unix time, counted from 1970. */
export function dayOf(timestamp: number): number {
  return Math.floor(timestamp / secondsADay)
}

/** Returns the first seconds of all UTC days from the one of a Unix time to the one of another. */
export function utcDays(from: number, to: number): number[] {
  const first = dayOf(from)
  return Array.from({ length: dayOf(to) - first + 1 }, (_, index) => (first + index) * secondsADay)
}
