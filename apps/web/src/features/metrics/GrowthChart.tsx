import type { AsOf, Community, MemberMetrics, Metrics } from '@lineage/referral-api'
import { useMemo, useState } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { SeriesChart, toSeries } from '../../shared/charts/SeriesChart.tsx'
import { ChartPlace } from '../../shared/charts/TimeChart.tsx'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { ZoneChoice } from '../../shared/frame/ZoneChoice.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { Controls, Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Undated } from '../../shared/lookup/Time.tsx'
import { useDailyAmounts } from './query.ts'

type Measure = 'members' | 'volume' | 'rewards'
type Span = 'days30' | 'days90' | 'all'

type Days = MemberMetrics['series'] | Metrics['series']

/** Charts the community's growth by day. The amounts of the days are loaded when they are chosen; a past answer has them. */
export function GrowthChart({ metrics, community }: { metrics: MemberMetrics | Metrics; community: Community }) {
  const { t } = useTranslation()
  const [measure, setMeasure] = useState<Measure>('members')
  const [form, setForm] = useState<'total' | 'added'>('total')
  const [span, setSpan] = useState<Span>('all')
  const { volume, reward } = community.tokens
  const shown = { measure, form, span, community }
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
      <ChartPlace>
        {measure === 'members' || hasAmounts(metrics.series) ? (
          <Chart source={metrics} days={metrics.series} {...shown} />
        ) : (
          <Amounts {...shown} />
        )}
      </ChartPlace>
      <Undated count={metrics.undated} />
    </Section>
  )
}

const hasAmounts = (days: Days): days is Metrics['series'] => days[0] !== undefined && 'volume' in days[0]

type Shown = { measure: Measure; form: 'total' | 'added'; span: Span; community: Community }

function Amounts(shown: Shown) {
  const query = useDailyAmounts(shown.community.id)
  return (
    <Answer query={query} skeleton={<Skeleton rows={5} />}>
      {(metrics) => <Chart {...shown} source={metrics} days={metrics.series} />}
    </Answer>
  )
}

function Chart({ source, days, measure, form, span, community }: Shown & { source: { asOf: AsOf }; days: Days }) {
  const { t } = useTranslation()
  const { volume, reward } = community.tokens
  const token = measure === 'volume' ? volume : measure === 'rewards' ? reward : null
  const rows = useMemo(() => {
    const units = hasAmounts(days)
      ? days.map((row) => ({ from: row.day, units: row[measure] }))
      : days.map((row) => ({ from: row.day, units: row.members }))
    return toSeries(units, token?.decimals ?? 0)
  }, [days, measure, token])
  return (
    <SeriesChart
      label={t(form === 'total' ? 'growth.total' : 'growth.daily', { measure: t(`metrics.${measure}`) })}
      caption={t('growth.table', { measure: t(`metrics.${measure}`) })}
      form={form}
      interval="day"
      rows={span === 'all' ? rows : rows.slice(span === 'days30' ? -30 : -90)}
      token={token}
      source={source}
    />
  )
}
