import { useSearchParams } from 'react-router-dom'
import { Part } from '../lib/takeOver.tsx'
import { lazyPart } from '../shared/frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../shared/frame/lazyWithPreload.tsx'
import { Lookup } from '../shared/lookup/Lookup.tsx'
import { Skeleton } from '../shared/lookup/Skeleton.tsx'

const AddressView = lazyWithPreload(() => import('../features/search/AddressView.tsx'))
const SearchStart = lazyPart(() => import('../features/search/SearchStart.tsx'))
const ListPage = lazyWithPreload(() => import('../features/search/ListPage.tsx'))
const Suggestions = lazyWithPreload(() => import('../features/search/Suggestions.tsx'))

export default function SearchPage() {
  const [parameters] = useSearchParams()
  if (parameters.get('view') === 'list' && !parameters.has('address'))
    return (
      <Part fallback={<Skeleton rows={8} />}>
        <ListPage />
      </Part>
    )
  return (
    <Lookup
      name="search"
      skeleton={<Skeleton rows={5} />}
      preload={AddressView.preload}
      suggestions={(props) => <Suggestions {...props} />}
      idle={<SearchStart />}
    >
      {(address, community) => <AddressView address={address} community={community} />}
    </Lookup>
  )
}
