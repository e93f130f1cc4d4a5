import type { Community, Metrics } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { Bars } from '../../shared/charts/Bars.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { Figure, Figures } from '../../shared/lookup/Figure.tsx'
import { useMetrics } from '../../shared/lookup/queries.ts'
import { Rows } from '../../shared/lookup/Rows.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { GrowthChart } from './GrowthChart.tsx'
import { IndexStatus } from './IndexStatus.tsx'
import { Leaders } from './Leaders.tsx'
import { Live } from './Live.tsx'
import { Totals } from './Totals.tsx'

/** The whole community in figures, as of the newest block. */
export function MetricsView({ community }: { community: Community }) {
  const query = useMetrics(community.id)
  return (
    <Answer query={query} skeleton={<Skeleton rows={10} />}>
      {(metrics) => (
        <>
          <Live asOf={metrics.asOf} name={community.name} isCurrent={!query.error} />
          <Totals metrics={metrics} community={community} />
          <Shape metrics={metrics} />
          <GrowthChart metrics={metrics} community={community} />
          <Columns>
            <Depths metrics={metrics} />
            <DirectsHistogram metrics={metrics} />
          </Columns>
          <Leaders metrics={metrics} community={community} />
          <Columns>
            <Dirty metrics={metrics} />
            <IndexStatus />
          </Columns>
        </>
      )}
    </Answer>
  )
}

function Shape({ metrics }: { metrics: Metrics }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Section title={t('metrics.shape')}>
      <Figures>
        <Figure
          label={t('metrics.referrers')}
          value={format.big(metrics.referrers)}
          exact={format.count(metrics.referrers)}
        />
        <Figure label={t('metrics.roots')} value={format.big(metrics.roots)} exact={format.count(metrics.roots)} />
        <Figure label={t('metrics.maxDepth')} value={format.count(metrics.maxDepth)} />
        <Figure
          label={t('metrics.averageDirects')}
          value={metrics.averageDirects === null ? '–' : format.ratio(metrics.averageDirects)}
        />
      </Figures>
    </Section>
  )
}

function Depths({ metrics }: { metrics: Metrics }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Section title={t('metrics.depths')}>
      <Bars
        caption={t('metrics.depths')}
        columns={{ label: t('metrics.depth'), value: t('levels.members') }}
        bars={metrics.depths.map(({ depth, count }) => ({
          key: String(depth),
          label: depth === 0 ? t('metrics.depthRoot') : t('metrics.depthOf', { depth }),
          value: count,
          text: format.count(count),
        }))}
      />
    </Section>
  )
}

function DirectsHistogram({ metrics }: { metrics: Metrics }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Section title={t('metrics.histogram')}>
      <Bars
        caption={t('metrics.histogram')}
        columns={{ label: t('metrics.directs'), value: t('levels.members') }}
        bars={metrics.directsHistogram.map(({ from, to, count }) => ({
          key: String(from),
          label:
            to === null
              ? t('metrics.andMore', { from: format.count(from) })
              : from === to
                ? format.count(from)
                : `${format.count(from)}–${format.count(to)}`,
          value: count,
          text: format.count(count),
        }))}
      />
    </Section>
  )
}

function Dirty({ metrics }: { metrics: Metrics }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Section title={t('dirty.title')}>
      <Rows>
        {(['duplicate', 'self', 'cycle', 'placeholder'] as const).map((name) => (
          <div key={name}>
            <dt>
              {t(`dirty.${name}`)}
              <small>{t(`dirty.${name}.text`)}</small>
            </dt>
            <dd>{format.count(metrics.dirty[name])}</dd>
          </div>
        ))}
      </Rows>
    </Section>
  )
}

const Columns = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
  gap: '0 56px',
  '@media (max-width: 899.95px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
})
