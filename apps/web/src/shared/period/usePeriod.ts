import { isDay } from '@lineage/referral-api/days'
import { useSearchParams } from 'react-router-dom'
import { dayNames } from '../../paths.ts'

/** First and last day of a period, both included, in the page's time zone. */
export type Days = { from: string; to: string }

/** Returns the period in the URL; `undefined` if it names none. */
export function usePeriod(): Days | undefined {
  const [parameters] = useSearchParams()
  const [from, to] = dayNames.map((name) => parameters.get(name) ?? '') as [string, string]
  return isDay(from) && isDay(to) ? { from, to } : undefined
}

/**
 * Returns the last `count` days up to one, which is included.
 *
 * @example lastDays('2026-06-07', 7) // { from: '2026-06-01', to: '2026-06-07' }
 */
export function lastDays(to: string, count: number): Days {
  const first = new Date(to)
  first.setUTCDate(first.getUTCDate() - count + 1)
  return { from: first.toISOString().slice(0, 10), to }
}
