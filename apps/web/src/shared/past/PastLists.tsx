import type { PastReferrers } from '@lineage/referral-api'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { AddressText } from '../address/AddressText.tsx'
import { Quiet } from '../frame/controls.tsx'
import { Answer } from '../lookup/Answer.tsx'
import { MoreRow } from '../lookup/NextPage.tsx'
import { RowsTable } from '../lookup/RowsTable.tsx'
import { Section } from '../lookup/Section.tsx'
import { Skeleton } from '../lookup/Skeleton.tsx'
import { Joined } from '../lookup/Time.tsx'
import { type PastPartProps, usePastUpline } from './queries.ts'

/** A row of either list; only a downline has teams and levels. */
type Item = PastReferrers['items'][number] & { team?: number; level?: number }

/** Lists the referrers above an address at a past moment, up to the root. */
export function PastUpline({ community, address, asOf, member }: PastPartProps) {
  const { t } = useLazyTranslation('history')
  const query = usePastUpline(community.id, address, asOf)
  return (
    <Section title={t('past.upline')}>
      {member.referrer === null ? (
        <Quiet>{t('past.noUpline')}</Quiet>
      ) : (
        <People query={query} caption={t('past.upline')} figure="depth" />
      )}
    </Section>
  )
}

type PeopleProps = {
  query: UseInfiniteQueryResult<{ pages: { items: readonly Item[] }[] }>
  caption: string
  figure: 'team' | 'depth'
  hasLevels?: boolean
}

/** Lists members at a past moment, page by page. */
export function People({ query, caption, figure, hasLevels = false }: PeopleProps): ReactNode {
  const { t } = useLazyTranslation('history')
  const { t: ofAddress } = useLazyTranslation('address')
  const { t: common } = useTranslation()
  const format = useFormat()
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Answer query={query} skeleton={<Skeleton rows={8} />}>
      {() => (
        <div aria-busy={query.isPlaceholderData}>
          <RowsTable
            caption={caption}
            columns={[
              { key: 'address', label: common('metrics.member') },
              ...(hasLevels ? [{ key: 'level', label: common('levels.level'), align: 'end' as const }] : []),
              { key: 'figure', label: figure === 'team' ? common('member.team') : ofAddress('depth'), align: 'end' },
              { key: 'directs', label: common('member.directs'), align: 'end' },
              { key: 'joined', label: common('row.joined'), align: 'end' },
            ]}
            rows={items.map((item) => ({
              key: item.address,
              cells: {
                address: <AddressText address={item.address} />,
                ...(hasLevels && { level: format.count(item.level ?? 0) }),
                figure: format.count(item[figure] ?? 0),
                directs: format.count(item.directs),
                joined: <Joined of={item} form="day" />,
              },
            }))}
          />
          <MoreRow
            query={query}
            texts={{
              more: t('past.next'),
              failed: t('past.peopleFailed'),
              shown: t('past.shownPeople', { number: format.count(items.length) }),
            }}
          />
        </div>
      )}
    </Answer>
  )
}
