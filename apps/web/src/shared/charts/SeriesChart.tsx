import { type GrowthInterval, type Token, toDecimal } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type ReactNode, useId, useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { visuallyHidden } from '../../lib/theme.ts'
import { TextButton } from '../frame/controls.tsx'
import { useZoneName } from '../frame/ZoneChoice.tsx'
import type { ChartSource } from '../share/ChartFiles.tsx'
import { TimeChart } from './TimeChart.tsx'

/** Most days whose axis names days; it names months beyond. */
const fewDays = 92

type Props = {
  label: string
  /** Name of the table. */
  caption: string
  form: 'total' | 'added'
  interval: GrowthInterval
  rows: readonly SeriesRow[]
  /** Token of an amount; `null` for members. */
  token: Token | null
  source: ChartSource
}

/** Charts a series by its sums or by what was added in each period, with a table of both. */
export function SeriesChart({ label, caption, form, interval, rows, token, source }: Props) {
  const { t } = useTranslation()
  const { t: own } = useLazyTranslation('charts')
  const format = useFormat()
  const nameOf = usePeriodName(interval)
  const zone = useZoneName()()
  const tick = interval === 'day' && rows.length <= fewDays ? format.shortDay : format.month
  const text = (units: string, style: 'exact' | 'short') =>
    token ? format.amountWithUnit(units, token, style) : format.count(Number(units))
  return (
    <>
      <TimeChart
        label={label}
        form={form === 'total' ? 'line' : 'bars'}
        formatTick={format.tick}
        source={source}
        points={rows.map((row) => ({
          key: row.from,
          label: nameOf(row.from),
          tick: tick(row.from),
          value: row[form].value,
          text: token
            ? text(row[form].units, 'short')
            : t('people', { count: row[form].value, number: text(row[form].units, 'short') }),
        }))}
      />
      <DataTable
        caption={caption}
        head={[own('period', { zone }), own('added'), t('growth.byTotal')]}
        rows={() =>
          rows.toReversed().map((row) => ({
            key: row.from,
            cells: [nameOf(row.from), text(row.added.units, 'exact'), text(row.total.units, 'exact')],
          }))
        }
      />
    </>
  )
}

export const intervals: readonly GrowthInterval[] = ['day', 'week', 'month']

/** Returns the function that names a day, week or month by its first day. */
export function usePeriodName(interval: GrowthInterval): (from: string) => string {
  const { t } = useLazyTranslation('charts')
  const format = useFormat()
  return {
    day: format.longDay,
    week: (from: string) => t('weekOf', { day: format.longDay(from) }),
    month: format.month,
  }[interval]
}

/** A value twice: `units` exactly, for text, and `value` as a float, for drawing. */
type Quantity = { units: string; value: number }
/** The increase in a period, and the sum at its end. */
type SeriesRow = { from: string; added: Quantity; total: Quantity }

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

type TableProps = {
  caption: string
  head: readonly string[]
  rows: () => readonly { key: string; cells: readonly ReactNode[] }[]
}

/** Renders a button that shows a chart's data as a table. */
export function DataTable({ caption, head, rows }: TableProps) {
  const { t } = useTranslation()
  const id = useId()
  const [state, setState] = useState<'closed' | 'open'>('closed')
  return (
    <>
      <TextButton
        type="button"
        aria-expanded={state === 'open'}
        aria-controls={id}
        onClick={() => setState(state === 'open' ? 'closed' : 'open')}
      >
        {t(state === 'open' ? 'chart.hideTable' : 'chart.showTable')}
      </TextButton>
      <Scroll
        id={id}
        hidden={state === 'closed'}
        tabIndex={state === 'open' ? 0 : -1}
        role="region"
        aria-label={caption}
      >
        {state === 'open' && (
          <table>
            <caption>{caption}</caption>
            <thead>
              <tr>
                {head.map((cell) => (
                  <th key={cell} scope="col">
                    {cell}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows().map(({ key, cells: [first, ...others] }) => (
                <tr key={key}>
                  <th scope="row">{first}</th>
                  {others.map((cell, index) => (
                    <td key={index}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Scroll>
    </>
  )
}

const Scroll = styled('div')(({ theme }) => ({
  maxHeight: 360,
  overflow: 'auto',
  '& table': { width: '100%', borderCollapse: 'collapse', fontSize: '0.8125rem' },
  '& caption': visuallyHidden,
  '& th, & td': {
    padding: '7px 0 7px 16px',
    textAlign: 'right',
    fontWeight: 400,
    borderBottom: `1px solid ${theme.vars?.palette.divider}`,
  },
  '& th:first-of-type': { paddingLeft: 0, textAlign: 'left' },
  '& thead th': {
    position: 'sticky',
    top: 0,
    background: theme.vars?.palette.background.default,
    color: theme.vars?.palette.text.secondary,
  },
}))
