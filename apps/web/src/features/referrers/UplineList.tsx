import type { Address, Community, Member, MemberSummary } from '@lineage/referral-api'
import { useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useEffect } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { busyButtonProps, TextButton } from '../../shared/frame/controls.tsx'
import { lazyWithPreload } from '../../shared/frame/lazyWithPreload.tsx'
import { toFailure, useLastError } from '../../shared/lookup/failure.ts'
import type { WindowRows } from '../../shared/lookup/useWindowRows.tsx'
import { LineList, UplineRow } from './LineList.tsx'
import type { Hop } from './OnChainCheck.tsx'
import { pageKey, pageSize, useReferrers } from './query.ts'

type Props = {
  member: Member
  community: Community
  /** Results of the check on chain. */
  hops: ReadonlyMap<Address, Hop>
  /** Row to scroll to and focus; a new object jumps again. */
  target?: { row: number } | undefined
}

/** Largest number of hops that are checked without a press: one request to a node. */
export const fewHops = 20

/** Number of rows up to which all are rendered, two screens of a phone. Their check on chain begins at once. */
const mostRows = fewHops + 1

const LongList = lazyWithPreload(() => import('../../shared/lookup/useWindowRows.tsx'))

/** Lists a member's upline: the member first, the root last. Of a long one only rows in view are loaded and rendered. */
export function UplineList(props: Props) {
  const count = props.member.depth + 1
  if (count <= mostRows) return <Lines {...props} {...allRows(count)} />
  return (
    <LongList count={count} height={{ phone: 74, wide: 48 }} kept={props.target?.row}>
      {({ virtualizer, ...rows }) => (
        <Lines
          {...props}
          {...rows}
          count={count}
          scrollTo={(row) => virtualizer.scrollToIndex(row, { align: 'center' })}
        />
      )}
    </LongList>
  )
}

type Shown = Pick<WindowRows, 'rows' | 'isPrinting' | 'placeOf'> & {
  count: number
  bodyProps: Partial<WindowRows['bodyProps']> & { 'data-rows'?: 'all' }
  scrollTo: (row: number) => void
}

const allRows = (count: number): Shown => ({
  count,
  rows: Array.from({ length: count }, (_, index) => ({ index, key: index })),
  isPrinting: false,
  bodyProps: { 'data-rows': 'all' },
  placeOf: ({ index }) => ({ ref: () => {}, 'data-index': index, style: {} }),
  scrollTo: (row) => document.getElementById(idOf(row))?.scrollIntoView({ block: 'center' }),
})

function Lines({
  member,
  community,
  hops,
  target,
  count,
  rows,
  isPrinting,
  bodyProps,
  placeOf,
  scrollTo,
}: Props & Shown) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a jump is made once.
  useEffect(() => {
    if (!target) return
    scrollTo(target.row)
    document.getElementById(idOf(target.row))?.focus({ preventScroll: true })
  }, [target])

  const pages = new Map<number, (typeof rows)[number][]>()
  for (const row of rows) pages.set(pageOf(row.index), [...(pages.get(pageOf(row.index)) ?? []), row])
  // Pages that are not loaded do not load while printing.
  const isThere = (page: number) => queryClient.getQueryData(pageKey(community.id, member.address, page)) !== undefined
  const printed = [...pages].filter(([page]) => !isPrinting || page === top || isThere(page))
  const part = { member, community, hops, count, placeOf }
  return (
    <LineList
      aria-label={t('referrers.title')}
      data-check={hops.size > 0 || count <= mostRows ? 'shown' : 'none'}
      {...bodyProps}
    >
      {printed.map(([page, rows], at) => (
        <Fragment key={page}>
          {isPrinting && <PrintedGap from={printed[at - 1]?.[1].at(-1)?.index} to={rows[0]?.index} />}
          {page === top ? (
            <UplineRows {...part} rows={rows} itemOf={() => member} />
          ) : (
            <UplinePage {...part} page={page} rows={rows} />
          )}
        </Fragment>
      ))}
      {isPrinting && <PrintedGap from={printed.at(-1)?.[1].at(-1)?.index} to={count} />}
    </LineList>
  )
}

/** Page number of the member itself, which is in no page. */
const top = -1
const pageOf = (row: number) => (row === 0 ? top : Math.floor((row - 1) / pageSize))
const idOf = (row: number) => `line-${row}`

/** Shows, in print, the number of rows left out between two pages. */
function PrintedGap({ from = -1, to = 0 }: { from: number | undefined; to: number | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  const left = to - from - 1
  if (left <= 0) return null
  return (
    <li data-kind="gap" style={{ position: 'static' }}>
      {t('referrers.left', { count: left, number: format.count(left) })}
    </li>
  )
}

type UplineRowsProps = Omit<Props, 'target'> &
  Pick<WindowRows, 'placeOf'> & {
    count: number
    rows: readonly { index: number; start?: number }[]
  }

/** Loads one page and renders its rows in view. */
function UplinePage({ page, ...part }: UplineRowsProps & { page: number }) {
  const { t } = useTranslation()
  const query = useReferrers(part.community.id, part.member.address, page)
  const { data, isFetching, refetch } = query
  const error = useLastError(query)
  return (
    <UplineRows
      {...part}
      itemOf={(row) => data?.items[(row - 1) % pageSize]}
      problem={
        error &&
        !data && (
          <span>
            <span role="alert">{`${t(`tree.${toFailure(error).kind === 'offline' ? 'offline' : 'failed'}`)} `}</span>
            <TextButton type="button" {...busyButtonProps(isFetching, () => void refetch())}>
              {t(isFetching ? 'failure.retrying' : 'failure.retry')}
            </TextButton>
          </span>
        )
      }
    />
  )
}

/** Renders rows; `problem` replaces the first one while the page has not loaded. */
function UplineRows({
  member,
  community,
  hops,
  count,
  placeOf,
  rows,
  itemOf,
  problem,
}: UplineRowsProps & { itemOf: (row: number) => MemberSummary | undefined; problem?: ReactNode }) {
  const { t } = useTranslation()
  const format = useFormat()
  return rows.map((row, at) => {
    const item = itemOf(row.index)
    const kind = row.index === 0 ? 'me' : row.index === count - 1 ? 'root' : 'between'
    const hop = item && hops.get(item.address)
    return (
      <li
        key={row.index}
        id={idOf(row.index)}
        tabIndex={-1}
        aria-posinset={row.index + 1}
        aria-setsize={count}
        aria-busy={!item}
        data-kind={kind}
        data-last={kind === 'root'}
        data-hop={hop?.kind}
        {...placeOf(row)}
      >
        {item ? (
          <UplineRow
            row={item}
            place={kind === 'between' ? undefined : t(`strip.${kind}`)}
            me={kind === 'me'}
            community={community}
            hop={hop}
          />
        ) : (
          <>
            <small>
              {kind === 'root'
                ? t('strip.root')
                : t('metrics.depthOf', { depth: format.count(member.depth - row.index) })}
            </small>
            {(at === 0 && problem) || <i aria-hidden />}
          </>
        )}
      </li>
    )
  })
}
