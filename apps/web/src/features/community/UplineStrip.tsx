import type { Member } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { filledNode, hitArea, lineNode } from '../../lib/theme.ts'
import { lookupPath } from '../../paths.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { Link } from '../../shared/frame/Link.tsx'

/** Shows a member's place in its upline: root, referrer, the member and its directs. */
export function UplineStrip({ member }: { member: Member }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [parameters] = useSearchParams()
  const between = member.depth - 2
  return (
    <Strip aria-label={t('strip.label')}>
      {member.depth > 1 && (
        <li>
          <small>{t('strip.root')}</small>
          <AddressText address={member.root} />
        </li>
      )}
      {between > 0 && (
        <li data-kind="gap">
          <small>{t('strip.between')}</small>
          <Link to={lookupPath('referrers', parameters, { address: member.address })}>
            {t('people', { count: between, number: format.count(between) })}
          </Link>
        </li>
      )}
      {member.referrer && (
        <li>
          <small>{t(member.depth === 1 ? 'strip.referrerRoot' : 'strip.referrer')}</small>
          <AddressText address={member.referrer} />
        </li>
      )}
      <li data-kind="me" aria-current="true">
        <small>{t('strip.me')}</small>
        <AddressText address={member.address} me />
      </li>
      <li data-kind={member.directs > 0 ? 'below' : 'end'}>
        <small>{t('strip.below')}</small>
        {member.directs > 0 ? (
          <Link to={lookupPath('referrals', parameters, { address: member.address })}>
            {t('strip.directs', { count: member.directs, number: format.count(member.directs) })}
          </Link>
        ) : (
          <span>{t('strip.none')}</span>
        )}
      </li>
    </Strip>
  )
}

const Strip = styled('ol')(({ theme }) => {
  const ink = theme.vars?.palette.text.primary
  const line = `color-mix(in srgb, ${ink} 40%, transparent)`
  return {
    display: 'flex',
    margin: '20px 0 0',
    '& li': {
      position: 'relative',
      flex: '1 1 0',
      minWidth: 0,
      paddingTop: 22,
      fontSize: '0.875rem',
      '&::before': { ...lineNode, position: 'absolute', zIndex: 1, top: 0, left: 0 },
      '&::after': { content: '""', position: 'absolute', top: 4, left: 9, right: 0, height: 1, background: line },
      '&:last-of-type::after': { display: 'none' },
    },
    '& li[data-kind="me"]::before': filledNode,
    '& li[data-kind="gap"]': {
      '&::before': { display: 'none' },
      '&::after': { left: 0, background: 'none', borderTop: `1px dashed ${line}`, height: 0 },
    },
    '& li[data-kind="end"]::before': { borderStyle: 'dashed' },
    '@media (forced-colors: active)': {
      '& li:not([data-kind="gap"])::after': { background: 'CanvasText', forcedColorAdjust: 'none' },
    },
    '& small': { display: 'block', fontSize: '0.75rem', color: theme.vars?.palette.text.secondary },
    '& a': {
      ...hitArea('-6px 0'),
      display: 'inline-block',
      lineHeight: '32px',
      color: 'inherit',
      textDecorationColor: line,
      textUnderlineOffset: 4,
      '&:hover': { textDecorationColor: 'currentColor' },
    },
    '& li > span:last-child': { lineHeight: '32px' },
    // Print has whole addresses.
    '@media print': { gap: 12 },
    '@media (max-width: 767.95px)': {
      flexDirection: 'column',
      '& li': {
        flex: 'none',
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: '0 12px',
        minHeight: 44,
        padding: '0 0 0 28px',
        '&::before': { top: 17.5 },
        '&::after, &[data-kind="gap"]::after': {
          top: 22,
          bottom: -22,
          left: 4,
          right: 'auto',
          width: 1,
          height: 'auto',
        },
        '&[data-kind="gap"]::after': { width: 0, borderTop: 0, borderLeft: `1px dashed ${line}` },
      },
      // The header above names it.
      '& li[data-kind="me"]': { display: 'none' },
      '& small': { width: '5.25rem', lineHeight: '44px', flex: 'none' },
    },
  }
})
