import { lazy } from 'react'
import { Lookup } from '../../shared/lookup/Lookup.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Opening } from './Opening.tsx'

const load = () => import('./MemberView.tsx')
const MemberView = lazy(load)

export function CommunityPage() {
  return (
    <Lookup name="community" skeleton={<Skeleton />} idle={<Opening />} preload={load}>
      {(address, community) => <MemberView address={address} community={community} />}
    </Lookup>
  )
}
