import type { Community } from '@lineage/referral-api'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { LazyBoundary } from '../../shared/frame/ErrorBoundary.tsx'
import { InPeriods } from '../../shared/lookup/InPeriods.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { PastAnswer } from '../../shared/past/PastAnswer.tsx'
import { toFixedMoment } from '../../shared/past/queries.ts'
import { PastBinds } from './BindsTable.tsx'
import { GrowthChart } from './GrowthChart.tsx'
import { Leaders, Structure } from './MetricsDetails.tsx'
import { usePastMetrics } from './query.ts'
import { Totals } from './Totals.tsx'

/** Shows the community's metrics at the end of a day or at a block. */
export default function PastMetrics({ community, asOf }: { community: Community; asOf: string }) {
  const { t } = useLazyTranslation('history')
  const query = usePastMetrics(community.id, asOf)
  return (
    <PastAnswer asOf={asOf} query={query} skeleton={<Skeleton rows={10} />} note={t('past.amounts')}>
      {(metrics) => (
        <LazyBoundary>
          <Totals metrics={metrics} community={community} />
          <GrowthChart metrics={metrics} community={community} />
          <Leaders metrics={metrics} community={community} />
          <InPeriods community={community} now={metrics.until} asOf={toFixedMoment(asOf, metrics)} at={metrics.at} />
          <PastBinds community={community} metrics={metrics} />
          <Structure metrics={metrics} community={community} asOf={toFixedMoment(asOf, metrics)} />
        </LazyBoundary>
      )}
    </PastAnswer>
  )
}
