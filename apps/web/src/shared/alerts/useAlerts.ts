import { type Address, ReferralApiError } from '@lineage/referral-api'
import { createAlertsClient } from '@lineage/referral-api/account-clients'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { refreshEvery, useApi } from '../../lib/api.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { useNotify } from '../../lib/notices.ts'

/** Returns the client of the account's alerts. */
export function useAlertsClient() {
  const api = useApi()
  return useMemo(() => createAlertsClient(api), [api])
}

/** Query options of account data, which is removed from memory when the account signs out. */
const private_ = { gcTime: 0, retry: false } as const

/** Returns the newest alerts of the account. */
export function useAlerts(account: Address) {
  const client = useAlertsClient()
  return useQuery({
    queryKey: ['alerts', account],
    queryFn: () => client.list({ limit: 50 }),
    refetchInterval: refreshEvery(5_000),
    ...private_,
  })
}

/** Returns the account's watches, webhooks and feed. */
export function useAlertSettings(account: Address) {
  const client = useAlertsClient()
  return useQuery({
    queryKey: ['alerts', account, 'settings'],
    queryFn: client.settings,
    refetchInterval: refreshEvery(15_000),
    // Also with an open stream, which has no deliveries.
    meta: {},
    ...private_,
  })
}

/** Returns a function that reloads the account's alerts and settings. */
export function useReloadAlerts(): () => Promise<void> {
  const queryClient = useQueryClient()
  return useCallback(() => queryClient.invalidateQueries({ queryKey: ['alerts'] }), [queryClient])
}

/** Returns the options of a mutation of alerts: it shows why it failed, and reloads at its end. */
export function useChangeOptions() {
  const { t } = useLazyTranslation('alerts')
  const notify = useNotify()
  const onError = (error: unknown) => {
    const code = error instanceof ReferralApiError ? error.code : ''
    notify(t(`failure.${reasons[code] ?? 'failed'}`), 'error')
  }
  return { networkMode: 'always', onError, onSettled: useReloadAlerts() } as const
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
