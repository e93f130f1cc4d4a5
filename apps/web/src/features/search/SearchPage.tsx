import { Lookup } from '../../shared/lookup/Lookup.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { AddressView } from './AddressView.tsx'
import { Suggestions } from './Suggestions.tsx'

export function SearchPage() {
  return (
    <Lookup name="search" skeleton={<Skeleton rows={5} />} suggestions={(prefix) => <Suggestions prefix={prefix} />}>
      {(address, community) => <AddressView address={address} community={community} />}
    </Lookup>
  )
}
