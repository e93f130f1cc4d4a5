import type { Community, CommunityFileId, MemberMetrics } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { Quiet, TextButton } from '../../shared/frame/controls.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { MoreRow } from '../../shared/lookup/NextPage.tsx'
import { RowsTable } from '../../shared/lookup/RowsTable.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { useRoots } from './query.ts'

const files = [
  ['members', 'membersCsv', 'membersParquet'],
  ['events', 'eventsCsv', 'eventsParquet'],
  ['series', 'seriesCsv', 'seriesParquet'],
  ['roots', 'rootsCsv'],
] as const satisfies readonly (readonly [string, ...CommunityFileId[]])[]

/** Links to the files of the whole community, and lists its roots on request. */
export function Downloads({ metrics, community }: { metrics: MemberMetrics; community: Community }) {
  const { t } = useLazyTranslation('status')
  const format = useFormat()
  const api = useApi()
  const [view, setView] = useState<'files' | 'roots'>('files')
  const counts = { members: metrics.members, roots: metrics.roots, events: undefined, series: metrics.series.length }
  const urlOf = (id: CommunityFileId) => {
    const { timeZone } = format
    return id === 'membersParquet' || id === 'eventsParquet'
      ? api.fileUrl(id, community.id)
      : api.fileUrl(id, community.id, { tz: timeZone })
  }
  return (
    <Section title={t('files.title')}>
      <Quiet>{t('files.text')}</Quiet>
      <Files>
        {files.map(([name, ...ids]) => (
          <li key={name}>
            <span>{t(`files.${name}`)}</span>
            <span>{counts[name] !== undefined && format.count(counts[name])}</span>
            {ids.map((id) => {
              const type = id.endsWith('Csv') ? 'CSV' : 'Parquet'
              return (
                <a key={id} href={urlOf(id)} download aria-label={`${t(`files.${name}`)} ${type}`}>
                  {type}
                </a>
              )
            })}
          </li>
        ))}
      </Files>
      {view === 'roots' ? (
        <Roots community={community} />
      ) : (
        <TextButton type="button" onClick={() => setView('roots')}>
          {t('files.listRoots')}
        </TextButton>
      )}
    </Section>
  )
}

const Files = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: '12px 0',
  padding: 0,
  maxWidth: 520,
  '& li': {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto 56px 72px',
    alignItems: 'center',
    gap: 12,
    minHeight: 44,
    borderTop: `1px solid ${theme.vars?.palette.divider}`,
  },
  '& li > span + span': { color: theme.vars?.palette.text.secondary, fontVariantNumeric: 'tabular-nums' },
  '& a': { lineHeight: '44px', textAlign: 'right', color: theme.vars?.palette.primary.main },
  '@media print': { display: 'none' },
}))

function Roots({ community }: { community: Community }) {
  const { t } = useTranslation()
  const { t: own } = useLazyTranslation('status')
  const format = useFormat()
  const query = useRoots(community.id)
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Answer query={query} skeleton={<Skeleton rows={6} />}>
      {() => (
        <>
          <RowsTable
            caption={own('files.roots')}
            columns={[
              { key: 'address', label: t('field.label') },
              { key: 'directs', label: t('member.directs'), align: 'end' },
              { key: 'team', label: t('member.team'), align: 'end' },
            ]}
            rows={items.map(({ address, directs, team }) => ({
              key: address,
              cells: {
                address: <AddressText address={address} />,
                directs: format.count(directs),
                team: format.count(team),
              },
            }))}
          />
          <MoreRow
            query={query}
            texts={{
              more: own('dirty.more'),
              failed: own('files.failed'),
              shown: own('files.shown', { number: format.count(items.length) }),
            }}
          />
        </>
      )}
    </Answer>
  )
}
