import { useSearchParams } from 'react-router-dom'
import { Part } from '../lib/takeOver.tsx'
import { lazyWithPreload } from '../shared/frame/lazyWithPreload.tsx'
import { Lookup } from '../shared/lookup/Lookup.tsx'
import { Skeleton } from '../shared/lookup/Skeleton.tsx'

const ReferrersView = lazyWithPreload(() => import('../features/referrers/ReferrersView.tsx'))
const PastUpline = lazyWithPreload(async () => ({
  default: (await import('../shared/past/PastLists.tsx')).PastUpline,
}))
const pairPages = {
  relation: lazyWithPreload(() => import('../features/referrers/RelationPage.tsx')),
  dispute: lazyWithPreload(() => import('../features/referrers/DisputePage.tsx')),
}

export default function ReferrersPage() {
  const [parameters] = useSearchParams()
  const view = parameters.get('view')
  // A second address asks for the relation.
  if (view === 'relation' || view === 'dispute' || parameters.get('to')) {
    const PairPage = pairPages[view === 'dispute' ? view : 'relation']
    return (
      <Part fallback={<Skeleton />}>
        <PairPage />
      </Part>
    )
  }
  return (
    <Lookup name="referrers" skeleton={<Skeleton />} preload={ReferrersView.preload} past={PastUpline}>
      {(address, community) => <ReferrersView address={address} community={community} />}
    </Lookup>
  )
}
