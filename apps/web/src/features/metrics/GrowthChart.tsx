import { type Community, type Metrics, toDecimal } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/format.ts'
import { DataTable } from '../../shared/charts/DataTable.tsx'
import { TimeChart } from '../../shared/charts/TimeChart.tsx'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Undated } from '../../shared/lookup/Time.tsx'

/** Charts the community's growth by day. */
export function GrowthChart({ metrics, community }: { metrics: Metrics; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [measure, setMeasure] = useState<Measure>('members')
  const [form, setForm] = useState<'total' | 'daily'>('total')
  const [span, setSpan] = useState<Span>('all')
  const { volume, reward } = community.tokens
  const token = measure === 'volume' ? volume : measure === 'rewards' ? reward : null
  const rows = useMemo(
    () => toGrowthRows(metrics.series, measure, token?.decimals ?? 0),
    [metrics.series, measure, token],
  )
  const length = { days30: 30, days90: 90, all: rows.length }[span]
  const shown = rows.slice(-length)

  const text = (units: string, style: 'exact' | 'short' = 'short') =>
    token ? format.amountWithUnit(units, token, style) : format.count(Number(units))
  const measures: [Measure, string][] = [['members', t('metrics.members')]]
  if (volume) measures.push(['volume', t('metrics.volume')])
  if (reward) measures.push(['rewards', t('metrics.rewards')])
  const title = t(`growth.${form}`, { measure: t(`metrics.${measure}`) })

  return (
    <Section title={t('growth.title')}>
      <Controls>
        <RadioRow label={t('growth.measure')} value={measure} options={measures} onChange={setMeasure} />
        <RadioRow
          label={t('growth.form')}
          value={form}
          options={[
            ['total', t('growth.byTotal')],
            ['daily', t('growth.byDay')],
          ]}
          onChange={setForm}
        />
        <RadioRow
          label={t('growth.span')}
          value={span}
          options={[
            ['days30', t('growth.days', { count: 30 })],
            ['days90', t('growth.days', { count: 90 })],
            ['all', t('growth.all')],
          ]}
          onChange={setSpan}
        />
      </Controls>
      <TimeChart
        label={title}
        form={form === 'total' ? 'line' : 'bars'}
        formatTick={format.tick}
        source={metrics}
        points={shown.map((row) => ({
          key: row.day,
          label: span === 'all' ? format.longDay(row.day) : format.shortDay(row.day),
          tick: span === 'all' ? format.month(row.day) : format.shortDay(row.day),
          value: row[form].value,
          text: text(row[form].units),
        }))}
      />
      <DataTable
        caption={t('growth.table', { measure: t(`metrics.${measure}`) })}
        head={[t('growth.day'), t('growth.byDay'), t('growth.byTotal')]}
        rows={() =>
          shown.toReversed().map((row) => ({
            key: row.day,
            cells: [format.longDay(row.day), text(row.daily.units, 'exact'), text(row.total.units, 'exact')],
          }))
        }
      />
      <Undated count={metrics.undated} />
    </Section>
  )
}

const Controls = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: '8px 40px', marginBottom: 16 })

export type Measure = 'members' | 'volume' | 'rewards'
export type Span = 'days30' | 'days90' | 'all'

/** A value twice: `units` exactly, for text, and `value` as a float, for drawing. */
type Quantity = { units: string; value: number }

/** Returns each day's own and cumulative value of a measure. */
function toGrowthRows(
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
