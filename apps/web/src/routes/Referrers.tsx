import { Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { lazyWithPreload } from '../shared/frame/lazyWithPreload.tsx'
import { Lookup } from '../shared/lookup/Lookup.tsx'
import { Skeleton } from '../shared/lookup/Skeleton.tsx'

const ReferrersView = lazyWithPreload(() => import('../features/referrers/ReferrersView.tsx'))
const PastUpline = lazyWithPreload(async () => ({
  default: (await import('../shared/past/PastLists.tsx')).PastUpline,
}))
const RelationPage = lazyWithPreload(() => import('../features/referrers/RelationPage.tsx'))

export default function ReferrersPage() {
  const [parameters] = useSearchParams()
  if (parameters.get('view') === 'relation')
    return (
      <Suspense fallback={<Skeleton />}>
        <RelationPage />
      </Suspense>
    )
  return (
    <Lookup name="referrers" skeleton={<Skeleton />} preload={ReferrersView.preload} past={PastUpline}>
      {(address, community) => <ReferrersView address={address} community={community} />}
    </Lookup>
  )
}
