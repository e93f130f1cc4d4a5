import { lazy } from 'react'
import { Lookup } from '../../shared/lookup/Lookup.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'

const load = () => import('./ReferralsView.tsx')
const ReferralsView = lazy(load)

export function ReferralsPage() {
  return (
    <Lookup name="referrals" skeleton={<Skeleton />} preload={load}>
      {(address, community) => <ReferralsView address={address} community={community} />}
    </Lookup>
  )
}
