import type { Member, MemberSummary } from '@lineage/referral-api'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { Quiet } from '../frame/controls.tsx'

export type TimeProps = {
  seconds: number
  /** `ago` is printed as a day. */
  form: 'day' | 'moment' | 'ago'
  /** Unix seconds that `ago` counts from; by default now. */
  now?: number
  /** Stands after the moment in the title, and in print. */
  beside?: string | undefined
}

/** Shows a time of the chain in the page's time zone; the whole moment is in its title. */
export function Time({ seconds, form, now, beside }: TimeProps) {
  const format = useFormat()
  const withBeside = (text: string) => (beside ? `${text} · ${beside}` : text)
  return (
    // The server has counted from another moment, and its words for dates may be of another version than the browser's.
    <time
      suppressHydrationWarning
      dateTime={new Date(seconds * 1_000).toISOString()}
      title={withBeside(format.moment(seconds))}
      {...((form === 'ago' || beside) && { 'data-printed': withBeside(format.day(seconds)) })}
    >
      {form === 'ago' ? format.ago(seconds, now) : format[form](seconds)}
    </time>
  )
}

/** Shows when a member joined, with the block in the title and in print; or why that has no date, or that it is not bound. */
export function Joined({
  of: { joinedAt, grade, block },
  ...time
}: { of: Join } & Omit<TimeProps, 'seconds' | 'beside'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const beside = typeof block === 'number' ? t('member.block', { block: format.count(block) }) : undefined
  if (joinedAt !== null) return <Time seconds={joinedAt} beside={beside} {...time} />
  return <span>{t(grade && grade !== 'exact' ? `grade.${grade}` : 'member.placeholder.short')}</span>
}

type Join = Pick<MemberSummary, 'joinedAt' | 'grade'> & { block?: number | null }

/** Shows the blocks that a bind without a date may be of. */
export function Between({ of: { between, grade } }: { of: Pick<Member, 'between' | 'grade'> }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!between) return null
  const blocks = t('member.between', { from: format.count(between.from), to: format.count(between.to) })
  return <span>{grade === 'observed' ? `${blocks} · ${t('grade.observed')}` : blocks}</span>
}

/** Says how many members have no date, if there are any. */
export function Undated({ count }: { count: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  return count > 0 && <Quiet>{t('growth.undated', { number: format.count(count) })}</Quiet>
}
