import type { Address } from '@lineage/referral-api'
import CardIcon from '@mui/icons-material/PhotoCameraBackOutlined'
import IconButton from '@mui/material/IconButton'
import { useState } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { LazyBoundary } from '../frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../frame/lazyWithPreload.tsx'

const CardDialog = lazyWithPreload(() => import('./CardDialog.tsx'))

/** Renders the button that opens a member's card as a picture. */
export default function CardButton({ address }: { address: Address }) {
  const { t } = useLazyTranslation('share')
  const [state, setState] = useState<'closed' | 'open'>('closed')
  return (
    <>
      <IconButton aria-label={t('open')} title={t('open')} onClick={() => setState('open')}>
        <CardIcon fontSize="small" />
      </IconButton>
      {state === 'open' && (
        <LazyBoundary onError={() => setState('closed')}>
          <CardDialog address={address} onClose={() => setState('closed')} />
        </LazyBoundary>
      )}
    </>
  )
}
