import { styled } from '@mui/material/styles'
import { useConfig } from '../../lib/api.ts'
import type { LookupName } from '../../paths.ts'
import { LazyBoundary } from '../frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../frame/lazyWithPreload.tsx'
import { useChosenCommunity, useCommunities } from './useCommunity.ts'

const ExampleMembers = lazyWithPreload(() => import('./ExampleMembers.tsx'))

/** Offers example members to look up, in the demo. */
export function Examples({ name }: { name: LookupName }) {
  const { data: config } = useConfig()
  const community = useChosenCommunity(useCommunities().data?.items)
  if (!config?.demo || community?.status !== 'ready') return null
  return (
    <Place>
      <LazyBoundary>
        <ExampleMembers community={community} name={name} />
      </LazyBoundary>
    </Place>
  )
}

/** Reserves the height of the members, which load later. */
const Place = styled('div')({ marginTop: 40, minHeight: 216 })
