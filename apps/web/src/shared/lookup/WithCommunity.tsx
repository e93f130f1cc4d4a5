import type { Community } from '@lineage/referral-api'
import type { ReactNode } from 'react'
import { Answer } from './Answer.tsx'
import { FailureView } from './FailureView.tsx'
import { CommunityContext, useChosenCommunity, useCommunities } from './useCommunity.ts'

type Props = { skeleton: ReactNode; children: (community: Community) => ReactNode }

/** Loads the communities and provides the chosen one. */
export function WithCommunity({ skeleton, children }: Props) {
  const query = useCommunities()
  const community = useChosenCommunity(query.data?.items)
  return (
    <Answer query={query} skeleton={skeleton}>
      {() =>
        community ? (
          <CommunityContext value={community}>{children(community)}</CommunityContext>
        ) : (
          <FailureView failure={{ kind: 'noCommunity' }} onRetry={() => void query.refetch()} isRetrying={false} />
        )
      }
    </Answer>
  )
}
