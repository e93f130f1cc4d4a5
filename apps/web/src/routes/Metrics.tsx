import { useSearchParams } from 'react-router-dom'
import { MetricsView } from '../features/metrics/MetricsView.tsx'
import { useTranslation } from '../lib/i18n.ts'
import { Part } from '../lib/takeOver.tsx'
import { lazyPart } from '../shared/frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../shared/frame/lazyWithPreload.tsx'
import { Page } from '../shared/frame/Page.tsx'
import { Skeleton } from '../shared/lookup/Skeleton.tsx'
import { useHasSeveral } from '../shared/lookup/useCommunity.ts'
import { WithCommunity } from '../shared/lookup/WithCommunity.tsx'

const Live = lazyPart(() => import('../shared/lookup/Live.tsx'))
const PastMetrics = lazyPart(() => import('../features/metrics/PastMetrics.tsx'))
const CommunitiesPage = lazyWithPreload(() => import('../features/metrics/CommunitiesPage.tsx'))
const CommunitiesLink = lazyPart(async () => ({
  default: (await import('../features/metrics/CommunitiesPage.tsx')).CommunitiesLink,
}))

export default function MetricsPage() {
  const { t } = useTranslation()
  const [parameters] = useSearchParams()
  const hasSeveral = useHasSeveral()
  const asOf = parameters.get('asOf')
  if (parameters.get('view') === 'communities')
    return (
      <Part fallback={<Skeleton rows={6} />}>
        <CommunitiesPage />
      </Part>
    )
  return (
    <Page
      title={t('nav.metrics')}
      heading={t('ask.metrics')}
      hint={t('ask.metrics.hint')}
      aside={hasSeveral && <CommunitiesLink />}
    >
      <WithCommunity skeleton={<Skeleton rows={10} />}>
        {(community) => (
          <>
            <Live community={community.id} />
            {asOf ? <PastMetrics community={community} asOf={asOf} /> : <MetricsView community={community} />}
          </>
        )}
      </WithCommunity>
    </Page>
  )
}
