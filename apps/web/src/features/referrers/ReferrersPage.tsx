import { lazyWithPreload } from '../../shared/frame/lazyWithPreload.tsx'
import { Lookup } from '../../shared/lookup/Lookup.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'

const ReferrersView = lazyWithPreload(() => import('./ReferrersView.tsx'))

export function ReferrersPage() {
  return (
    <Lookup name="referrers" skeleton={<Skeleton />} preload={ReferrersView.preload}>
      {(address, community) => <ReferrersView address={address} community={community} />}
    </Lookup>
  )
}
