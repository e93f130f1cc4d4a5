import type { ComponentType } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { AddressHeader } from '../lookup/AddressHeader.tsx'
import { Skeleton } from '../lookup/Skeleton.tsx'
import { PastAnswer } from './PastAnswer.tsx'
import { type PastPartProps, type PastProps, toFixedMoment, usePastMember } from './queries.ts'

/** Shows an address at the end of a day or at a block, and below it the part of the page. */
export default function PastView({ Part, ...props }: PastProps & { Part: ComponentType<PastPartProps> }) {
  const { address, community, asOf } = props
  const { t } = useLazyTranslation('history')
  const { t: common } = useTranslation()
  const format = useFormat()
  const query = usePastMember(community.id, address, asOf)
  const team = query.data && `${common('member.team')} ${format.count(query.data.team)}`
  return (
    <>
      {/* The figures of a day that has not ended change: a link to its block keeps them. */}
      <AddressHeader
        address={address}
        moment={query.data && toFixedMoment(asOf, query.data)}
        summary={query.isError ? '' : team}
      >
        {null}
      </AddressHeader>
      <PastAnswer asOf={asOf} query={query} skeleton={<Skeleton rows={6} />} note={t('past.amounts')}>
        {(member) => <Part {...props} asOf={toFixedMoment(asOf, member)} member={member} />}
      </PastAnswer>
    </>
  )
}
