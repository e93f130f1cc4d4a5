import type { Community, PastRelation, Relation } from '@lineage/referral-api'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { withChanges } from '../../paths.ts'
import { AsOfBlock } from '../../shared/lookup/AsOfBlock.tsx'
import { useMoment } from '../../shared/past/useMoment.ts'
import { DaysForm } from '../../shared/period/DaysForm.tsx'
import { lastDays, usePeriod } from '../../shared/period/queries.ts'
import { DisputeSheet } from './DisputeSheet.tsx'
import { OtherView, PairLink, PairPage, RelationSentence } from './PairPage.tsx'

/** Shows the binds of two members' teams in a period side by side, those that did not count first. */
export default function DisputePage() {
  const { t } = useLazyTranslation('dispute')
  const { t: other } = useLazyTranslation('relation')
  return (
    <PairPage title={t('title')} hint={t('hint')}>
      {(relation, asOf, community) => (
        <>
          <RelationSentence of={relation} />
          <Opened relation={relation} asOf={asOf} community={community} />
          <PairLink view="relation" text={other('title')} />
        </>
      )}
    </PairPage>
  )
}

type OpenedProps = { relation: Relation | PastRelation; asOf: string | undefined; community: Community }

/** Keeps the block at which the sheet was opened, so that all of it is of one block. */
function Opened({ relation, asOf: past, community }: OpenedProps) {
  const { t } = useLazyTranslation('dispute')
  const format = useFormat()
  const [parameters] = useSearchParams()
  const period = usePeriod()
  const { dayOf, timeZone: tz } = format.calendar
  const [opened] = useState(relation.asOf)
  const moment = useMoment('at' in relation ? relation.at : undefined, opened)
  const days = period ?? lastDays(dayOf(moment?.timestamp ?? opened.timestamp), 30)
  const asOf = past ?? String(opened.block)
  const pinned = { asOf, dayFrom: days.from, dayTo: days.to, tz }
  const { a, b } = relation
  return (
    <>
      <DaysForm days={days} now={relation.asOf.timestamp} act={t('act')} />
      <DisputeSheet key={`${asOf} ${days.from} ${days.to} ${tz}`} period={{ a, b, asOf, days }} community={community} />
      {past === undefined && (
        <>
          <OtherView to={`?${withChanges(parameters, pinned)}`}>
            {t('pin', { block: format.count(opened.block) })}
          </OtherView>
          <AsOfBlock asOf={opened} past="open" pinned={pinned} />
        </>
      )}
    </>
  )
}
