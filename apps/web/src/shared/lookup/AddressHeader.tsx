import type { Address } from '@lineage/referral-api'
import { Identicon, useWalletKitState } from '@lineage/wallet-kit'
import MoreIcon from '@mui/icons-material/MoreHorizOutlined'
import { styled } from '@mui/material/styles'
import { type ReactNode, useState } from 'react'
import { useConfig } from '../../lib/api.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { fonts, hitArea, largeText, visuallyHidden } from '../../lib/theme.ts'
import { shorten } from '../address/parseAddress.ts'
import { useCopy } from '../address/useCopy.ts'
import { Button, IconButton } from '../frame/Button.tsx'
import { lazyPart } from '../frame/ErrorBoundary.tsx'
import { useAccount } from '../frame/KitProvider.tsx'
import { useLabel } from '../labels/labelsStore.ts'
import { useAnswerShown } from './AnswerBoundary.tsx'

const AddressMenu = lazyPart(() => import('../address/AddressMenu.tsx'))
const AddressName = lazyPart(() => import('./AddressName.tsx'))

type Props = {
  address: Address
  /** Moment of the shared link, if it differs from that of the page's URL. */
  moment?: string | undefined
  /** Main figure of the answer, which is announced with the address. `undefined` while it loads. */
  summary: string | undefined
  children: ReactNode
}

/**
 * Shows the address that a page is about, below its name if it has one, with its actions. Screen readers read the heading short,
 * and then the address in groups of four.
 */
export function AddressHeader({ address, moment, summary, children }: Props) {
  const { t } = useTranslation()
  const label = useLabel(address)?.text
  const name = useWalletKitState(({ names }) => names[address.toLowerCase()]?.name)
  const names = useConfig().data?.names
  const isMine = useAccount() === address
  useAnswerShown(address, summary)
  return (
    <Root>
      <Identicon address={address} size={52} />
      <div>
        {label || name ? (
          <>
            <h2 className="name">
              <bdi>{label || name}</bdi>
            </h2>
            <p className="address" aria-hidden>
              <Whole address={address} />
            </p>
          </>
        ) : (
          <h2 className="address" aria-label={shorten(address)}>
            <Whole address={address} />
          </h2>
        )}
        <p className="spelled" translate="no">
          {address.match(/0x|.{4}/g)?.join(' ')}
        </p>
        <div className="facts">
          {(names?.service || names?.bnb) && (label || !name) && <AddressName address={address} />}
          {isMine && <em>{t('field.mine')}</em>}
          {children}
        </div>
      </div>
      <Actions address={address} moment={moment} />
    </Root>
  )
}

/** Shows a whole address, which breaks in the middle on phones. */
function Whole({ address }: { address: Address }) {
  return (
    <span translate="no">
      <span>{address.slice(0, 22)}</span>
      <wbr />
      <span>{address.slice(22)}</span>
    </span>
  )
}

function Actions({ address, moment }: Pick<Props, 'address' | 'moment'>) {
  const { t } = useTranslation()
  const copy = useCopy()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const share = () => void shareLink(linkTo(moment), copy)
  return (
    <div className="actions">
      <Button size="small" variant="outlined" aria-label={t('address.copy')} onClick={() => void copy(address)}>
        {t('copy')}
      </Button>
      <Button size="small" variant="outlined" aria-label={t('member.share')} onClick={share}>
        {t('share')}
      </Button>
      <IconButton
        aria-label={t('more')}
        title={t('more')}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        onPointerEnter={() => void AddressMenu.preload().catch(() => undefined)}
      >
        <MoreIcon fontSize="small" />
      </IconButton>
      {anchor && (
        <AddressMenu
          onError={() => setAnchor(null)}
          address={address}
          anchor={anchor}
          onClose={() => setAnchor(null)}
          onShare={share}
        />
      )}
    </div>
  )
}

function linkTo(moment: string | undefined): string {
  const url = new URL(window.location.href)
  if (moment) url.searchParams.set('asOf', moment)
  return url.href
}

const short = '@media (max-height: 26.9969em)'

const Root = styled('section')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 18,
  padding: '20px 0 8px',
  '& > div:first-of-type': { flex: 1, minWidth: 0 },
  '& h2, & p': { margin: 0 },
  // Not part of what is selected and copied.
  '& .spelled': { ...visuallyHidden, userSelect: 'none' },
  '& .name': { fontSize: '1.25rem', lineHeight: 1.4, fontWeight: 600, overflowWrap: 'anywhere' },
  '& .address': { font: `500 1.125rem/1.45 ${fonts.address}`, letterSpacing: '-0.01em' },
  '& p.address': { fontSize: '0.8125rem', fontWeight: 400, color: theme.vars?.palette.text.secondary },
  '& .address span span': { display: 'inline-block', maxWidth: '100%', overflowWrap: 'anywhere' },
  '& .facts': {
    minHeight: '1.6em',
    marginTop: 2,
    fontSize: '0.8125rem',
    lineHeight: 1.6,
    color: theme.vars?.palette.text.secondary,
  },
  '& em': { marginRight: 10, fontStyle: 'normal', color: theme.vars?.palette.primary.main },
  // Each moves to the next line as a whole, and breaks only if it is longer than a line.
  '& .facts span, & time, & time ~ a': { display: 'inline-block', whiteSpace: 'break-spaces' },
  '& .facts > span': { whiteSpace: 'normal' },
  '& details': { display: 'inline-block' },
  '& summary': {
    ...hitArea('-10px 0'),
    width: 'fit-content',
    listStyle: 'none',
    cursor: 'pointer',
    textDecoration: 'underline dotted',
    textUnderlineOffset: 4,
    '&::-webkit-details-marker': { display: 'none' },
  },
  '@media print': { '& details::details-content': { display: 'block', contentVisibility: 'visible' } },
  '& time ~ a': { color: 'inherit', textUnderlineOffset: 4 },
  '& .attention': { color: theme.vars?.palette.warning.main },
  '& .actions': { display: 'flex', alignItems: 'center', gap: 8 },
  '@media (max-width: 767.95px)': {
    flexWrap: 'wrap',
    gap: '4px 14px',
    padding: '0 0 4px',
    '& > svg': { width: 40, height: 40 },
    '& h2.address': { fontSize: '0.9375rem' },
    '& > div:first-of-type': { flexBasis: 'calc(100% - 60px)' },
    '& .actions': { marginLeft: 54 },
  },
  // On a phone that lies on its side, and with large text, the key figures fit the screen: the menu has all actions.
  [short]: { flexWrap: 'nowrap', '& .actions': { marginLeft: 0 }, '& .actions > .button': { display: 'none' } },
  [largeText]: {
    position: 'relative',
    '& > svg, & .actions > .button': { display: 'none' },
    '& h2.address, & p.address': { fontSize: '0.6875rem' },
    '& .address span span': { display: 'inline' },
    '& .facts': {
      '& span, & time, & time ~ a': { display: 'inline', whiteSpace: 'normal' },
      // Only the last line leaves room for the menu.
      '& > :last-child:not(details), & summary > :last-child, & details > :last-child': { marginRight: 44 },
      '& details': { display: 'block' },
    },
    '& .actions': { position: 'absolute', right: 0, bottom: 0 },
  },
}))

/** Opens the share sheet on phones; otherwise copies the link. */
async function shareLink(url: string, copy: (text: string) => Promise<boolean>): Promise<void> {
  const isPhone = window.matchMedia('(pointer: coarse)').matches
  if (!isPhone || !navigator.share) {
    await copy(url)
    return
  }
  try {
    await navigator.share({ url })
  } catch (error) {
    // The user closed the sheet.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copy(url)
  }
}
