import { lazyPart } from '../shared/frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../shared/frame/lazyWithPreload.tsx'
import { Examples } from '../shared/lookup/Examples.tsx'
import { toFailure, useLastError } from '../shared/lookup/failure.ts'
import { Lookup } from '../shared/lookup/Lookup.tsx'
import { Skeleton } from '../shared/lookup/Skeleton.tsx'
import { CommunityContext, useChosenCommunity, useCommunities } from '../shared/lookup/useCommunity.ts'

const PastMember = lazyWithPreload(() => import('../features/community/PastMember.tsx'))
const MemberView = lazyWithPreload(() => import('../features/community/MemberView.tsx'))

export default function CommunityPage() {
  return (
    <Lookup
      name="community"
      skeleton={<Skeleton />}
      idle={<StartView />}
      preload={MemberView.preload}
      past={PastMember}
    >
      {(address, community) => <MemberView address={address} community={community} />}
    </Lookup>
  )
}

const StartFigure = lazyPart(() => import('../features/community/StartFigure.tsx'))
const IndexingView = lazyPart(() => import('../shared/lookup/IndexingView.tsx'))
const WithheldView = lazyPart(() => import('../shared/lookup/WithheldView.tsx'))

/** Shows example members and the state of the community before an address is entered. */
function StartView() {
  const communities = useCommunities()
  const { data } = communities
  const error = useLastError(communities)
  const community = useChosenCommunity(data?.items)
  const failure = error && !data ? toFailure(error) : undefined
  return (
    <>
      <StartFigure />
      {failure?.kind === 'indexing' && <IndexingView progress={failure.progress} />}
      <Examples name="community" />
      {community?.status === 'withheld' && (
        <CommunityContext value={community}>
          <WithheldView />
        </CommunityContext>
      )}
    </>
  )
}
