import { useFormat } from '../../lib/format.ts'

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
