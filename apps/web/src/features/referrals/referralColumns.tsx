import type { Referrals, Token } from '@lineage/referral-api'
import type { ReactNode } from 'react'
import type { useTranslation } from 'react-i18next'
import type { Format } from '../../lib/format.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import type { Column } from '../../shared/lookup/Column.ts'
import { Time } from '../../shared/lookup/Time.tsx'
import type { Level, Sort } from './query.ts'

type Item = Referrals['items'][number]

export type ReferralColumn = Column & { sort?: Sort; cell: (item: Item) => ReactNode }

type Parameters = {
  level: Level
  isFiltered: boolean
  token: Token | null
  t: ReturnType<typeof useTranslation>['t']
  format: Format
}

/** Returns the columns of a downline table. */
export function referralColumns({ level, isFiltered, token, t, format }: Parameters): ReferralColumn[] {
  const isWhole = level === 'all'
  // Without a filter the whole downline can be sorted by join time only.
  const sortable = (sort: Sort) => (isWhole && !isFiltered ? {} : { sort })
  const count = (key: 'level' | 'directs' | 'team', label: string): ReferralColumn => ({
    key,
    label,
    align: 'end',
    cell: (item) => format.count(item[key]),
  })
  return [
    { key: 'address', label: t('field.label'), cell: ({ address }) => <AddressText address={address} /> },
    ...(isWhole ? [count('level', t('levels.level'))] : []),
    count('directs', t('member.directs')),
    { ...count('team', t('member.team')), ...sortable('team') },
    ...(token ? [{ ...volumeColumn(token, t, format), ...sortable('volume') }] : []),
    {
      key: 'joined',
      label: t('row.joined'),
      align: 'end',
      place: 'besideName',
      sort: 'joined',
      cell: ({ joinedAt }) => (joinedAt === null ? '–' : <Time seconds={joinedAt} form="day" />),
    },
  ]
}

const volumeColumn = (token: Token, t: Parameters['t'], format: Format): ReferralColumn => ({
  key: 'volume',
  align: 'end',
  label: `${t('member.teamVolume')} (${token.symbol})`,
  short: t('metrics.volume'),
  cell: ({ teamVolume }) => (
    <span title={format.amountWithUnit(teamVolume, token, 'exact')}>{format.amount(teamVolume, token)}</span>
  ),
})
