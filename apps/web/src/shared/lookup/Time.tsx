import { useFormat } from '../../lib/useFormat.ts'

/** Shows a time of the chain in UTC; a day has the whole moment in its title. */
export function Time({ seconds, form }: { seconds: number; form: 'day' | 'moment' }) {
  const format = useFormat()
  return (
    <time dateTime={new Date(seconds * 1_000).toISOString()} title={format.moment(seconds)}>
      {format[form](seconds)}
    </time>
  )
}
