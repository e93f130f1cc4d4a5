import type { Address, Community } from '@lineage/referral-api'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { type Column, RowsTable } from '../../shared/lookup/RowsTable.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { type Sort, useReferrals } from './query.ts'
import type { View } from './useView.ts'

type Props = {
  address: Address
  community: Community
  view: Extract<View, { kind: 'table' }>
  onSort: (changes: { sort: Sort; order: 'asc' | 'desc' }) => void
}

/** One level, or the whole downline, in an order, page after page. */
export function ReferralsTable({ address, community, view, onSort }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const query = useReferrals(community.id, address, { ...view, limit: 50 })
  const token = community.tokens.volume

  const sortable = (key: Sort, label: string): Column => {
    const column: Column = { key, label, align: 'end' }
    if (view.level === 'all' && key !== 'joined') return column
    const isSorted = view.sort === key
    return {
      ...column,
      ...(isSorted && { sorted: view.order === 'asc' ? ('ascending' as const) : ('descending' as const) }),
      onSort: () => onSort({ sort: key, order: isSorted && view.order === 'desc' ? 'asc' : 'desc' }),
    }
  }
  return (
    <Answer query={query} skeleton={<Skeleton rows={8} />}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items)
        return (
          <>
            <RowsTable
              caption={view.level === 'all' ? t('referrals.all') : t('level', { level: view.level })}
              columns={[
                { key: 'address', label: t('row.address') },
                ...(view.level === 'all' ? [{ key: 'level', label: t('levels.level'), align: 'end' as const }] : []),
                { key: 'directs', label: t('member.directs'), align: 'end' },
                sortable('team', t('member.team')),
                ...(token
                  ? [
                      {
                        ...sortable('volume', `${t('member.teamVolume')} (${token.symbol})`),
                        short: t('levels.volume'),
                      },
                    ]
                  : []),
                { ...sortable('joined', t('row.joined')), place: 'besideName' },
              ]}
              rows={items.map((item) => ({
                key: item.address,
                cells: {
                  address: <AddressText address={item.address} />,
                  level: format.count(item.level),
                  directs: format.count(item.directs),
                  team: format.count(item.team),
                  ...(token && {
                    volume: (
                      <span title={format.amountWithUnit(item.teamVolume, token, 'exact')}>
                        {format.amount(item.teamVolume, token)}
                      </span>
                    ),
                  }),
                  joined:
                    item.joinedAt === null ? (
                      '–'
                    ) : (
                      <time title={format.moment(item.joinedAt)}>{format.day(item.joinedAt)}</time>
                    ),
                },
              }))}
            />
            {items.length === 0 && <Empty>{t('referrals.emptyLevel')}</Empty>}
            {query.hasNextPage && (
              <Foot>
                <Button
                  variant="outlined"
                  onClick={() => void query.fetchNextPage()}
                  disabled={query.isFetchingNextPage}
                >
                  {t(query.isFetchingNextPage ? 'loading' : 'referrals.more')}
                </Button>
              </Foot>
            )}
          </>
        )
      }}
    </Answer>
  )
}

const Foot = styled('div')(({ theme }) => ({ paddingTop: 20, borderTop: `1px solid ${theme.vars?.palette.divider}` }))
const Empty = styled('p')(({ theme }) => ({ color: theme.vars?.palette.text.secondary }))
