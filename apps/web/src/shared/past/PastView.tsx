import { useLazyTranslation } from '../../lib/i18n.ts'
import type { LookupName } from '../../paths.ts'
import { AddressHeader } from '../lookup/AddressHeader.tsx'
import { Skeleton } from '../lookup/Skeleton.tsx'
import { PastAnswer } from './PastAnswer.tsx'
import { PastCard } from './PastCard.tsx'
import { PastDirects, PastUpline } from './PastLists.tsx'
import { type PastProps, toFixedMoment, usePastMember } from './queries.ts'

/** Shows an address at the end of a day or at a block. The lookup decides which part is shown. */
export default function PastView({ name, ...props }: PastProps & { name: LookupName }) {
  const { address, community, asOf } = props
  const { t } = useLazyTranslation('history')
  const query = usePastMember(community.id, address, asOf)
  const Part = name === 'referrals' ? PastDirects : name === 'referrers' ? PastUpline : PastCard
  return (
    <>
      {/* The figures of a day that has not ended change: a link to its block keeps them. */}
      <AddressHeader address={address} moment={query.data && toFixedMoment(asOf, query.data)}>
        {null}
      </AddressHeader>
      <PastAnswer asOf={asOf} query={query} skeleton={<Skeleton rows={6} />} note={t('past.amounts')}>
        {(member) => <Part {...props} asOf={toFixedMoment(asOf, member)} member={member} />}
      </PastAnswer>
    </>
  )
}
