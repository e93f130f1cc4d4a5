import type { Community, Events, Metrics } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { phone } from '../../lib/theme.ts'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { BindsTable } from './BindsTable.tsx'
import { latestBindsShown, type PastMoment, useLatestBinds, usePastBinds } from './query.ts'

/** Lists the latest binds at a past moment. */
export function PastBinds({ community, metrics }: { community: Community; metrics: Metrics & PastMoment }) {
  const { t } = useTranslation()
  const query = usePastBinds(community.id, metrics)
  return (
    <Section title={t('newest.title')}>
      <Place>
        <Answer query={query} skeleton={<Skeleton rows={latestBindsShown} />}>
          {({ items }) => <BindsTable caption={t('newest.title')} items={items} time={{ form: 'day' }} />}
        </Answer>
      </Place>
    </Section>
  )
}

/** Lists the latest binds; new ones appear without a reload. */
export function LatestBinds({ community }: { community: Community }) {
  const { t } = useTranslation()
  const query = useLatestBinds(community.id)
  return (
    <Section title={t('newest.title')}>
      <Place>
        <Answer query={query} skeleton={<Skeleton rows={latestBindsShown} />}>
          {(events) => <Rows events={events} />}
        </Answer>
      </Place>
    </Section>
  )
}

function Rows({ events: { items, asOf } }: { events: Events }) {
  const { t } = useTranslation()
  const [opened] = useState(asOf.block)
  const time = { form: 'ago', now: asOf.timestamp } as const
  return <BindsTable caption={t('newest.title')} items={items} time={time} newAfter={opened} />
}

// Reserves the height of the rows, so that the layout does not shift.
const Place = styled('div')({ minHeight: 36 + 49 * latestBindsShown, [phone]: { minHeight: 95 * latestBindsShown } })
