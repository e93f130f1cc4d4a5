import { useTranslation } from 'react-i18next'
import { Page } from '../../shared/frame/Page.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { WithCommunity } from '../../shared/lookup/WithCommunity.tsx'
import { MetricsView } from './MetricsView.tsx'

export function MetricsPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('nav.metrics')} heading={t('ask.metrics')} hint={t('ask.metrics.hint')}>
      <WithCommunity skeleton={<Skeleton rows={10} />}>
        {(community) => <MetricsView community={community} />}
      </WithCommunity>
    </Page>
  )
}
