import type { Address } from '@lineage/referral-api'
import { Identicon } from '@lineage/wallet-kit'
import CopyIcon from '@mui/icons-material/ContentCopyOutlined'
import LabelIcon from '@mui/icons-material/EditNoteOutlined'
import BindIcon from '@mui/icons-material/HandshakeOutlined'
import LinkIcon from '@mui/icons-material/LinkOutlined'
import BellIcon from '@mui/icons-material/NotificationsNoneOutlined'
import OpenIcon from '@mui/icons-material/OpenInNewOutlined'
import CardIcon from '@mui/icons-material/PhotoCameraBackOutlined'
import WatchedIcon from '@mui/icons-material/StarOutlined'
import WatchIcon from '@mui/icons-material/StarOutlineOutlined'
import Divider from '@mui/material/Divider'
import MenuItem from '@mui/material/MenuItem'
import { styled } from '@mui/material/styles'
import { use, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { fonts } from '../../lib/theme.ts'
import { lookupPath } from '../../paths.ts'
import { menuContainer } from '../frame/controls.tsx'
import { lazyPart } from '../frame/ErrorBoundary.tsx'
import { useAccount, useSignedIn } from '../frame/KitProvider.tsx'
import { Link } from '../frame/Link.tsx'
import { Menu } from '../frame/layers.tsx'
import { useLabel, useLabels } from '../labels/labelsStore.ts'
import { useMember } from '../lookup/queries.ts'
import { CommunityContext, useExplorer } from '../lookup/useCommunity.ts'
import { formatInGroups, shorten } from './parseAddress.ts'
import { useCopy } from './useCopy.ts'

const WatchDialog = lazyPart(() => import('../alerts/WatchDialog.tsx'))
const CardDialog = lazyPart(() => import('../share/CardDialog.tsx'))

type Props = {
  address: Address
  anchor: HTMLElement
  onClose: () => void
  /** Shares the page, whose address this is: offers also its link and card, and no other lookups, which the bar has. */
  onShare?: () => void
}

/** Renders the menu of an address: copy, explorer, label, watch, alerts, look up. */
export default function AddressMenu({ address, anchor, onClose, onShare }: Props) {
  const { t } = useTranslation()
  const [parameters] = useSearchParams()
  const copy = useCopy()
  const explorer = useExplorer()
  const account = useSignedIn()
  const community = use(CommunityContext)
  const [state, setState] = useState<'menu' | 'alerts' | 'card'>('menu')
  const close = () => {
    onClose()
    anchor.focus()
  }
  if (state === 'alerts' && account && community)
    return <WatchDialog onError={close} account={account} community={community} address={address} onClose={close} />
  if (state === 'card') return <CardDialog onError={close} address={address} onClose={close} />
  return (
    <Menu
      open
      anchorEl={anchor}
      container={menuContainer}
      onClose={onClose}
      slotProps={{ list: { 'aria-label': t('address.menu') } }}
    >
      {!onShare && (
        <Subject role="presentation">
          <Identicon address={address} size={28} />
          <span>{formatInGroups(address)}</span>
        </Subject>
      )}
      <MenuItem
        onClick={() => {
          void copy(address)
          onClose()
        }}
      >
        <CopyIcon fontSize="small" />
        <span>{t('address.copy')}</span>
      </MenuItem>
      {onShare && (
        <MenuItem
          onClick={() => {
            onShare()
            onClose()
          }}
        >
          <LinkIcon fontSize="small" />
          <span>{t('member.share')}</span>
        </MenuItem>
      )}
      {onShare && community && <CardItem onClick={() => setState('card')} />}
      {community && <BindItem community={community.id} address={address} onClose={onClose} />}
      {explorer && (
        <MenuItem
          component="a"
          href={`${explorer}/address/${address}`}
          target="_blank"
          rel="noreferrer"
          onClick={onClose}
        >
          <OpenIcon fontSize="small" />
          <span>{t('address.explorer')}</span>
        </MenuItem>
      )}
      <Divider />
      <LabelItems address={address} onClose={onClose} />
      {account && community && <AlertsItem onClick={() => setState('alerts')} />}
      <Divider />
      {!onShare &&
        (['community', 'referrals', 'referrers', 'search'] as const).map((name) => (
          <MenuItem key={name} component={Link} to={lookupPath(name, parameters, { address })} onClick={onClose}>
            <span>{t(`address.look.${name}`)}</span>
          </MenuItem>
        ))}
      <RelationItems address={address} onClose={onClose} />
    </Menu>
  )
}

/** Renders the menu item with the block and transaction of the bind: it opens the transaction, or copies it. */
function BindItem({ community, address, onClose }: { community: string; address: Address; onClose: () => void }) {
  const { t } = useLazyTranslation('labels')
  const format = useFormat()
  const explorer = useExplorer()
  const copy = useCopy()
  const { data, error } = useMember(community, address)
  const { block = null, tx } = data ?? {}
  const text =
    block === null
      ? t(data || error ? 'menu.bind.none' : 'menu.bind.loading')
      : t(tx ? 'menu.bind.tx' : 'menu.bind', { block: format.count(block), tx: shorten(tx ?? '') })
  const press = () => {
    if (tx && !explorer) void copy(tx)
    onClose()
  }
  const link = tx && explorer && { component: 'a', href: `${explorer}/tx/${tx}`, target: '_blank', rel: 'noreferrer' }
  return (
    <MenuItem disabled={!tx} onClick={press} title={tx ?? undefined} {...link}>
      <BindIcon fontSize="small" />
      <span>{text}</span>
    </MenuItem>
  )
}

/** Renders the menu item that opens the address's card as a picture. */
function CardItem({ onClick }: { onClick: () => void }) {
  const { t } = useLazyTranslation('share')
  return (
    <MenuItem onClick={onClick}>
      <CardIcon fontSize="small" />
      <span>{t('title')}</span>
    </MenuItem>
  )
}

/** Renders the menu item that opens the alert settings of the address. */
function AlertsItem({ onClick }: { onClick: () => void }) {
  const { t } = useLazyTranslation('alerts')
  return (
    <MenuItem onClick={onClick}>
      <BellIcon fontSize="small" />
      <span>{t('watch.menu')}</span>
    </MenuItem>
  )
}

/** Renders the menu items that show the relation with another address, the connected account first. */
function RelationItems({ address, onClose }: { address: Address; onClose: () => void }) {
  const { t } = useLazyTranslation('labels')
  const [parameters] = useSearchParams()
  const account = useAccount()
  const to = (changes: Record<string, string>) =>
    lookupPath('referrers', parameters, { view: 'relation', address, ...changes })
  return (
    <>
      {account && account !== address && (
        <MenuItem component={Link} to={to({ to: account })} onClick={onClose}>
          <span>{t('menu.relationToMe')}</span>
        </MenuItem>
      )}
      <MenuItem component={Link} to={to({})} onClick={onClose}>
        <span>{t('menu.relation')}</span>
      </MenuItem>
    </>
  )
}

/** Renders the menu items that label and watch the address. */
function LabelItems({ address, onClose }: { address: Address; onClose: () => void }) {
  const { t } = useLazyTranslation('labels')
  const label = useLabel(address)
  const actions = useLabels((state) => state.actions)
  const watched = label?.watched ?? false
  return (
    <>
      <MenuItem
        disabled={!actions}
        onClick={() => {
          actions?.openDialog({ name: 'edit', address })
          onClose()
        }}
      >
        <LabelIcon fontSize="small" />
        <span>{t(label?.text ? 'menu.edit' : 'menu.add')}</span>
      </MenuItem>
      <MenuItem
        disabled={!actions}
        onClick={() => {
          void actions?.save(address, { text: label?.text ?? '', watched: !watched })
          onClose()
        }}
      >
        {watched ? <WatchedIcon fontSize="small" color="primary" /> : <WatchIcon fontSize="small" />}
        <span>{t(watched ? 'menu.unwatch' : 'menu.watch')}</span>
      </MenuItem>
    </>
  )
}

const Subject = styled('li')({
  display: 'flex',
  gap: 12,
  alignItems: 'center',
  width: 292,
  padding: '10px 12px 12px',
  font: `400 0.8125rem/1.7 ${fonts.address}`,
})
