import { lazily } from '../../shared/frame/lazily.tsx'
import { Lookup } from '../../shared/lookup/Lookup.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'

const ReferrersView = lazily(() => import('./ReferrersView.tsx'))

export function ReferrersPage() {
  return (
    <Lookup name="referrers" skeleton={<Skeleton />} preload={ReferrersView.preload}>
      {(address, community) => <ReferrersView address={address} community={community} />}
    </Lookup>
  )
}
