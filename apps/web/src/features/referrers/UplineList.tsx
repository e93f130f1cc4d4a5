import type { Address, Community, Member, MemberSummary } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { TextButton } from '../../shared/frame/TextButton.tsx'
import { busyButtonProps } from '../../shared/lookup/busyButtonProps.ts'
import { toFailure } from '../../shared/lookup/failure.ts'
import { useLastError } from '../../shared/lookup/useLastError.ts'
import { useWindowRows } from '../../shared/lookup/useWindowRows.ts'
import { pageKey, pageSize, useReferrers } from './query.ts'
import { UplineRow } from './UplineRow.tsx'
import type { Hop } from './useOnChainCheck.ts'

type Props = {
  member: Member
  community: Community
  /** Results of the check on chain. */
  hops: ReadonlyMap<Address, Hop>
  /** Row to scroll to and focus; a new object jumps again. */
  target?: { row: number } | undefined
}

/** Lists a member's upline: the member first, the root last. Only rows in view are loaded and rendered. */
export function UplineList({ member, community, hops, target }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const count = member.depth + 1
  const { virtualizer, rows, isPrinting, bodyProps, placeOf } = useWindowRows<HTMLOListElement>({
    count,
    height: { phone: 74, wide: 48 },
    kept: target?.row,
  })
  useEffect(() => {
    if (!target) return
    virtualizer.scrollToIndex(target.row, { align: 'center' })
    document.getElementById(idOf(target.row))?.focus({ preventScroll: true })
  }, [target, virtualizer])

  const pages = new Map<number, (typeof rows)[number][]>()
  for (const row of rows) pages.set(pageOf(row.index), [...(pages.get(pageOf(row.index)) ?? []), row])
  // Pages that are not loaded do not load while printing.
  const isThere = (page: number) => queryClient.getQueryData(pageKey(community.id, member.address, page)) !== undefined
  const printed = [...pages].filter(([page]) => !isPrinting || page === top || isThere(page))
  const part = { member, community, hops, count, placeOf }
  return (
    <List aria-label={t('referrers.title')} data-check={hops.size > 0 ? 'shown' : 'none'} {...bodyProps}>
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
    </List>
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
  Pick<ReturnType<typeof useWindowRows>, 'placeOf'> & {
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
          <span role="alert">
            {t(`tree.${toFailure(error).kind === 'offline' ? 'offline' : 'failed'}`)}{' '}
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
        data-hop={hop?.kind}
        {...placeOf(row)}
      >
        {item ? (
          <UplineRow row={item} kind={kind} community={community} hop={hop} />
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

/** Width of the column of results, in px. */
const resultWidth = 160

const List = styled('ol')(({ theme }) => {
  const ink = theme.vars?.palette.text.primary
  const paper = theme.vars?.palette.background.default
  const line = `color-mix(in srgb, ${ink} 40%, ${paper})`
  return {
    position: 'relative',
    margin: 0,
    padding: 0,
    listStyle: 'none',
    '& li': {
      position: 'absolute',
      top: 0,
      left: 0,
      boxSizing: 'border-box',
      width: '100%',
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      gap: '0 18px',
      minHeight: 48,
      paddingLeft: 32,
      '&::before': {
        content: '""',
        position: 'absolute',
        zIndex: 1,
        left: 0,
        top: 19.5,
        width: 9,
        height: 9,
        borderRadius: '50%',
        boxSizing: 'border-box',
        border: `1.5px solid ${ink}`,
        background: paper,
      },
      '&::after': { content: '""', position: 'absolute', left: 4, top: 24, bottom: -24, width: 1, background: line },
      // The row that was jumped to.
      '&:focus': { outline: 'none', background: theme.vars?.palette.action.selected },
    },
    '& li[data-kind="me"]::before': {
      background: theme.vars?.palette.primary.main,
      borderColor: theme.vars?.palette.primary.main,
      boxShadow: `0 0 0 4px color-mix(in srgb, ${theme.vars?.palette.primary.main} 18%, ${paper})`,
    },
    '& li[data-kind="root"]::before': { background: ink },
    '& li[data-kind="root"]::after': { display: 'none' },
    '& li[data-kind="gap"]': {
      '&::before': { display: 'none' },
      '&::after': { width: 0, background: 'none', borderLeft: `1px dashed ${line}` },
    },
    '& li[data-hop="agrees"]::after': { background: theme.vars?.palette.primary.main },
    '& li[data-hop="differs"]::after': { background: theme.vars?.palette.error.main },
    '& li[data-hop="unreadable"]::after': { width: 0, background: 'none', borderLeft: `1px dashed ${line}` },
    '& li[aria-busy="true"]::before': { borderColor: line },
    '& i': { width: 148, height: 10, background: theme.vars?.palette.divider },
    '& small': {
      width: 96,
      flex: 'none',
      fontSize: '0.8125rem',
      // As tall as the node, whatever wraps below.
      lineHeight: '48px',
      color: theme.vars?.palette.text.secondary,
    },
    '& .facts': {
      display: 'grid',
      gridTemplateColumns: '84px 108px 132px 132px',
      textAlign: 'right',
      whiteSpace: 'nowrap',
      fontSize: '0.8125rem',
      color: theme.vars?.palette.text.secondary,
    },
    '& .attention': { color: theme.vars?.palette.warning.main },
    '& em': {
      marginLeft: 'auto',
      overflowWrap: 'anywhere',
      fontSize: '0.8125rem',
      fontStyle: 'normal',
      color: theme.vars?.palette.text.secondary,
    },
    '& em[data-hop="agrees"]': { color: theme.vars?.palette.primary.main },
    '& em[data-hop="differs"]': { color: theme.vars?.palette.error.main },
    '@media (min-width: 1000px)': {
      // Fixed width, with room for a label.
      '& li > span:first-of-type': { flex: '0 0 268px' },
      '& .facts': { flex: 1, gridTemplateColumns: '1fr 1fr 1.3fr 1.3fr', columnGap: 16 },
      // The results of the check have a column of their own; another referrer is written in full below.
      '&[data-check="shown"] li': { paddingRight: resultWidth },
      '& em': { position: 'absolute', right: 0 },
      '& em[data-hop="differs"]': {
        position: 'static',
        flexBasis: '100%',
        marginRight: -resultWidth,
        textAlign: 'right',
      },
    },
    '@media (max-width: 767.95px)': {
      '& li': {
        display: 'grid',
        gridTemplateColumns: 'auto minmax(0, 1fr) auto',
        alignContent: 'start',
        gap: '0 16px',
        minHeight: 74,
        padding: '4px 0 10px 26px',
      },
      '& small': { width: 'auto', lineHeight: '32px' },
      '& li > span:first-of-type': { gridColumn: '2 / 4' },
      '& .facts': { gridArea: '2 / 1 / 3 / 3', display: 'flex', gap: 16 },
      '& .wide': { display: 'none' },
      '& em': { gridArea: '2 / 3' },
      '& em[data-hop="differs"]': { gridArea: '3 / 1 / 4 / 4', marginLeft: 0 },
    },
  }
})
