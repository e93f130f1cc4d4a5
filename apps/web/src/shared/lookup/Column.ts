/** Column of a table. */
export type Column = {
  key: string
  label: string
  /** Label on phones, repeated before each value. */
  short?: string
  align?: 'start' | 'end'
  narrow?: boolean
  /** Place on phones: in the first line without a label, or in the second with the values. */
  place?: 'besideName' | 'below'
  sorted?: 'ascending' | 'descending'
  onSort?: () => void
}
