import type { Community, MemberSummary, PastReferrers } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { memo } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { filledNode, lineNode } from '../../lib/theme.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { Joined } from '../../shared/lookup/Time.tsx'
import type { Hop } from './OnChainCheck.tsx'

/** Width of the column of results, in px. */
const resultWidth = 160

/** Lists rows as nodes on one line. `data-kind` is a row’s place, `data-hop` the result for the hop to the next row. */
export const LineList = styled('ol')(({ theme }) => {
  const ink = theme.vars?.palette.text.primary
  const paper = theme.vars?.palette.background.default
  const line = `color-mix(in srgb, ${ink} 40%, ${paper})`
  return {
    position: 'relative',
    '&[data-rows="all"] li': { position: 'relative' },
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
      '&::before': { ...lineNode, position: 'absolute', zIndex: 1, left: 0, top: 19.5 },
      '&::after': { content: '""', position: 'absolute', left: 4, top: 24, bottom: -24, width: 1, background: line },
      // Highlights the row that was jumped to.
      '&:focus': { outline: 'none', background: theme.vars?.palette.action.selected },
    },
    '& li[data-kind="me"]::before': {
      ...filledNode,
      boxShadow: `0 0 0 4px color-mix(in srgb, ${theme.vars?.palette.primary.main} 18%, ${paper})`,
    },
    '& li[data-kind="root"]::before': { background: ink },
    '& li[data-last="true"]::after': { display: 'none' },
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
      // As tall as the node, so that the text below wraps without moving the node.
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
      // The results of the check have their own column; a differing referrer is shown in full below the row.
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
      '& li > span:first-of-type': { gridColumn: '2 / 4', paddingRight: '6.5rem' },
      '& .facts > :last-child': { position: 'absolute', top: 4, right: 0, lineHeight: '32px' },
      '& .facts': { gridArea: '2 / 1 / 3 / 3', display: 'flex', flexWrap: 'wrap', gap: '0 16px' },
      '& .wide': { display: 'none' },
      '& em': { gridArea: '2 / 3' },
      '& em[data-hop="differs"]': { gridArea: '3 / 1 / 4 / 4', marginLeft: 0 },
    },
    // Print has the block beside the day.
    '@media print': { '& .facts': { gridTemplateColumns: '84px 108px 132px auto', columnGap: 16 } },
    // Narrower than a phone, or with larger text, the date does not fit beside the address.
    '@media (max-width: 22em)': {
      '& li > span:first-of-type, & .facts, & em': { gridColumn: '1 / 4', gridRow: 'auto', paddingRight: 0 },
      '& .facts > :last-child': { position: 'static' },
      '& em': { marginLeft: 0 },
    },
  }
})

type Props = {
  /** Without team and amounts at a past moment. */
  row: PastReferrers['items'][number] & Partial<MemberSummary>
  /** Place in the line; the depth by default. */
  place?: string | undefined
  me?: boolean
  community: Community
  hop: Hop | undefined
}

/** Shows one member of a line: place, address, figures and the result of the check. */
export const UplineRow = memo(function UplineRow({ row, place, me = false, community, hop }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const token = community.tokens.volume
  return (
    <>
      <small>{place ?? t('metrics.depthOf', { depth: format.count(row.depth) })}</small>
      <AddressText address={row.address} me={me} />
      <span className="facts">
        <span>{t('tree.directs', { count: row.directs, number: format.count(row.directs) })}</span>
        <span>{row.team !== undefined && t('directs.team', { count: row.team, number: format.count(row.team) })}</span>
        {token && row.teamVolume !== undefined && (
          <span className="wide" title={format.amountWithUnit(row.teamVolume, token, 'exact')}>
            {format.amountWithUnit(row.teamVolume, token)}
          </span>
        )}
        {row.status === 'placeholder' ? (
          <span className="attention">{t('member.placeholder.short')}</span>
        ) : (
          <Joined of={row} form="day" />
        )}
      </span>
      {hop && <HopText hop={hop} />}
    </>
  )
})

/** Says whether the contract agrees, and otherwise what it returns. */
export function HopText({ hop }: { hop: Hop }) {
  const { t } = useLazyTranslation('upline')
  const text =
    hop.kind !== 'differs'
      ? t(`check.${hop.kind}`)
      : hop.referrer
        ? t('check.differs', { address: hop.referrer })
        : t('check.differs.none')
  return <em data-hop={hop.kind}>{text}</em>
}
