import type { Address } from '@lineage/referral-api'
import LabelIcon from '@mui/icons-material/EditNoteOutlined'
import WatchedIcon from '@mui/icons-material/StarOutlined'
import WatchIcon from '@mui/icons-material/StarOutlineOutlined'
import IconButton from '@mui/material/IconButton'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { AlertsButton } from '../alerts/AlertsButton.tsx'
import { useLabel, useLabels } from './labelsStore.ts'

/** Renders the buttons that label an address, watch it, and open its alert settings. */
export default function LabelButtons({ address }: { address: Address }) {
  const { t } = useLazyTranslation('labels')
  const label = useLabel(address)
  const actions = useLabels((state) => state.actions)
  const watched = label?.watched ?? false
  const edit = t(label?.text ? 'menu.edit' : 'menu.add')
  const watch = t(watched ? 'menu.unwatch' : 'menu.watch')
  return (
    <>
      <IconButton
        aria-label={edit}
        title={edit}
        disabled={!actions}
        onClick={() => actions?.openDialog({ name: 'edit', address })}
      >
        <LabelIcon fontSize="small" />
      </IconButton>
      <IconButton
        aria-label={watch}
        title={watch}
        disabled={!actions}
        onClick={() => void actions?.save(address, { text: label?.text ?? '', watched: !watched })}
      >
        {watched ? <WatchedIcon fontSize="small" color="primary" /> : <WatchIcon fontSize="small" />}
      </IconButton>
      <AlertsButton address={address} />
    </>
  )
}
