import { lazyWithPreload } from '../../shared/frame/lazyWithPreload.tsx'
import { Lookup } from '../../shared/lookup/Lookup.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { StartView } from './StartView.tsx'

const MemberView = lazyWithPreload(() => import('./MemberView.tsx'))

export function CommunityPage() {
  return (
    <Lookup name="community" skeleton={<Skeleton />} idle={<StartView />} preload={MemberView.preload}>
      {(address, community) => <MemberView address={address} community={community} />}
    </Lookup>
  )
}
