import type { Address, Community, Events } from '@lineage/referral-api'
import { keyframes, styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { phone } from '../../lib/theme.ts'
import { useFormat } from '../../lib/useFormat.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { RowsTable } from '../../shared/lookup/RowsTable.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { newestShown, useNewest } from './query.ts'

/** The latest binds, as they come. */
export function Newest({ community }: { community: Community }) {
  const { t } = useTranslation()
  const query = useNewest(community.id)
  return (
    <Section title={t('newest.title')}>
      <Place>
        <Answer query={query} skeleton={<Skeleton rows={newestShown} />}>
          {(events) => <Rows events={events} />}
        </Answer>
      </Place>
    </Section>
  )
}

function Rows({ events: { items, asOf } }: { events: Events }) {
  const { t } = useTranslation()
  const format = useFormat()
  // What came after the first answer is new on this page.
  const [opened] = useState(asOf.block)
  return (
    <RowsTable
      caption={t('newest.title')}
      columns={[
        { key: 'address', label: t('metrics.member') },
        { key: 'referrer', label: t('strip.referrer'), align: 'end' },
        { key: 'status', label: t('newest.status'), align: 'end' },
        { key: 'time', label: t('newest.time'), align: 'end' },
      ]}
      rows={items.map(({ address, referrer, status, block, logIndex, timestamp }) => ({
        key: `${block} ${logIndex}`,
        cells: {
          address: (
            <Member data-new={block > opened}>
              <AddressText address={address} />
            </Member>
          ),
          referrer: isNobody(referrer) ? t('strip.root') : <AddressText address={referrer} />,
          status: status === 'bound' ? t('newest.bound') : <Irregular>{t(`dirty.${status}`)}</Irregular>,
          time: (
            <time dateTime={new Date(timestamp * 1_000).toISOString()} title={format.moment(timestamp)}>
              {format.ago(timestamp, asOf.timestamp)}
            </time>
          ),
        },
      }))}
    />
  )
}

/** What contracts name where there is no referrer. */
const isNobody = (address: Address) => /^0x(0{40}|0{36}dead)$/i.test(address)

// As high as its rows, so that nothing moves when they come.
const Place = styled('div')({ minHeight: 36 + 49 * newestShown, [phone]: { minHeight: 84 * newestShown } })
const Irregular = styled('span')(({ theme }) => ({ color: theme.vars?.palette.warning.main }))
const arrive = keyframes({ from: { opacity: 0.2 }, to: { opacity: 1 } })
const Member = styled('span')({ '&[data-new="true"]': { animation: `${arrive} 480ms ease-out` } })
