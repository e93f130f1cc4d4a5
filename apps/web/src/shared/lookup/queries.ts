import type { Address } from '@lineage/referral-api'
import { useEffect } from 'react'
import { keepOf, refreshEvery, useAnswer } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import type { More } from '../../lib/pages.ts'
import { announce } from '../frame/Announcer.tsx'

export const useMember = (community: string, address: Address) =>
  useAnswer([community, 'member', address], (api, signal) => api.member(community, address, { signal }))

/** Number of levels that load at a time: anybody can make a line of a hundred thousand members, each below the last. */
export const levelsAtOnce = 500

/** Returns the text of the button that loads more: its own, or that it loads or has failed, which is announced. */
export function useMoreText(state: More['state'] = 'ready', own: string): string {
  const { t } = useTranslation()
  const failed = t('tree.failed')
  useEffect(() => {
    if (state === 'failed') announce(failed)
  }, [state, failed])
  return { ready: own, loading: t('loading'), failed: `${failed} ${t('failure.retry')}` }[state]
}

/**
 * Loads the metrics of a community, with the members of each day.
 *
 * @param every Milliseconds between requests while the page is visible; an unchanged answer is a 304.
 */
export function useMetrics(community: string, every = 3_000) {
  const tz = useFormat().timeZone
  return useAnswer(
    [community, 'metrics', tz],
    (api, signal) => api.metrics(community, { tz, series: 'members', depthTo: levelsAtOnce - 1, signal }),
    { placeholderData: keepOf(community, 'metrics'), refetchInterval: refreshEvery(every) },
  )
}
