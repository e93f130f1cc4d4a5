import type { Community, Relation } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { AsOfBlock } from '../../shared/lookup/AsOfBlock.tsx'
import { FactList } from '../../shared/lookup/FactList.tsx'
import { PairLink, PairPage, RelationSentence } from './PairPage.tsx'
import { RelationLine } from './RelationLine.tsx'

/** Looks up how two addresses are related; both are in the URL. */
export default function RelationPage() {
  const { t } = useLazyTranslation('relation')
  const { t: dispute } = useLazyTranslation('dispute')
  return (
    <PairPage title={t('title')} hint={t('hint')}>
      {(relation, asOf, community) => (
        <>
          <Verdict relation={relation} community={community} {...(asOf !== undefined && { asOf })} />
          <PairLink view="dispute" text={dispute('title')} />
          {asOf === undefined && <AsOfBlock asOf={relation.asOf} past="open" />}
        </>
      )}
    </PairPage>
  )
}

type VerdictProps = { relation: Relation; community: Community; asOf?: string }

/** Says how two members are related, and shows the line between them. */
function Verdict({ relation: answer, ...props }: VerdictProps) {
  const { relation, common, stepsA, stepsB } = answer
  const { t } = useLazyTranslation('relation')
  const format = useFormat()
  return (
    <>
      <RelationSentence of={answer} />
      <Facts>
        <FactList
          rows={[
            common !== null && relation !== 'same' && [t('common'), <AddressText key="common" address={common} />],
            ...(relation === 'sideways'
              ? ([
                  ['A', stepsA ?? 0],
                  ['B', stepsB ?? 0],
                ] as const)
              : []
            ).map(
              ([name, steps]) =>
                [t('steps', { name }), t('generations', { count: steps, number: format.count(steps) })] as const,
            ),
          ]}
        />
      </Facts>
      {relation !== 'same' && relation !== 'unrelated' && (
        // Mounts the line anew when it changes.
        <RelationLine key={`${stepsA} ${stepsB}`} relation={answer} {...props} />
      )}
    </>
  )
}

const Facts = styled('div')({ maxWidth: 560, '& dl > div:last-of-type': { borderBottom: 0 } })
