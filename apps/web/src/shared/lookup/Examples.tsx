import { styled } from '@mui/material/styles'
import { useConfig } from '../../lib/api.ts'
import type { LookupName } from '../../paths.ts'
import { lazyPart } from '../frame/ErrorBoundary.tsx'
import { useChosenCommunity, useCommunities } from './useCommunity.ts'

const ExampleMembers = lazyPart(() => import('./ExampleMembers.tsx'))

/** Offers example members to look up, in the demo. */
export function Examples({ name }: { name: LookupName }) {
  const { data: config } = useConfig()
  const community = useChosenCommunity(useCommunities().data?.items)
  if (!config?.demo || community?.status !== 'ready') return null
  return (
    <Place>
      <ExampleMembers community={community} name={name} />
    </Place>
  )
}

/** Reserves the height of the members, which load later. */
const Place = styled('div')({ marginTop: 40, minHeight: 216 })
