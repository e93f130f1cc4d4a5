import { toDecimal } from '@lineage/referral-api'

/** A value twice: `units` exactly, for text, and `value` as a float, for drawing. */
type Quantity = { units: string; value: number }
/** What was added in a period, and the sum up to its end. */
export type SeriesRow = { from: string; added: Quantity; total: Quantity }

/**
 * Sums up a series.
 *
 * @param decimals of a token; 0 for numbers of members
 * @example toSeries([{ from: '2026-06-01', units: '15' }], 1)[0]?.added // { units: '15', value: 1.5 }
 */
export function toSeries(rows: readonly { from: string; units: string | number }[], decimals: number): SeriesRow[] {
  const quantity = (units: bigint): Quantity => ({
    units: String(units),
    value: Number(toDecimal(String(units), decimals)),
  })
  let sum = 0n
  return rows.map(({ from, units }) => {
    const added = BigInt(units)
    sum += added
    return { from, added: quantity(added), total: quantity(sum) }
  })
}
