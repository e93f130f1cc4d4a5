import { ReferralApiError } from '@lineage/referral-api'
import { useCallback } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { useNotify } from '../../lib/notices.ts'

/** Returns a function that shows why a change failed. */
export function useAlertFailure(): (error: unknown) => void {
  const { t } = useLazyTranslation('alerts')
  const notify = useNotify()
  return useCallback(
    (error) => {
      const code = error instanceof ReferralApiError ? error.code : ''
      notify(t(`failure.${reasons[code] ?? 'failed'}`), 'error')
    },
    [t, notify],
  )
}

type Reason = 'limit' | 'signedOut' | 'busy' | 'unreachable' | 'webhook' | 'failed'
const reasons: Record<string, Reason | undefined> = {
  too_many_watches: 'limit',
  too_many_webhooks: 'limit',
  unauthenticated: 'signedOut',
  rate_limited: 'busy',
  unreachable: 'unreachable',
  unavailable: 'unreachable',
  indexing: 'unreachable',
  invalid_webhook: 'webhook',
}
