import type { Community, Events, Metrics } from '@lineage/referral-api'
import { keyframes, styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { phone } from '../../lib/theme.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { isSentinel } from '../../shared/address/parseAddress.ts'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { TimedProof } from '../../shared/lookup/BindProof.tsx'
import { RowsTable } from '../../shared/lookup/RowsTable.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { latestBindsShown, type PastMoment, useLatestBinds, usePastBinds } from './query.ts'

type Props = {
  caption: string
  items: Events['items']
  time: { form: 'day' } | { form: 'ago'; now: number }
  /** Block after which binds are highlighted as new. */
  newAfter?: number
}

/** Renders binds as a table: member, referrer, status, time and transaction. */
export function BindsTable({ caption, items, time, newAfter = Number.POSITIVE_INFINITY }: Props) {
  const { t } = useTranslation()
  return (
    <RowsTable
      caption={caption}
      columns={[
        { key: 'address', label: t('metrics.member') },
        { key: 'referrer', label: t('strip.referrer'), align: 'end' },
        { key: 'status', label: t('newest.status'), align: 'end', place: 'besideName' },
        { key: 'time', label: t('newest.time'), align: 'end' },
      ]}
      rows={items.map(({ address, referrer, status, ...bind }) => ({
        key: `${bind.block} ${bind.logIndex}`,
        cells: {
          address: (
            <Member data-new={bind.block > newAfter}>
              <AddressText address={address} />
            </Member>
          ),
          referrer: isSentinel(referrer) ? t('strip.root') : <AddressText address={referrer} />,
          status: status === 'bound' ? t('newest.bound') : <Irregular>{t(`newest.${status}`)}</Irregular>,
          time: (
            <Proof>
              <TimedProof of={bind} {...time} />
            </Proof>
          ),
        },
      }))}
    />
  )
}

// On phones the menu of the address has the transaction.
const Proof = styled('span')({
  '@media screen and (max-width: 767.95px)': { '& > * > :last-child': { display: 'none' } },
})
const Irregular = styled('span')(({ theme }) => ({ color: theme.vars?.palette.warning.main }))
const arrive = keyframes({ from: { opacity: 0.2 }, to: { opacity: 1 } })
const Member = styled('span')({
  '@media (prefers-reduced-motion: no-preference)': { '&[data-new="true"]': { animation: `${arrive} 480ms ease-out` } },
})

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
