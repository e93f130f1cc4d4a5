import { Lookup } from '../../shared/lookup/Lookup.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { ReferralsView } from './ReferralsView.tsx'

export function ReferralsPage() {
  return (
    <Lookup name="referrals" skeleton={<Skeleton />}>
      {(address, community) => <ReferralsView address={address} community={community} />}
    </Lookup>
  )
}
