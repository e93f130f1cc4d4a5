import type { Community, Events } from '@lineage/referral-api'
import { keyframes, styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { phone } from '../../lib/theme.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { isSentinel } from '../../shared/address/parseAddress.ts'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { RowsTable } from '../../shared/lookup/RowsTable.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Joined } from '../../shared/lookup/Time.tsx'
import { latestBindsShown, useLatestBinds } from './query.ts'

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
  // Binds after the first answer are highlighted as new.
  const [opened] = useState(asOf.block)
  return (
    <RowsTable
      caption={t('newest.title')}
      columns={[
        { key: 'address', label: t('metrics.member') },
        { key: 'referrer', label: t('strip.referrer'), align: 'end' },
        { key: 'status', label: t('newest.status'), align: 'end', place: 'besideName' },
        { key: 'time', label: t('newest.time'), align: 'end' },
      ]}
      rows={items.map(({ address, referrer, status, block, logIndex, timestamp, grade }) => ({
        key: `${block} ${logIndex}`,
        cells: {
          address: (
            <Member data-new={block > opened}>
              <AddressText address={address} />
            </Member>
          ),
          referrer: isSentinel(referrer) ? t('strip.root') : <AddressText address={referrer} />,
          status: status === 'bound' ? t('newest.bound') : <Irregular>{t(`newest.${status}`)}</Irregular>,
          time: <Joined of={{ joinedAt: timestamp, grade }} form="ago" now={asOf.timestamp} />,
        },
      }))}
    />
  )
}

// Reserves the height of the rows, so that the layout does not shift.
const Place = styled('div')({ minHeight: 36 + 49 * latestBindsShown, [phone]: { minHeight: 95 * latestBindsShown } })
const Irregular = styled('span')(({ theme }) => ({ color: theme.vars?.palette.warning.main }))
const arrive = keyframes({ from: { opacity: 0.2 }, to: { opacity: 1 } })
const Member = styled('span')({
  '@media (prefers-reduced-motion: no-preference)': { '&[data-new="true"]': { animation: `${arrive} 480ms ease-out` } },
})
