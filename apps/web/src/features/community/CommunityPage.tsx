import { Lookup } from '../../shared/lookup/Lookup.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { MemberView } from './MemberView.tsx'
import { Opening } from './Opening.tsx'

export function CommunityPage() {
  return (
    <Lookup name="community" skeleton={<Skeleton />} idle={<Opening />}>
      {(address, community) => <MemberView address={address} community={community} />}
    </Lookup>
  )
}
