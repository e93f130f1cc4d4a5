import { Lookup } from '../../shared/lookup/Lookup.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { ReferrersView } from './ReferrersView.tsx'

export function ReferrersPage() {
  return (
    <Lookup name="referrers" skeleton={<Skeleton />}>
      {(address, community) => <ReferrersView address={address} community={community} />}
    </Lookup>
  )
}
