import { type Community, type Metrics, nameIn } from '@lineage/referral-api'
import { useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { lazyWithPreload } from '../../shared/frame/lazyWithPreload.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AnswerBoundary } from '../../shared/lookup/AnswerBoundary.tsx'
import { Figure, Figures } from '../../shared/lookup/Figure.tsx'
import { useMetrics } from '../../shared/lookup/queries.ts'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { LiveStatus } from './LiveStatus.tsx'
import { Totals } from './Totals.tsx'

const MetricsDetails = lazyWithPreload(() => import('./MetricsDetails.tsx'))

/** Shows the community's metrics at the newest block. */
export function MetricsView({ community }: { community: Community }) {
  const { i18n } = useTranslation()
  const query = useMetrics(community.id)
  return (
    <Answer query={query} skeleton={<Skeleton rows={10} />}>
      {(metrics) => (
        <>
          <LiveStatus
            asOf={metrics.asOf}
            name={nameIn(community.name, i18n.language)}
            members={metrics.members}
            isCurrent={!query.error}
          />
          <Totals metrics={metrics} community={community} />
          <Shape metrics={metrics} />
          <Below metrics={metrics} community={community} />
        </>
      )}
    </Answer>
  )
}

/** Renders the details after the totals have painted, for each new block as well. */
function Below({ metrics, community }: { metrics: Metrics; community: Community }) {
  const shown = useDeferredValue<Metrics | undefined>(metrics, undefined)
  const skeleton = <Skeleton rows={10} />
  return (
    <AnswerBoundary skeleton={skeleton}>
      {shown ? <MetricsDetails metrics={shown} community={community} /> : skeleton}
    </AnswerBoundary>
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
