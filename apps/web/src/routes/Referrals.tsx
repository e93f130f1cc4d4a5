import { lazyWithPreload } from '../shared/frame/lazyWithPreload.tsx'
import { Lookup } from '../shared/lookup/Lookup.tsx'
import { Skeleton } from '../shared/lookup/Skeleton.tsx'

const PastDownline = lazyWithPreload(() => import('../features/referrals/PastDownline.tsx'))
const ReferralsView = lazyWithPreload(() => import('../features/referrals/ReferralsView.tsx'))

export default function ReferralsPage() {
  return (
    <Lookup name="referrals" skeleton={<Skeleton />} preload={ReferralsView.preload} past={PastDownline}>
      {(address, community) => <ReferralsView address={address} community={community} />}
    </Lookup>
  )
}
