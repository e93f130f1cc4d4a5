import type { Metrics } from '@lineage/referral-api'
import { toDecimal } from '../../lib/format.ts'

export type Measure = 'members' | 'volume' | 'rewards'
export type Span = 'days30' | 'days90' | 'all'

/** A value twice: `units` exactly, for text, and `value` as a float, for drawing. */
type Quantity = { units: string; value: number }

/** Returns each day's own and cumulative value of a measure. */
export function toGrowthRows(
  series: Metrics['series'],
  measure: Measure,
  decimals: number,
): { day: string; daily: Quantity; total: Quantity }[] {
  const quantity = (units: bigint): Quantity => ({
    units: String(units),
    value: Number(toDecimal(String(units), decimals)),
  })
  let sum = 0n
  return series.map((row) => {
    const own = BigInt(row[measure])
    sum = measure === 'members' ? BigInt(row.totalMembers) : sum + own
    return { day: row.day, daily: quantity(own), total: quantity(sum) }
  })
}
