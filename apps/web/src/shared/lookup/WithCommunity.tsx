import type { Community } from '@lineage/referral-api'
import type { ReactNode } from 'react'
import { Answer } from './Answer.tsx'
import { FailureView } from './FailureView.tsx'
import { CommunityContext, useChosenCommunity, useCommunities } from './useCommunity.ts'

type Props = { skeleton: ReactNode; children: (community: Community) => ReactNode }

/** Loads the communities and provides the chosen one, unless it is withheld. */
export function WithCommunity({ skeleton, children }: Props) {
  const query = useCommunities()
  const community = useChosenCommunity(query.data?.items)
  const fail = (kind: 'noCommunity' | 'withheld') => (
    <FailureView failure={{ kind }} onRetry={() => void query.refetch()} isRetrying={false} />
  )
  return (
    <Answer query={query} skeleton={skeleton}>
      {() =>
        community ? (
          <CommunityContext value={community}>
            {community.status === 'withheld' ? fail('withheld') : children(community)}
          </CommunityContext>
        ) : (
          fail('noCommunity')
        )
      }
    </Answer>
  )
}
