import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

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
type Props = {
  caption: string
  columns: readonly Column[]
  rows: readonly { key: string; cells: Record<string, ReactNode> }[]
}

/** Renders a table; on phones each row has two lines, the second with labels. */
export function RowsTable({ caption, columns, rows }: Props) {
  return (
    <Table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ key, label, align, sorted, onSort }) => (
            <th key={key} scope="col" data-align={align} {...(onSort && { 'aria-sort': sorted ?? 'none' })}>
              {onSort ? (
                <button type="button" onClick={onSort}>
                  {label}
                  <i aria-hidden>{sorted === 'ascending' ? '↑' : sorted === 'descending' ? '↓' : ''}</i>
                </button>
              ) : (
                label
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {columns.map((column) => (
              <td
                key={column.key}
                data-align={column.align}
                data-narrow={column.narrow}
                data-place={column.place}
                data-label={isLabelled(column) ? (column.short ?? column.label) : undefined}
              >
                {cells[column.key]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** `true` for cells in the second line on phones. */
const isLabelled = ({ align, place }: Column) => place === 'below' || (align === 'end' && !place)

const Table = styled('table')(({ theme }) => ({
  width: '100%',
  borderCollapse: 'collapse',
  fontSize: '0.875rem',
  '& caption': { position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' },
  '& th': {
    padding: '0 0 0 20px',
    height: 36,
    fontSize: '0.8125rem',
    fontWeight: 400,
    textAlign: 'left',
    whiteSpace: 'nowrap',
    color: theme.vars?.palette.text.secondary,
  },
  '& td': {
    padding: '0 0 0 20px',
    height: 48,
    borderTop: `1px solid ${theme.vars?.palette.divider}`,
    whiteSpace: 'nowrap',
  },
  '& th:first-of-type, & td:first-of-type': { paddingLeft: 0 },
  '& [data-align="end"]': { textAlign: 'right' },
  '& td[data-narrow="true"]': { width: 44, color: theme.vars?.palette.text.secondary },
  '& th button': {
    minHeight: 36,
    padding: 0,
    border: 0,
    background: 'none',
    color: 'inherit',
    font: 'inherit',
    cursor: 'pointer',
    '& i': { display: 'inline-block', width: 14, marginRight: -14, fontStyle: 'normal' },
    '&:hover': { color: theme.vars?.palette.text.primary },
  },
  '& th[aria-sort="ascending"] button, & th[aria-sort="descending"] button': {
    color: theme.vars?.palette.primary.main,
  },
  '@media (max-width: 767.95px)': {
    // Browsers keep the table roles with this `display`: the table has a caption and headers.
    '& thead tr': { display: 'flex', flexWrap: 'wrap', gap: '0 26px', paddingBottom: 8 },
    '& thead th': { padding: 0, height: 'auto', lineHeight: '36px' },
    '& thead:not(:has(button))': {
      position: 'absolute',
      width: 1,
      height: 1,
      overflow: 'hidden',
      clipPath: 'inset(50%)',
    },
    '& th:not([aria-sort])': { display: 'none' },
    '& tbody tr': {
      display: 'flex',
      flexWrap: 'wrap',
      gap: '0 18px',
      alignItems: 'center',
      padding: '8px 0 10px',
      borderTop: `1px solid ${theme.vars?.palette.divider}`,
    },
    '& td': { height: 'auto', padding: 0, border: 0 },
    '& td:not([data-label]):not([data-narrow="true"]):not([data-place])': { flex: '1 1 50%' },
    '& td[data-narrow="true"]': { display: 'none' },
    '& td[data-place="besideName"]': { order: 0, color: theme.vars?.palette.text.secondary },
    // Starts the second line.
    '& tbody tr::after': { content: '""', order: 1, flexBasis: '100%' },
    '& td[data-label]': { order: 2 },
    '& td[data-align="end"], & td[data-label]': { textAlign: 'left', lineHeight: '22px', fontSize: '0.8125rem' },
    '& td[data-label]::before': {
      content: 'attr(data-label) "\\2002"',
      color: theme.vars?.palette.text.secondary,
    },
  },
}))
