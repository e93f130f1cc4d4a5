import type { Address, Community, Member } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { AddressHeader } from '../../shared/lookup/AddressHeader.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AsOfBlock } from '../../shared/lookup/AsOfBlock.tsx'
import { useMember } from '../../shared/lookup/queries.ts'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { useReferrers } from './query.ts'
import { UplineView } from './UplineView.tsx'

/** Shows a member's upline. */
export default function ReferrersView({ address, community }: { address: Address; community: Community }) {
  const { t } = useTranslation()
  const query = useMember(community.id, address)
  // Load the first page together with the member.
  useReferrers(community.id, address, 0)
  useReloadOnMove([community.id, 'referrers', address], query.data && placeOf(query.data))
  return (
    <Answer query={query} skeleton={<Skeleton />}>
      {(member) =>
        member.depth === 0 ? (
          <>
            <AddressHeader address={member.address} summary={t('member.root')}>
              <span>{t('member.root')}</span>
            </AddressHeader>
            <Empty>{t('referrers.none')}</Empty>
            <AsOfBlock asOf={member.asOf} past="open" />
          </>
        ) : (
          // Reset the check when the member has moved.
          <UplineView key={placeOf(member)} member={member} community={community} />
        )
      }
    </Answer>
  )
}

/** Returns the place of a member in the community, as text. */
const placeOf = ({ depth, referrer, root }: Member): string => `${depth} ${referrer} ${root}`

/** Reloads the upline when the member has moved: it re-bound, or a member above did. */
function useReloadOnMove(key: readonly string[], place: string | undefined) {
  const queryClient = useQueryClient()
  const before = useRef(place)
  useEffect(() => {
    if (before.current !== undefined && before.current !== place)
      void queryClient.invalidateQueries({ queryKey: [...key], refetchType: 'all' })
    before.current = place
  })
}

const Empty = styled('p')(({ theme }) => ({ margin: '40px 0', color: theme.vars?.palette.text.secondary }))
