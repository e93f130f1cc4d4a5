import type { Address, Community } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { AddressHeader } from '../../shared/lookup/AddressHeader.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AsOfBlock } from '../../shared/lookup/AsOfBlock.tsx'
import { useMember } from '../../shared/lookup/queries.ts'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { useReferrers } from './query.ts'
import { UplineSection } from './UplineSection.tsx'

/** Shows a member's upline. */
export default function ReferrersView({ address, community }: { address: Address; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const query = useMember(community.id, address)
  // Load the first page together with the member.
  useReferrers(community.id, address, 0)
  useRefetchOnDepthChange([community.id, 'referrers', address], query.data?.depth)
  return (
    <Answer query={query} skeleton={<Skeleton />}>
      {(member) => (
        <>
          <AddressHeader address={member.address}>
            {member.depth === 0
              ? t('member.root')
              : t('referrers.summary', { count: member.depth, number: format.count(member.depth) })}
          </AddressHeader>
          {member.depth === 0 ? (
            <Empty>{t('referrers.none')}</Empty>
          ) : (
            // Reset the check when the upline changes.
            <UplineSection key={member.depth} member={member} community={community} />
          )}
          <AsOfBlock asOf={member.asOf} />
        </>
      )}
    </Answer>
  )
}

/** Reloads the upline when the member's depth changes: a root above has bound, or a member re-bound. */
function useRefetchOnDepthChange(key: readonly string[], depth: number | undefined) {
  const queryClient = useQueryClient()
  const before = useRef(depth)
  useEffect(() => {
    if (before.current !== undefined && before.current !== depth)
      void queryClient.invalidateQueries({ queryKey: [...key], refetchType: 'all' })
    before.current = depth
  })
}

const Empty = styled('p')(({ theme }) => ({ margin: '40px 0', color: theme.vars?.palette.text.secondary }))
