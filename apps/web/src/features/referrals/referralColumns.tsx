import type { Referrals, Token } from '@lineage/referral-api'
import type { ReactNode } from 'react'
import type { useTranslation } from 'react-i18next'
import type { Format } from '../../lib/format.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import type { Level, Sort } from './query.ts'

type Item = Referrals['items'][number]

export type Column = {
  key: string
  label: string
  /** Label on phones, where it is repeated before each value. */
  short?: string
  sort?: Sort
  cell: (item: Item) => ReactNode
}

type Parameters = { level: Level; token: Token | null; t: ReturnType<typeof useTranslation>['t']; format: Format }

/** Returns the columns of a downline table. */
export function referralColumns({ level, token, t, format }: Parameters): Column[] {
  const isWhole = level === 'all'
  // The whole downline can be sorted by join time only.
  const sortable = (sort: Sort) => (isWhole ? {} : { sort })
  const count = (key: 'level' | 'directs' | 'team', label: string): Column => ({
    key,
    label,
    cell: (item) => format.count(item[key]),
  })
  return [
    { key: 'address', label: t('row.address'), cell: ({ address }) => <AddressText address={address} /> },
    ...(isWhole ? [count('level', t('levels.level'))] : []),
    count('directs', t('member.directs')),
    { ...count('team', t('member.team')), ...sortable('team') },
    ...(token ? [{ ...volumeColumn(token, t, format), ...sortable('volume') }] : []),
    { key: 'joined', label: t('row.joined'), sort: 'joined', cell: (item) => joinedCell(item, format) },
  ]
}

const volumeColumn = (token: Token, t: Parameters['t'], format: Format): Column => ({
  key: 'volume',
  label: `${t('member.teamVolume')} (${token.symbol})`,
  short: t('levels.volume'),
  cell: ({ teamVolume }) => (
    <span title={format.amountWithUnit(teamVolume, token, 'exact')}>{format.amount(teamVolume, token)}</span>
  ),
})

function joinedCell({ joinedAt }: Item, format: Format): ReactNode {
  if (joinedAt === null) return '–'
  return (
    <time dateTime={new Date(joinedAt * 1_000).toISOString()} title={format.moment(joinedAt)}>
      {format.day(joinedAt)}
    </time>
  )
}
