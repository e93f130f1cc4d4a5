import type { Address, Community, Member, MemberSummary } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useQueryClient } from '@tanstack/react-query'
import { Fragment, memo, type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { More } from '../../shared/charts/More.tsx'
import { toFailure } from '../../shared/lookup/failure.ts'
import { useLastError } from '../../shared/lookup/useLastError.ts'
import { useWindowRows } from '../../shared/lookup/useWindowRows.ts'
import { whileBusy } from '../../shared/lookup/whileBusy.ts'
import { pageKey, pageSize, useReferrers } from './query.ts'
import type { Hop } from './useChainCheck.ts'

type Props = {
  member: Member
  community: Community
  /** What the chain said of each member's referrer. */
  hops: ReadonlyMap<Address, Hop>
  /** Where one is led to; another object leads there anew. */
  target?: { row: number } | undefined
}

/**
 * The lineage line itself: the member at its top, each referrer under it, the root at its end. Only what is in sight is asked
 * for and drawn, wherever in the line that is.
 */
export function ChainOfReferrers({ member, community, hops, target }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
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
  // What is not there does not come while it is being printed.
  const isThere = (page: number) => queries.getQueryData(pageKey(community.id, member.address, page)) !== undefined
  const printed = [...pages].filter(([page]) => !isPrinting || page === top || isThere(page))
  const part = { member, community, hops, count, placeOf }
  return (
    <Line aria-label={t('referrers.title')} {...bodyProps}>
      {printed.map(([page, rows], at) => (
        <Fragment key={page}>
          {isPrinting && <Left from={printed[at - 1]?.[1].at(-1)?.index} to={rows[0]?.index} />}
          {page === top ? (
            <Part {...part} rows={rows} itemOf={() => member} />
          ) : (
            <PageOfLine {...part} page={page} rows={rows} />
          )}
        </Fragment>
      ))}
      {isPrinting && <Left from={printed.at(-1)?.[1].at(-1)?.index} to={count} />}
    </Line>
  )
}

/** The member itself is of no page. */
const top = -1
const pageOf = (row: number) => (row === 0 ? top : Math.floor((row - 1) / pageSize))
const idOf = (row: number) => `line-${row}`

/** On paper: how many are left out between two rows. */
function Left({ from = -1, to = 0 }: { from: number | undefined; to: number | undefined }) {
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

type PartProps = Omit<Props, 'target'> &
  Pick<ReturnType<typeof useWindowRows>, 'placeOf'> & {
    count: number
    rows: readonly { index: number; start?: number }[]
  }

/** Those rows of a page that are in sight. */
function PageOfLine({ page, ...part }: PartProps & { page: number }) {
  const { t } = useTranslation()
  const query = useReferrers(part.community.id, part.member.address, page)
  const { data, isFetching, refetch } = query
  const error = useLastError(query)
  return (
    <Part
      {...part}
      itemOf={(row) => data?.items[(row - 1) % pageSize]}
      problem={
        error &&
        !data && (
          <span role="alert">
            {t(`tree.${toFailure(error).kind === 'offline' ? 'offline' : 'failed'}`)}{' '}
            <More type="button" {...whileBusy(isFetching, () => void refetch())}>
              {t(isFetching ? 'failure.retrying' : 'failure.retry')}
            </More>
          </span>
        )
      }
    />
  )
}

/** `problem`: why there is nothing, said once. */
function Part({
  member,
  community,
  hops,
  count,
  placeOf,
  rows,
  itemOf,
  problem,
}: PartProps & { itemOf: (row: number) => MemberSummary | undefined; problem?: ReactNode }) {
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
          <Node row={item} kind={kind} community={community} hop={hop} />
        ) : (
          <>
            <small>
              {kind === 'root'
                ? t('strip.root')
                : t('referrers.depth', { depth: format.count(member.depth - row.index) })}
            </small>
            {(at === 0 && problem) || <i aria-hidden />}
          </>
        )}
      </li>
    )
  })
}

type NodeProps = { row: MemberSummary; kind: 'me' | 'between' | 'root'; community: Community; hop: Hop | undefined }

const Node = memo(function Node({ row, kind, community, hop }: NodeProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const token = community.tokens.volume
  return (
    <>
      <small>
        {kind === 'me'
          ? t('strip.me')
          : kind === 'root'
            ? t('strip.root')
            : t('referrers.depth', { depth: format.count(row.depth) })}
      </small>
      <AddressText address={row.address} me={kind === 'me'} />
      <span className="facts">
        <span>{t('tree.directs', { count: row.directs, number: format.count(row.directs) })}</span>
        <span>{t('directs.team', { count: row.team, number: format.count(row.team) })}</span>
        {token && (
          <span className="wide" title={format.amountWithUnit(row.teamVolume, token, 'exact')}>
            {format.amountWithUnit(row.teamVolume, token)}
          </span>
        )}
        {row.status === 'placeholder' ? (
          <span className="attention">{t('member.placeholder.short')}</span>
        ) : (
          row.joinedAt !== null && <time className="wide">{format.day(row.joinedAt)}</time>
        )}
      </span>
      {hop && <em data-hop={hop.kind}>{textOf(hop, t)}</em>}
    </>
  )
})

function textOf(hop: Hop, t: ReturnType<typeof useTranslation>['t']): string {
  if (hop.kind !== 'differs') return t(`check.${hop.kind}`)
  return hop.referrer ? t('check.differs', { address: hop.referrer }) : t('check.differs.none')
}

const Line = styled('ol')(({ theme }) => {
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
      // Where one was led to.
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
      // The first line is as high as the node, whatever stands below.
      lineHeight: '48px',
      color: theme.vars?.palette.text.secondary,
    },
    // Room for a label.
    '@media (min-width: 1000px)': { '& li > span:first-of-type': { flex: '0 0 268px' } },
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
