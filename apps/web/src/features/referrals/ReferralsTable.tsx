import type { Address, Community, Referrals } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Format } from '../../lib/format.ts'
import { barHeight, phone } from '../../lib/theme.ts'
import { useFormat } from '../../lib/useFormat.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { useWindowRows } from '../../shared/lookup/useWindowRows.ts'
import { MoreToCome } from './MoreToCome.tsx'
import { type Sort, useReferrals } from './query.ts'
import type { View } from './useView.ts'

type TableView = Extract<View, { kind: 'table' }>
type Item = Referrals['items'][number]
type Props = {
  address: Address
  community: Community
  view: TableView
  /** How many rows there are, shown or not. */
  total: number
  onSort: (changes: { sort: Sort; order: 'asc' | 'desc' }) => void
}

/** One level, or the whole downline, in an order. Rows come as one scrolls to them, and only those in sight are drawn. */
export default function ReferralsTable(props: Props) {
  const { address, community, view } = props
  const query = useReferrals(community.id, address, { ...view, limit: 200 })
  const { t } = useTranslation()
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data])
  return (
    // A page that did not come is said where it would stand.
    <Answer query={query.isFetchNextPageError ? { ...query, error: null } : query} skeleton={<Skeleton rows={8} />}>
      {() => {
        if (items.length === 0) return <Empty>{t('referrals.emptyLevel')}</Empty>
        return (
          <>
            <Rows
              {...props}
              items={items}
              state={query.isPlaceholderData ? 'old' : 'current'}
              onEnd={() => {
                if (query.hasNextPage && !query.isFetching && !query.error) void query.fetchNextPage()
              }}
            />
            <MoreToCome query={query} />
          </>
        )
      }}
    </Answer>
  )
}

type RowsProps = Props & { items: readonly Item[]; state: 'current' | 'old'; onEnd: () => void }

function Rows({ community, view, total, onSort, items, state, onEnd }: RowsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns = columnsOf(view, community, t, format)
  const { rows, top, bodyProps, placeOf } = useWindowRows<HTMLTableSectionElement>({
    count: items.length,
    height: { phone: 68, wide: 49 },
    keyOf: (index) => items[index]?.address ?? index,
  })
  const last = rows.at(-1)?.index ?? 0

  useEffect(() => {
    if (last > items.length - 60) onEnd()
  })
  const { sort, order, level } = view
  const shown = `${level} ${sort} ${order}`
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    if (window.scrollY > top) window.scrollTo({ top: Math.max(0, top - barHeight - 60) })
  }, [shown, top])

  return (
    <Table
      aria-label={level === 'all' ? t('referrals.all') : t('level', { level })}
      aria-rowcount={Math.max(total, items.length) + 1}
      aria-busy={state === 'old'}
      style={{ '--columns': columns.length - 1 } as object}
    >
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <Head key={column.key} column={column} view={view} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody {...bodyProps}>
        {rows.map((row) => {
          const item = items[row.index]
          return (
            item && (
              <tr key={row.key} aria-rowindex={row.index + 2} {...placeOf(row)}>
                {columns.map((column) => (
                  <td key={column.key} data-column={column.key} data-label={column.short ?? column.label}>
                    {column.cell(item)}
                  </td>
                ))}
              </tr>
            )
          )
        })}
      </tbody>
    </Table>
  )
}

type Column = {
  key: string
  label: string
  /** On a phone, where a label stands before every figure. */
  short?: string
  sort?: Sort
  cell: (item: Item) => ReactNode
}

function columnsOf(
  { level }: TableView,
  community: Community,
  t: ReturnType<typeof useTranslation>['t'],
  format: Format,
): Column[] {
  const token = community.tokens.volume
  const all = level === 'all'
  return [
    { key: 'address', label: t('row.address'), cell: ({ address }) => <AddressText address={address} /> },
    ...(all ? [{ key: 'level', label: t('levels.level'), cell: (item: Item) => format.count(item.level) }] : []),
    { key: 'directs', label: t('member.directs'), cell: ({ directs }) => format.count(directs) },
    // The whole downline is kept in join order only.
    {
      key: 'team',
      label: t('member.team'),
      ...(!all && { sort: 'team' as const }),
      cell: ({ team }) => format.count(team),
    },
    ...(token
      ? [
          {
            key: 'volume',
            label: `${t('member.teamVolume')} (${token.symbol})`,
            short: t('levels.volume'),
            ...(!all && { sort: 'volume' as const }),
            cell: ({ teamVolume }: Item) => (
              <span title={format.amountWithUnit(teamVolume, token, 'exact')}>{format.amount(teamVolume, token)}</span>
            ),
          },
        ]
      : []),
    {
      key: 'joined',
      label: t('row.joined'),
      sort: 'joined',
      cell: ({ joinedAt }) =>
        joinedAt === null ? (
          '–'
        ) : (
          <time dateTime={new Date(joinedAt * 1_000).toISOString()} title={format.moment(joinedAt)}>
            {format.day(joinedAt)}
          </time>
        ),
    },
  ]
}

function Head({ column, view, onSort }: { column: Column } & Pick<Props, 'view' | 'onSort'>) {
  const { key, label, sort } = column
  if (!sort)
    return (
      <th scope="col" data-column={key}>
        {label}
      </th>
    )
  const sorted = view.sort === sort ? view.order : undefined
  return (
    <th
      scope="col"
      data-column={key}
      aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : 'none'}
    >
      <button type="button" onClick={() => onSort({ sort, order: sorted === 'desc' ? 'asc' : 'desc' })}>
        <i aria-hidden>{sorted === 'asc' ? '↑' : sorted === 'desc' ? '↓' : ''}</i>
        {label}
      </button>
    </th>
  )
}

// What these elements mean does not hang on how they are laid out.
const Table = styled('table')(({ theme }) => ({
  display: 'block',
  fontSize: '0.875rem',
  '& thead, & tbody': { display: 'block' },
  '& th, & td': { padding: 0, fontWeight: 400, textAlign: 'left' },
  '& tr': {
    display: 'grid',
    gridTemplateColumns: 'minmax(160px, 1.4fr) repeat(var(--columns), minmax(0, 1fr))',
    alignItems: 'center',
    columnGap: 20,
  },
  '&[aria-busy="true"] tbody': { opacity: 0.5 },
  '& thead': {
    position: 'sticky',
    zIndex: 3,
    top: barHeight,
    background: theme.vars?.palette.background.default,
    fontSize: '0.8125rem',
    color: theme.vars?.palette.text.secondary,
    whiteSpace: 'nowrap',
    '& button': {
      minHeight: 44,
      padding: 0,
      border: 0,
      background: 'none',
      color: 'inherit',
      font: 'inherit',
      cursor: 'pointer',
      '& i': { display: 'inline-block', width: 14, marginLeft: -14, fontStyle: 'normal' },
      '&:hover': { color: theme.vars?.palette.text.primary },
    },
    '& [aria-sort="ascending"] button, & [aria-sort="descending"] button': { color: theme.vars?.palette.primary.main },
  },
  '& tbody': { position: 'relative' },
  // Reached upwards, a row comes to stand under the head.
  '& tbody button': { scrollMarginTop: 44 },
  '& tbody tr': {
    position: 'absolute',
    top: 0,
    left: 0,
    width: '100%',
    minHeight: 48,
    borderTop: `1px solid ${theme.vars?.palette.divider}`,
  },
  '& [data-column]:not([data-column="address"])': { textAlign: 'right', whiteSpace: 'nowrap' },
  [phone]: {
    '& thead': { position: 'static' },
    '& thead tr': { display: 'flex', flexWrap: 'wrap', gap: '0 26px', justifyContent: 'flex-start' },
    '& th:not([aria-sort])': { display: 'none' },
    '& tbody tr': { display: 'flex', flexWrap: 'wrap', gap: '0 18px', padding: '8px 0 10px' },
    '& td': { order: 2, fontSize: '0.8125rem', lineHeight: '22px' },
    '& td::before': { content: 'attr(data-label) "\\2002"', color: theme.vars?.palette.text.secondary },
    '& td[data-column="address"]': { order: 0, flex: '1 1 50%' },
    '& td[data-column="joined"]': { order: 0, color: theme.vars?.palette.text.secondary },
    '& td:is([data-column="address"], [data-column="joined"])::before': { content: 'none' },
    // The second line begins here.
    '& tbody tr::after': { content: '""', order: 1, flexBasis: '100%' },
  },
}))

const Empty = styled('p')(({ theme }) => ({ color: theme.vars?.palette.text.secondary }))
