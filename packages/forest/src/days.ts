export const secondsADay = 86_400

/** The UTC day of a moment, counted from 1970. */
export function dayOf(timestamp: number): number {
  return Math.floor(timestamp / secondsADay)
}
