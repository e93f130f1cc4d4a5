import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Later } from '../../shared/frame/Later.tsx'
import { lazily } from '../../shared/frame/lazily.tsx'
import { Lookup } from '../../shared/lookup/Lookup.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'

const AddressView = lazily(() => import('./AddressView.tsx'))
const LabelsList = lazy(() => import('./LabelsList.tsx'))
const ListLink = lazy(() => import('./ListLink.tsx'))
const ListPage = lazy(() => import('./ListPage.tsx'))
const Suggestions = lazy(() => import('./Suggestions.tsx'))

export function SearchPage() {
  const [parameters] = useSearchParams()
  if (parameters.get('view') === 'list' && !parameters.has('address'))
    return (
      <Suspense fallback={<Skeleton rows={8} />}>
        <ListPage />
      </Suspense>
    )
  return (
    <Lookup
      name="search"
      skeleton={<Skeleton rows={5} />}
      preload={AddressView.preload}
      suggestions={(props) => <Suggestions {...props} />}
      idle={
        <Later>
          <ListLink />
          <LabelsList />
        </Later>
      }
    >
      {(address, community) => <AddressView address={address} community={community} />}
    </Lookup>
  )
}
