import { lazily } from '../../shared/frame/lazily.tsx'
import { Lookup } from '../../shared/lookup/Lookup.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Opening } from './Opening.tsx'

const MemberView = lazily(() => import('./MemberView.tsx'))

export function CommunityPage() {
  return (
    <Lookup name="community" skeleton={<Skeleton />} idle={<Opening />} preload={MemberView.preload}>
      {(address, community) => <MemberView address={address} community={community} />}
    </Lookup>
  )
}
