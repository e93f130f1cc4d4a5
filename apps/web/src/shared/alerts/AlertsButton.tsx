import type { Address } from '@lineage/referral-api'
import BellIcon from '@mui/icons-material/NotificationAddOutlined'
import IconButton from '@mui/material/IconButton'
import { use, useState } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { useSignedIn } from '../../lib/useSignedIn.ts'
import { LazyBoundary } from '../frame/LazyBoundary.tsx'
import { lazyWithPreload } from '../frame/lazyWithPreload.tsx'
import { CommunityContext } from '../lookup/useCommunity.ts'

const WatchDialog = lazyWithPreload(() => import('./WatchDialog.tsx'))

/** Renders the button that opens the alert settings of an address, for the signed-in account. */
export function AlertsButton({ address }: { address: Address }) {
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
