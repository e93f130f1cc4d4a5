import { lazy } from 'react'
import { Later } from '../../shared/frame/Later.tsx'
import { Lookup } from '../../shared/lookup/Lookup.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { AddressView } from './AddressView.tsx'
import { Suggestions } from './Suggestions.tsx'

const LabelsList = lazy(() => import('./LabelsList.tsx'))

export function SearchPage() {
  return (
    <Lookup
      name="search"
      skeleton={<Skeleton rows={5} />}
      suggestions={(prefix) => <Suggestions prefix={prefix} />}
      idle={
        <Later>
          <LabelsList />
        </Later>
      }
    >
      {(address, community) => <AddressView address={address} community={community} />}
    </Lookup>
  )
}
