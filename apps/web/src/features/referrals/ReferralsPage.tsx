import { lazily } from '../../shared/frame/lazily.tsx'
import { Lookup } from '../../shared/lookup/Lookup.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'

const ReferralsView = lazily(() => import('./ReferralsView.tsx'))

export function ReferralsPage() {
  return (
    <Lookup name="referrals" skeleton={<Skeleton />} preload={ReferralsView.preload}>
      {(address, community) => <ReferralsView address={address} community={community} />}
    </Lookup>
  )
}
