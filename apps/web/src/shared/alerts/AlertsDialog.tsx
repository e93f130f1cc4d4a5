import type { Address } from '@lineage/referral-api'
import BackIcon from '@mui/icons-material/ArrowBackOutlined'
import CloseIcon from '@mui/icons-material/CloseOutlined'
import SettingsIcon from '@mui/icons-material/TuneOutlined'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import { useId, useState } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { IconButton } from '../frame/Button.tsx'
import { lazyPart } from '../frame/ErrorBoundary.tsx'
import { Dialog } from '../frame/layers.tsx'
import { AlertsList } from './AlertsList.tsx'

const AlertSettings = lazyPart(() => import('./AlertSettings.tsx'))

/** Shows the account's alerts and alert settings. */
export default function AlertsDialog({ account, onClose }: { account: Address; onClose: () => void }) {
  const { t } = useLazyTranslation('alerts')
  const id = useId()
  const [view, setView] = useState<'list' | 'settings'>('list')
  const isList = view === 'list'
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby={id}>
      <Head>
        <h2 id={id}>{t(isList ? 'title' : 'list.settings')}</h2>
        <IconButton
          aria-label={t(isList ? 'list.settings' : 'list.back')}
          title={t(isList ? 'list.settings' : 'list.back')}
          onClick={() => setView(isList ? 'settings' : 'list')}
        >
          {isList ? <SettingsIcon fontSize="small" /> : <BackIcon fontSize="small" />}
        </IconButton>
        <IconButton aria-label={t('close')} title={t('close')} onClick={onClose}>
          <CloseIcon fontSize="small" />
        </IconButton>
      </Head>
      <DialogContent sx={{ minHeight: 240 }}>
        {isList ? (
          <AlertsList account={account} onFollow={onClose} />
        ) : (
          <AlertSettings onError={() => setView('list')} account={account} />
        )}
      </DialogContent>
    </Dialog>
  )
}

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  padding: '12px 12px 8px 24px',
  '& h2': { ...theme.typography.h2, flex: 1, margin: 0 },
}))
