import type { Member } from '@lineage/referral-api'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/format.ts'
import { Quiet } from '../frame/controls.tsx'

type Props = {
  seconds: number
  /** `ago` is printed as a day. */
  form: 'day' | 'moment' | 'ago'
  /** Unix seconds that `ago` counts from; by default now. */
  now?: number
}

/** Shows a time of the chain in UTC; the whole moment is in its title. */
export function Time({ seconds, form, now }: Props) {
  const format = useFormat()
  return (
    <time
      dateTime={new Date(seconds * 1_000).toISOString()}
      title={format.moment(seconds)}
      {...(form === 'ago' && { 'data-printed': format.day(seconds) })}
    >
      {form === 'ago' ? format.ago(seconds, now) : format[form](seconds)}
    </time>
  )
}

/** Shows the blocks that a bind may be of, which has no date. */
export function Between({ between: { from, to } }: { between: NonNullable<Member['between']> }) {
  const { t } = useTranslation()
  const format = useFormat()
  return <span>{t('member.between', { from: format.count(from), to: format.count(to) })}</span>
}

/** Says how many members have no date, if there are any. */
export function Undated({ count }: { count: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  return count > 0 && <Quiet>{t('growth.undated', { number: format.count(count) })}</Quiet>
}
