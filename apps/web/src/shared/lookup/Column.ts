/** Column of a table. */
export type Column = {
  key: string
  label: string
  /** Label on phones, where it is repeated before each value. */
  short?: string
  align?: 'start' | 'end'
  narrow?: boolean
  /** On phones: in the first line without a label, or in the second with the values. */
  place?: 'besideName' | 'below'
  sorted?: 'ascending' | 'descending'
  onSort?: () => void
}
