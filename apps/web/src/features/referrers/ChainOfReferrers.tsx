import type { Address, Community, Member, MemberSummary } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { More } from '../../shared/charts/More.tsx'
import type { Hop } from './useChainCheck.ts'

type Props = {
  member: Member
  community: Community
  /** From the member's referrer upwards, as far as they are loaded. */
  items: readonly MemberSummary[]
  /** What the chain said of each member's referrer. */
  hops: ReadonlyMap<Address, Hop>
  more: 'none' | 'ready' | 'loading' | 'failed'
  onMore: () => void
}

/** The lineage line itself: the member at its top, each referrer under it, the root at its end. */
export function ChainOfReferrers({ member, community, items, hops, more, onMore }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const last = items.at(-1)
  const hidden = member.depth - items.length - 1
  return (
    <Line>
      <Node row={member} kind="me" community={community} hop={hops.get(member.address)} />
      {items.map((item) => (
        <Node
          key={item.address}
          row={item}
          kind={item.depth === 0 ? 'root' : 'between'}
          community={community}
          hop={hops.get(item.address)}
        />
      ))}
      {more !== 'none' && (
        <li data-kind="gap">
          {more === 'failed' && <span role="alert">{t('tree.failed')}</span>}
          <More type="button" onClick={onMore} disabled={more === 'loading'}>
            {more === 'loading'
              ? t('loading')
              : more === 'failed'
                ? t('failure.retry')
                : t('referrers.more', { count: hidden, number: format.count(hidden) })}
          </More>
        </li>
      )}
      {last && last.depth > 0 && (
        <li id="root-of-line" data-kind="root">
          <small>{t('strip.root')}</small>
          <AddressText address={member.root} />
        </li>
      )}
    </Line>
  )
}

type NodeProps = { row: MemberSummary; kind: 'me' | 'between' | 'root'; community: Community; hop: Hop | undefined }

/** Drawn once: a line may have thousands. */
const Node = memo(function Node({ row, kind, community, hop }: NodeProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const token = community.tokens.volume
  return (
    <li data-kind={kind} data-hop={hop?.kind} {...(kind === 'root' && { id: 'root-of-line' })}>
      <small>
        {kind === 'me' ? t('strip.me') : kind === 'root' ? t('strip.root') : t('referrers.depth', { depth: row.depth })}
      </small>
      <AddressText address={row.address} me={kind === 'me'} />
      <span className="facts">
        <span>{t('tree.directs', { count: row.directs, number: format.count(row.directs) })}</span>
        <span>{t('directs.team', { count: row.team, number: format.count(row.team) })}</span>
        {token && <span className="wide">{format.amountWithUnit(row.teamVolume, token)}</span>}
        {row.status === 'placeholder' ? (
          <span className="attention">{t('member.placeholder.short')}</span>
        ) : (
          row.joinedAt !== null && <time className="wide">{format.day(row.joinedAt)}</time>
        )}
      </span>
      {hop && <em data-hop={hop.kind}>{textOf(hop, t)}</em>}
    </li>
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
    margin: 0,
    padding: 0,
    listStyle: 'none',
    '& li': {
      position: 'relative',
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
      '&:last-of-type::after': { display: 'none' },
    },
    '& li[data-kind="me"]::before': {
      background: theme.vars?.palette.primary.main,
      borderColor: theme.vars?.palette.primary.main,
      boxShadow: `0 0 0 4px color-mix(in srgb, ${theme.vars?.palette.primary.main} 18%, ${paper})`,
    },
    '& li[data-kind="root"]::before': { background: ink },
    '& li[data-kind="gap"]': {
      '&::before': { display: 'none' },
      '&::after': { width: 0, background: 'none', borderLeft: `1px dashed ${line}` },
    },
    '& li[data-hop="agrees"]::after': { background: theme.vars?.palette.primary.main },
    '& li[data-hop="differs"]::after': { background: theme.vars?.palette.error.main },
    '& li[data-hop="unreadable"]::after': { width: 0, background: 'none', borderLeft: `1px dashed ${line}` },
    '& small': { width: 84, flex: 'none', fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
    '& .facts': {
      display: 'grid',
      gridTemplateColumns: '84px 92px 132px 132px',
      textAlign: 'right',
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
      '& li': { padding: '4px 0 10px 26px' },
      '& li[data-kind="gap"]': { padding: '0 0 0 26px' },
      '& small': { width: 'auto' },
      '& .facts': { display: 'flex', gap: 16, flexBasis: '100%' },
      '& .wide': { display: 'none' },
    },
  }
})
