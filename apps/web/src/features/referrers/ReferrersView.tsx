import type { Address, Community } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AsOf } from '../../shared/lookup/AsOf.tsx'
import { useMember } from '../../shared/lookup/queries.ts'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Subject } from '../../shared/lookup/Subject.tsx'
import { LineSection } from './LineSection.tsx'
import { useReferrers } from './query.ts'

/** The line from a member up to its root. */
export default function ReferrersView({ address, community }: { address: Address; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const query = useMember(community.id, address)
  // Asked together with the member.
  useReferrers(community.id, address, 0)
  useFreshLine([community.id, 'referrers', address], query.data?.depth)
  return (
    <Answer query={query} skeleton={<Skeleton />}>
      {(member) => (
        <>
          <Subject address={member.address}>
            {member.depth === 0
              ? t('member.root')
              : t('referrers.summary', { count: member.depth, number: format.count(member.depth) })}
          </Subject>
          {member.depth === 0 ? (
            <Empty>{t('referrers.none')}</Empty>
          ) : (
            // What was checked was another line.
            <LineSection key={member.depth} member={member} community={community} />
          )}
          <AsOf asOf={member.asOf} />
        </>
      )}
    </Answer>
  )
}

/** A root that binds, or a re-bind somewhere above, makes another line of it. */
function useFreshLine(key: readonly string[], depth: number | undefined) {
  const queries = useQueryClient()
  const before = useRef(depth)
  useEffect(() => {
    if (before.current !== undefined && before.current !== depth)
      void queries.invalidateQueries({ queryKey: [...key], refetchType: 'all' })
    before.current = depth
  })
}

const Empty = styled('p')(({ theme }) => ({ margin: '40px 0', color: theme.vars?.palette.text.secondary }))
