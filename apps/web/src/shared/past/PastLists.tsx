import type { PastMember, PastReferrers } from '@lineage/referral-api'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { withChanges } from '../../paths.ts'
import { AddressText } from '../address/AddressText.tsx'
import { Quiet } from '../frame/controls.tsx'
import { RadioRow } from '../frame/RadioRow.tsx'
import { Answer } from '../lookup/Answer.tsx'
import { MoreRow } from '../lookup/NextPage.tsx'
import { RowsTable } from '../lookup/RowsTable.tsx'
import { Section } from '../lookup/Section.tsx'
import { Skeleton } from '../lookup/Skeleton.tsx'
import { Joined } from '../lookup/Time.tsx'
import { type PastProps, type PastSort, usePastDirects, usePastUpline } from './queries.ts'

type Props = PastProps & { member: PastMember }
/** A row of either list; only directs have a team. */
type Item = PastReferrers['items'][number] & { team?: number }

/** Lists the directs that an address had, by join time or team; the order is in the URL. */
export function PastDirects({ community, address, asOf, member }: Props) {
  const { t } = useLazyTranslation('history')
  const [parameters, setParameters] = useSearchParams()
  const sort: PastSort = parameters.get('sort') === 'team' ? 'team' : 'joined'
  const query = usePastDirects(community.id, address, asOf, sort)
  const choose = (chosen: PastSort) =>
    setParameters((current) => withChanges(current, { sort: chosen }), { replace: true })
  return (
    <Section
      title={t('past.directs')}
      aside={
        <RadioRow
          label={t('past.order')}
          value={sort}
          options={[
            ['joined', t('past.joined')],
            ['team', t('past.team')],
          ]}
          onChange={choose}
        />
      }
    >
      {member.directs === 0 ? (
        <Quiet>{t('past.noDirects')}</Quiet>
      ) : query.error?.code === 'too_costly' ? (
        <Quiet role="alert">{t('past.costly')}</Quiet>
      ) : (
        <People query={query} caption={t('past.directs')} figure="team" />
      )}
    </Section>
  )
}

/** Lists the referrers above an address at a past moment, up to the root. */
export function PastUpline({ community, address, asOf, member }: Props) {
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
}

function People({ query, caption, figure }: PeopleProps): ReactNode {
  const { t } = useLazyTranslation('history')
  const { t: search } = useLazyTranslation('search')
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
              { key: 'figure', label: figure === 'team' ? common('member.team') : search('depth'), align: 'end' },
              { key: 'directs', label: common('member.directs'), align: 'end' },
              { key: 'joined', label: common('row.joined'), align: 'end' },
            ]}
            rows={items.map((item) => ({
              key: item.address,
              cells: {
                address: <AddressText address={item.address} />,
                figure: format.count(item[figure] ?? 0),
                directs: format.count(item.directs),
                joined: <Joined of={item} form="day" />,
              },
            }))}
          />
          <MoreRow
            query={query}
            hasMore={query.hasNextPage}
            onMore={() => void query.fetchNextPage()}
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
