import { Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { LazyBoundary } from '../../shared/frame/LazyBoundary.tsx'
import { lazyWithPreload } from '../../shared/frame/lazyWithPreload.tsx'
import { Lookup } from '../../shared/lookup/Lookup.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'

const AddressView = lazyWithPreload(() => import('./AddressView.tsx'))
const LabelsList = lazyWithPreload(() => import('./LabelsList.tsx'))
const ListLink = lazyWithPreload(() => import('./ListLink.tsx'))
const ListPage = lazyWithPreload(() => import('./ListPage.tsx'))
const Suggestions = lazyWithPreload(() => import('./Suggestions.tsx'))

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
        <LazyBoundary>
          <ListLink />
          <LabelsList />
        </LazyBoundary>
      }
    >
      {(address, community) => <AddressView address={address} community={community} />}
    </Lookup>
  )
}
