import type { GrowthInterval } from '@lineage/referral-api'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/format.ts'

export const intervals: readonly GrowthInterval[] = ['day', 'week', 'month']

/** Returns the function that names a day, week or month by its first day. */
export function usePeriodName(interval: GrowthInterval): (from: string) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return {
    day: format.longDay,
    week: (from: string) => t('teamGrowth.weekOf', { day: format.longDay(from) }),
    month: format.month,
  }[interval]
}
