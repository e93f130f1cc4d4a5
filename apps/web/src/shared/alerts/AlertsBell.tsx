import type { Address } from '@lineage/referral-api'
import BellIcon from '@mui/icons-material/NotificationsNoneOutlined'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { IconButton } from '../frame/Button.tsx'
import { lazyPart } from '../frame/ErrorBoundary.tsx'
import { useAlerts } from './useAlerts.ts'

const AlertsDialog = lazyPart(() => import('./AlertsDialog.tsx'))
const most = 99

/** Renders the bell of the top bar with the number of unread alerts. A click opens the list. */
export default function AlertsBell({ account }: { account: Address }) {
  const { t } = useLazyTranslation('alerts')
  const [state, setState] = useState<'closed' | 'open'>('closed')
  const unread = useAlerts(account).data?.unread ?? 0
  const label = unread > 0 ? t('bell.unread', { count: unread }) : t('bell')
  return (
    <>
      <Bell
        className="alerts"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={state === 'open'}
        onClick={() => setState('open')}
        onPointerEnter={() => void AlertsDialog.preload().catch(() => undefined)}
      >
        <BellIcon fontSize="small" />
        {unread > 0 && <span aria-hidden>{unread > most ? `${most}+` : unread}</span>}
      </Bell>
      {state === 'open' && (
        <AlertsDialog onError={() => setState('closed')} account={account} onClose={() => setState('closed')} />
      )}
    </>
  )
}

const Bell = styled(IconButton)(({ theme }) => ({
  // On a phone, the "wrong network" button leaves no room for the bell.
  '@media (max-width: 29.4969em)': {
    'header:has(.wk-button[data-color="error"]) &': { display: 'none' },
  },
  position: 'relative',
  minWidth: 40,
  height: 40,
  '& span': {
    position: 'absolute',
    top: 3,
    right: 1,
    minWidth: 16,
    padding: '0 4px',
    boxSizing: 'border-box',
    borderRadius: 8,
    background: theme.vars?.palette.primary.main,
    color: theme.vars?.palette.primary.contrastText,
    fontSize: '0.6875rem',
    fontWeight: 500,
    lineHeight: '16px',
    fontVariantNumeric: 'tabular-nums',
  },
}))
