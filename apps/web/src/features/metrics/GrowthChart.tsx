import type { Community, Metrics } from '@lineage/referral-api'
import { useMemo, useState } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { SeriesChart } from '../../shared/charts/SeriesChart.tsx'
import { toSeries } from '../../shared/charts/toSeries.ts'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { ZoneChoice } from '../../shared/frame/ZoneChoice.tsx'
import { Controls, Section } from '../../shared/lookup/Section.tsx'
import { Undated } from '../../shared/lookup/Time.tsx'

type Measure = 'members' | 'volume' | 'rewards'
type Span = 'days30' | 'days90' | 'all'

/** Charts the community's growth by day. */
export function GrowthChart({ metrics, community }: { metrics: Metrics; community: Community }) {
  const { t } = useTranslation()
  const [measure, setMeasure] = useState<Measure>('members')
  const [form, setForm] = useState<'total' | 'added'>('total')
  const [span, setSpan] = useState<Span>('all')
  const { volume, reward } = community.tokens
  const token = measure === 'volume' ? volume : measure === 'rewards' ? reward : null
  const rows = useMemo(
    () =>
      toSeries(
        metrics.series.map((row) => ({ from: row.day, units: row[measure] })),
        token?.decimals ?? 0,
      ),
    [metrics.series, measure, token],
  )
  const measures: [Measure, string][] = [['members', t('metrics.members')]]
  if (volume) measures.push(['volume', t('metrics.volume')])
  if (reward) measures.push(['rewards', t('metrics.rewards')])
  return (
    <Section title={t('growth.title')}>
      <Controls>
        <RadioRow label={t('growth.measure')} value={measure} options={measures} onChange={setMeasure} />
        <RadioRow
          label={t('growth.form')}
          value={form}
          options={[
            ['total', t('growth.byTotal')],
            ['added', t('growth.byDay')],
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
        <ZoneChoice place="row" />
      </Controls>
      <SeriesChart
        label={t(form === 'total' ? 'growth.total' : 'growth.daily', { measure: t(`metrics.${measure}`) })}
        caption={t('growth.table', { measure: t(`metrics.${measure}`) })}
        form={form}
        interval="day"
        rows={span === 'all' ? rows : rows.slice(span === 'days30' ? -30 : -90)}
        token={token}
        source={metrics}
      />
      <Undated count={metrics.undated} />
    </Section>
  )
}
