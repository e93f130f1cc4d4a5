import type { Address } from '@lineage/referral-api'
import { Identicon } from '@lineage/wallet-kit'
import CopyIcon from '@mui/icons-material/ContentCopyOutlined'
import OpenIcon from '@mui/icons-material/OpenInNewOutlined'
import Divider from '@mui/material/Divider'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { fonts } from '../../lib/theme.ts'
import { lookupPath } from '../../paths.ts'
import { inMain } from '../frame/inMain.ts'
import { useExplorer } from '../lookup/useCommunity.ts'
import { useCopy } from './useCopy.ts'

/** What can be done with an address. */
export default function AddressMenu({
  address,
  anchor,
  onClose,
}: {
  address: Address
  anchor: HTMLElement
  onClose: () => void
}) {
  const { t } = useTranslation()
  const [parameters] = useSearchParams()
  const copy = useCopy()
  const explorer = useExplorer()
  return (
    <Menu
      open
      anchorEl={anchor}
      container={inMain}
      onClose={onClose}
      slotProps={{ list: { 'aria-label': t('address.menu') } }}
    >
      <Subject role="presentation">
        <Identicon address={address} size={28} />
        <span>{inGroups(address)}</span>
      </Subject>
      <MenuItem
        onClick={() => {
          void copy(address)
          onClose()
        }}
      >
        <CopyIcon fontSize="small" />
        {t('address.copy')}
      </MenuItem>
      {explorer && (
        <MenuItem
          component="a"
          href={`${explorer}/address/${address}`}
          target="_blank"
          rel="noreferrer"
          onClick={onClose}
        >
          <OpenIcon fontSize="small" />
          {t('address.explorer')}
        </MenuItem>
      )}
      <Divider />
      {(['community', 'referrals', 'referrers', 'search'] as const).map((name) => (
        <MenuItem key={name} component={Link} to={lookupPath(name, parameters, { address })} onClick={onClose}>
          {t(`address.look.${name}`)}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** The whole address, four by four, so that two can be compared by eye. */
const inGroups = (address: string) => `0x ${address.slice(2).match(/.{4}/g)?.join(' ')}`

const Subject = styled('li')({
  display: 'flex',
  gap: 12,
  alignItems: 'center',
  width: 292,
  padding: '10px 12px 12px',
  font: `400 0.8125rem/1.7 ${fonts.address}`,
})
