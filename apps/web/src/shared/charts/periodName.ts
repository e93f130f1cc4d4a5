import type { GrowthInterval } from '@lineage/referral-api'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'

export const intervals: readonly GrowthInterval[] = ['day', 'week', 'month']

/** Returns the function that names a day, week or month by its first day. */
export function usePeriodName(interval: GrowthInterval): (from: string) => string {
  const { t } = useLazyTranslation('period')
  const format = useFormat()
  return {
    day: format.longDay,
    week: (from: string) => t('weekOf', { day: format.longDay(from) }),
    month: format.month,
  }[interval]
}
