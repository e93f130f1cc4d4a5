import type { Address, Community, Referrals, Token } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { type Format, useFormat } from '../../lib/format.ts'
import { type Translate, useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { barHeight, phone } from '../../lib/theme.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { NextPageStatus } from '../../shared/lookup/NextPage.tsx'
import { PrintedRows } from '../../shared/lookup/printing.tsx'
import { Cell, type Column, phoneRows, SortableHead } from '../../shared/lookup/RowsTable.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Joined } from '../../shared/lookup/Time.tsx'
import { useWindowRows } from '../../shared/lookup/useWindowRows.tsx'
import { withOwn } from '../../shared/period/queries.ts'
import { FilterResult, LastDayNote, NothingYet, TooCostly } from './FilterResult.tsx'
import { type Level, type Order, type Sort, useReferrals } from './query.ts'
import type { DownlineView } from './useDownlineView.ts'

type TableView = Extract<DownlineView, { kind: 'table' }>
type Item = Referrals['items'][number]
type Props = {
  address: Address
  community: Community
  view: TableView
  /** Number of rows, loaded or not; -1 if unknown. */
  total: number
  /** Size of the whole downline. */
  team: number
  onSort: (changes: { sort: Sort | null; order: Order | null }) => void
}

/** Shows one level, the downline or those who match a filter as a sorted table, which loads and renders rows on scroll. */
export default function ReferralsTable(props: Props) {
  const { address, community, view } = props
  const query = useReferrals(community.id, address, { ...view, limit: 200, figures: props.team })
  const { t } = useTranslation()
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data])
  const { count, undated } = query.data?.pages[0] ?? {}
  if (query.error?.code === 'too_costly' && items.length === 0)
    return <TooCostly onSort={() => props.onSort({ sort: null, order: null })} />
  return (
    <Answer query={query} skeleton={<Skeleton rows={8} />}>
      {() => {
        if (items.length === 0 && !view.filter && !view.days) return <Empty>{t('referrals.emptyLevel')}</Empty>
        const result = (
          <>
            {(view.filter ?? view.days) && count && (
              <FilterResult address={address} community={community} view={view} count={count} undated={undated} />
            )}
            {view.days?.to && <LastDayNote />}
          </>
        )
        if (items.length === 0)
          return (
            <>
              {result}
              <NothingYet query={query} />
            </>
          )
        const total = count ? (count.relation === 'exact' ? count.value : -1) : props.total
        return (
          <>
            {result}
            <Rows
              {...props}
              total={total}
              items={items}
              state={query.isPlaceholderData ? 'old' : 'current'}
              onEnd={() => {
                if (query.hasNextPage && !query.isFetching && !query.error) void query.fetchNextPage()
              }}
            />
            <NextPageStatus query={query} />
            <PrintedRows loaded={items.length} total={query.hasNextPage ? total : items.length} />
          </>
        )
      }}
    </Answer>
  )
}

type RowsProps = Props & { items: readonly Item[]; state: 'current' | 'old'; onEnd: () => void }

function Rows({ community, view, total, onSort, items, state, onEnd }: RowsProps) {
  const { t } = useTranslation()
  const { t: ofDays } = useLazyTranslation('filters')
  const format = useFormat()
  const columns = referralColumns({
    level: view.level,
    isFiltered: view.filter !== undefined,
    hasDays: view.days !== undefined,
    tokens: community.tokens,
    t,
    ofDays,
    format,
  })
  const { rows, top, bodyProps, placeOf } = useWindowRows<HTMLTableSectionElement>({
    count: items.length,
    // With days, the amounts take two lines on most phones.
    height: { phone: view.days ? 95 : 73, wide: 48 },
    keyOf: (index) => items[index]?.address ?? index,
  })
  const last = rows.at(-1)?.index ?? 0

  useEffect(() => {
    if (last > items.length - 60) onEnd()
  })
  const { sort, order, level, filter, days } = view
  const shown = `${level} ${sort} ${order} ${JSON.stringify([filter, days])}`
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    if (window.scrollY > top) window.scrollTo({ top: Math.max(0, top - barHeight - 60) })
  }, [shown, top])

  return (
    <Table
      aria-label={level === 'all' ? t('referrals.all') : t('level', { level })}
      aria-rowcount={total === -1 ? -1 : Math.max(total, items.length) + 1}
      aria-busy={state === 'old'}
      style={{ '--columns': columns.length - 2, '--narrow': columns.length - 3 } as object}
    >
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <SortableHead key={column.key} column={{ ...column, ...sortProps(column, view, onSort) }} />
          ))}
        </tr>
      </thead>
      <tbody {...bodyProps}>
        {rows.map((row) => {
          const item = items[row.index]
          return (
            item && (
              // After a reload, Chromium scrolls to the element that it showed: without an id, to the row that has its place among
              // the few that the server sends.
              <tr key={row.key} id={`row-${row.index}`} aria-rowindex={row.index + 2} {...placeOf(row)}>
                {columns.map((column) => (
                  <Cell key={column.key} column={column} as={column.key === 'address' ? 'th' : 'td'}>
                    {column.cell(item)}
                  </Cell>
                ))}
              </tr>
            )
          )
        })}
      </tbody>
    </Table>
  )
}

function sortProps({ sort }: ReferralColumn, view: TableView, onSort: Props['onSort']) {
  if (!sort) return {}
  const order = view.sort === sort ? view.order : undefined
  return {
    onSort: () => onSort({ sort, order: order === 'desc' ? 'asc' : 'desc' }),
    ...(order && { sorted: order === 'asc' ? ('ascending' as const) : ('descending' as const) }),
  }
}

// Browsers keep the table roles with this `display`.
const Table = styled('table')(({ theme }) => ({
  display: 'block',
  fontSize: '0.875rem',
  '& thead, & tbody': { display: 'block' },
  '& th, & td': { padding: 0, fontWeight: 400, textAlign: 'left' },
  '& tr': {
    display: 'grid',
    gridTemplateColumns: 'minmax(160px, 1.4fr) repeat(var(--columns), minmax(0, 1fr)) minmax(124px, 1fr)',
    alignItems: 'center',
    columnGap: 20,
    // Without the block.
    '@media (max-width: 1199.95px)': {
      gridTemplateColumns: 'minmax(160px, 1.4fr) repeat(var(--narrow), minmax(0, 1fr)) minmax(124px, 1fr)',
      '& > [data-place="wide"]': { display: 'none' },
    },
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
  },
  '& tbody': { position: 'relative' },
  // Rows focused while scrolling up stay below the sticky header, also below one of four lines.
  '& tbody button': { scrollMarginTop: 72 },
  '& tbody tr': {
    position: 'absolute',
    top: 0,
    left: 0,
    width: '100%',
    minHeight: 48,
    borderTop: `1px solid ${theme.vars?.palette.divider}`,
  },
  // The sticky header and the rows below would cover the full address above its row.
  '& tbody tr:is(:hover, :focus-within)': { zIndex: 1 },
  '& tbody button > span:last-of-type': {
    top: '100%',
    bottom: 'auto',
    '@supports (position-area: top) and (anchor-scope: all)': { top: 'auto', positionArea: 'bottom span-right' },
  },
  '& [data-align="end"]': { textAlign: 'right', whiteSpace: 'nowrap' },
  // Print has the block beside the day.
  '@media print': { '& td[data-place="besideName"]': { whiteSpace: 'normal' } },
  // A long name of a column takes two lines instead of the space of its neighbour.
  '& thead [data-align="end"]': {
    lineHeight: 1.3,
    whiteSpace: 'normal',
    '& button': { lineHeight: 'inherit', textAlign: 'inherit' },
  },
  [phone]: { ...phoneRows(theme), fontSize: '0.8125rem', '& thead': { position: 'static' } },
}))

const Empty = styled('p')(({ theme }) => ({ color: theme.vars?.palette.text.secondary }))

type ReferralColumn = Column & { sort?: Sort; cell: (item: Item) => ReactNode }

type Parameters = {
  level: Level
  isFiltered: boolean
  hasDays: boolean
  tokens: Community['tokens']
  t: Translate
  ofDays: Translate<'filters'>
  format: Format
}

/** Returns the columns of a downline table: with days, their amounts in place of the figures of now. */
function referralColumns(parameters: Parameters): ReferralColumn[] {
  const { level, hasDays, t, ofDays, format } = parameters
  return [
    { key: 'address', label: t('field.label'), cell: ({ address }) => <AddressText address={address} /> },
    ...(level === 'all' ? [countColumn('level', t('levels.level'), format)] : []),
    ...(hasDays ? dayColumns(parameters) : presentColumns(parameters)),
    {
      key: 'block',
      label: ofDays('block'),
      align: 'end',
      place: 'wide',
      cell: ({ block }) => (block === null ? '–' : format.count(block)),
    },
    {
      key: 'joined',
      label: t('row.joined'),
      align: 'end',
      place: 'besideName',
      sort: 'joined',
      cell: (item) => <Joined of={item} form="day" />,
    },
  ]
}

/** Returns the columns of teams, and of own and team volume together, by which rows are sorted. */
function presentColumns({ level, isFiltered, tokens: { volume }, t, ofDays, format }: Parameters): ReferralColumn[] {
  // Without a filter the whole downline can be sorted by join time only.
  const sortable = (sort: Sort) => (level === 'all' && !isFiltered ? {} : { sort })
  return [
    countColumn('directs', t('member.directs'), format),
    { ...countColumn('team', t('member.team'), format), ...sortable('team') },
    ...(volume
      ? [
          {
            ...amountColumn('volume', ofDays('days.volume'), volume, format, withOwnVolume),
            ...sortable('volume'),
            short: ofDays('days.volume.short'),
          },
        ]
      : []),
  ]
}

/** Returns the columns of own amounts, and of own and team amounts together, by which rows are sorted. */
function dayColumns({ tokens: { volume, reward }, ofDays: t, format }: Parameters): ReferralColumn[] {
  return (
    [
      ['volume', volume, 'periodVolume'],
      ['rewards', reward, 'periodRewards'],
    ] as const
  ).flatMap(([name, token, sort]): ReferralColumn[] => {
    if (!token) return []
    const whole = ({ amounts }: Item) => (amounts ? withOwn(amounts, name) : '0')
    const own = ({ amounts }: Item) => amounts?.own[name] ?? '0'
    return [
      { ...amountColumn(sort, t(`days.${name}`), token, format, whole), sort, short: t(`days.${name}.short`) },
      { ...amountColumn(`own ${name}`, t(`days.own.${name}`), token, format, own), short: t('days.own.short') },
    ]
  })
}

const withOwnVolume = ({ ownVolume, teamVolume }: Item): string => String(BigInt(ownVolume) + BigInt(teamVolume))

const countColumn = (key: 'level' | 'directs' | 'team', label: string, format: Format): ReferralColumn => ({
  key,
  label,
  align: 'end',
  cell: (item) => format.count(item[key]),
})

const amountColumn = (
  key: string,
  label: string,
  token: Token,
  format: Format,
  amountOf: (item: Item) => string,
): ReferralColumn => ({
  key,
  align: 'end',
  label: `${label} (${token.symbol})`,
  cell: (item) => (
    <span title={format.amountWithUnit(amountOf(item), token, 'exact')}>{format.amount(amountOf(item), token)}</span>
  ),
})
