import type { Address } from '@lineage/referral-api'
import { Identicon } from '@lineage/wallet-kit'
import WarningIcon from '@mui/icons-material/WarningAmberOutlined'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { fonts, hitArea } from '../../lib/theme.ts'
import { lazyPart } from '../frame/ErrorBoundary.tsx'
import { useLabel } from '../labels/labelsStore.ts'
import { shorten } from './parseAddress.ts'
import { useLookAlike } from './useLookAlike.ts'

const AddressMenu = lazyPart(() => import('./AddressMenu.tsx'))

/** Shows a shortened address, in full on hover and focus; a click opens its menu. */
export function AddressText({ address, me = false, tabIndex }: { address: Address; me?: boolean; tabIndex?: 0 | -1 }) {
  const { t } = useTranslation()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const alike = useLookAlike(address)
  const label = useLabel(address)
  return (
    <Root>
      <Handle
        type="button"
        aria-haspopup="menu"
        tabIndex={tabIndex}
        aria-expanded={anchor !== null}
        data-me={me}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Identicon address={address} size={20} />
        <span data-watched={label?.watched}>
          {label?.text && <bdi>{label.text}</bdi>}
          <span translate="no">{shorten(address)}</span>
        </span>
        <Whole translate="no" aria-hidden>
          {address}
        </Whole>
      </Handle>
      {alike && (
        <Alike role="img" aria-label={t('address.alike')} title={t('address.alike')}>
          <WarningIcon fontSize="inherit" />
        </Alike>
      )}
      {anchor && (
        <AddressMenu
          onError={() => setAnchor(null)}
          address={address}
          anchor={anchor}
          onClose={() => setAnchor(null)}
        />
      )}
    </Root>
  )
}

const Root = styled('span')({
  display: 'inline-flex',
  verticalAlign: 'middle',
  alignItems: 'center',
  gap: 4,
  minWidth: 0,
  maxWidth: '100%',
})

const Handle = styled('button')(({ theme }) => ({
  ...hitArea('-6px 0'),
  display: 'inline-flex',
  alignItems: 'center',
  gap: 8,
  minWidth: 0,
  minHeight: 32,
  padding: 0,
  border: 0,
  background: 'none',
  color: 'inherit',
  font: `400 0.875rem/1.4 ${fonts.address}`,
  cursor: 'pointer',
  whiteSpace: 'nowrap',
  anchorName: '--address',
  anchorScope: '--address',
  '& bdi, & [data-watched="true"]::before': { font: `500 0.875rem/1.4 ${fonts.text}` },
  '& bdi': {
    // If there is little room, the label shrinks, not the address.
    flex: '0 1 auto',
    minWidth: 0,
    maxWidth: '10em',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '& [data-watched="true"]::before': { content: '"★" / ""', color: theme.vars?.palette.primary.main },
  '&[data-me="true"]': { color: theme.vars?.palette.primary.main },
  '& > span:first-of-type': {
    display: 'inline-flex',
    gap: '1ch',
    minWidth: 0,
    borderBottom: '1px solid transparent',
  },
  '&:hover > span:first-of-type': { borderBottomColor: 'currentColor' },
  '@media (hover: hover)': { '&:hover > span:last-of-type': { display: 'block' } },
  '&:focus-visible > span:last-of-type': { display: 'block' },
  '&[aria-expanded="true"] > span:last-of-type': { display: 'none' },
  // Print shows every address in full.
  '@media print': {
    '& > span:last-of-type': {
      display: 'block',
      position: 'static',
      width: 'auto',
      padding: 0,
      background: 'none',
      color: 'inherit',
    },
    // Hides the short form; the label stays.
    '& > span:first-of-type > span': { display: 'none' },
  },
}))

const Whole = styled('span')(({ theme }) => ({
  position: 'absolute',
  zIndex: 2,
  left: 20,
  bottom: '100%',
  padding: '4px 10px',
  borderRadius: 8,
  fontSize: '0.75rem',
  pointerEvents: 'none',
  // Remove it from the layout: its width would make a phone's page scroll sideways.
  display: 'none',
  'dd &': { left: 'auto', right: 0 },
  background: theme.vars?.palette.text.primary,
  color: theme.vars?.palette.background.default,
  boxSizing: 'content-box',
  width: '42ch',
  // Wraps to two lines if one is too short.
  '@media (max-width: 599.95px)': { width: '21ch' },
  whiteSpace: 'normal',
  overflowWrap: 'anywhere',
  // Stays on the screen, and makes no page wider. Without a scope, as in Chrome 129, it would be placed at the page's last address.
  '@supports (position-area: top) and (anchor-scope: all)': {
    '&, dd &': { inset: 'auto' },
    position: 'fixed',
    positionAnchor: '--address',
    positionArea: 'top span-right',
    positionTryFallbacks: 'flip-inline, top span-all, flip-block, flip-block flip-inline',
  },
}))

const Alike = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  fontSize: 16,
  color: theme.vars?.palette.warning.main,
}))
