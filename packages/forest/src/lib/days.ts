export const secondsADay = 86_400

/** Returns the UTC day of a Unix time, counted from 1970. */
export function dayOf(timestamp: number): number {
  return Math.floor(timestamp / secondsADay)
}

/** Formats a day as `2026-11-20`. */
export function formatDay(day: number): string {
  return new Date(day * secondsADay * 1000).toISOString().slice(0, 10)
}
