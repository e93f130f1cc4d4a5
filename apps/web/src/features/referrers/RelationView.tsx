import type { Address, Community, Relation } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { useFormat } from '../../lib/useFormat.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { shorten } from '../../shared/address/parseAddress.ts'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AsOfBlock } from '../../shared/lookup/AsOfBlock.tsx'
import { FactList } from '../../shared/lookup/FactList.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { useRelation } from './query.ts'
import { RelationLine } from './RelationLine.tsx'

type Props = { a: Address; b: Address; community: Community }

/** Shows how two members are related, and the line between them. */
export function RelationView({ a, b, community }: Props) {
  const query = useRelation(community.id, a, b)
  if (query.error?.code === 'member_not_found')
    return <NotMember address={query.error.problem?.parameter === 'b' ? b : a} />
  return (
    <Answer query={query} skeleton={<Skeleton />}>
      {(relation) => (
        <>
          <Verdict relation={relation} />
          {(relation.relation === 'above' || relation.relation === 'below' || relation.relation === 'sideways') && (
            // Mounts the line anew when it changes.
            <RelationLine key={`${relation.stepsA} ${relation.stepsB}`} relation={relation} community={community} />
          )}
          <AsOfBlock asOf={relation.asOf} />
        </>
      )}
    </Answer>
  )
}

function Verdict({ relation: { relation, common, stepsA, stepsB, a, b } }: { relation: Relation }) {
  const { t } = useLazyTranslation('relation')
  const format = useFormat()
  const steps = (stepsA ?? 0) + (stepsB ?? 0)
  const facts = [
    { name: 'A', address: a, steps: stepsA },
    { name: 'B', address: b, steps: stepsB },
  ]
  return (
    <>
      <Said role="status">{t(relation, { count: steps, steps: format.count(steps) })}</Said>
      <Facts>
        {common && relation !== 'same' && (
          <div>
            <dt>{t('common')}</dt>
            <dd>
              <AddressText address={common} />
            </dd>
          </div>
        )}
        {relation === 'sideways' &&
          facts.map(({ name, steps }) => (
            <div key={name}>
              <dt>{t('steps', { name })}</dt>
              <dd>{t('generations', { count: steps ?? 0, number: format.count(steps ?? 0) })}</dd>
            </div>
          ))}
      </Facts>
    </>
  )
}

function NotMember({ address }: { address: Address }) {
  const { t } = useLazyTranslation('relation')
  return (
    <section role="alert">
      <Said>{t('notMember', { address: shorten(address) })}</Said>
      <Quiet>{t('notMember.text')}</Quiet>
    </section>
  )
}

const Said = styled('p')({ margin: '28px 0 12px', fontSize: '1.375rem', lineHeight: 1.4, fontWeight: 500 })
const Quiet = styled('p')(({ theme }) => ({ margin: 0, color: theme.vars?.palette.text.secondary }))
const Facts = styled(FactList)({ maxWidth: 560, '& > div:last-of-type': { borderBottom: 0 } })
