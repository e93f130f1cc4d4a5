import type { Address } from '@lineage/referral-api'
import LabelIcon from '@mui/icons-material/EditNoteOutlined'
import BellIcon from '@mui/icons-material/NotificationAddOutlined'
import WatchedIcon from '@mui/icons-material/StarOutlined'
import WatchIcon from '@mui/icons-material/StarOutlineOutlined'
import IconButton from '@mui/material/IconButton'
import { use, useState } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { useSignedIn } from '../../lib/useAccount.ts'
import { LazyBoundary } from '../frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../frame/lazyWithPreload.tsx'
import { CommunityContext } from '../lookup/useCommunity.ts'
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

const WatchDialog = lazyWithPreload(() => import('../alerts/WatchDialog.tsx'))

/** Renders the button that opens the alert settings of an address, for the signed-in account. */
function AlertsButton({ address }: { address: Address }) {
  const { t } = useLazyTranslation('alerts')
  const account = useSignedIn()
  const community = use(CommunityContext)
  const [state, setState] = useState<'closed' | 'open'>('closed')
  if (!account || !community) return null
  return (
    <>
      <IconButton aria-label={t('watch.button')} title={t('watch.button')} onClick={() => setState('open')}>
        <BellIcon fontSize="small" />
      </IconButton>
      {state === 'open' && (
        <LazyBoundary onError={() => setState('closed')}>
          <WatchDialog account={account} community={community} address={address} onClose={() => setState('closed')} />
        </LazyBoundary>
      )}
    </>
  )
}
