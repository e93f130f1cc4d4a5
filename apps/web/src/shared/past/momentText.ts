import type { TFunction } from 'i18next'
import type { Format } from '../../lib/format.ts'
import type { At } from './useMoment.ts'

/** Names a past moment by its time and its block, as far as they are known. */
export function momentText({ block, timestamp }: At, t: TFunction<'history'>, format: Format): string {
  if (block === null) return t('past.asOfDay', { moment: format.moment(timestamp ?? 0) })
  const number = format.count(block)
  return timestamp === null
    ? t('past.asOfBlock', { block: number })
    : t('past.asOfBoth', { moment: format.moment(timestamp), block: number })
}
