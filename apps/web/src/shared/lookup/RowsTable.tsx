import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

type Column = {
  key: string
  label: string
  /** On a phone, where a label stands before every figure. */
  short?: string
  align?: 'start' | 'end'
  narrow?: boolean
}
type Props = {
  caption: string
  columns: readonly Column[]
  rows: readonly { key: string; cells: Record<string, ReactNode> }[]
}

/** A table under hairlines; on a phone each row takes two lines, the second with its labels. */
export function RowsTable({ caption, columns, rows }: Props) {
  return (
    <Table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ key, label, align }) => (
            <th key={key} scope="col" data-align={align}>
              {label}
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
                data-label={column.align === 'end' ? (column.short ?? column.label) : undefined}
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
  '@media (max-width: 767.95px)': {
    // `display` takes a table's meaning from it in some browsers only for layout tables; the roles stay implied here.
    '& thead': {
      position: 'absolute',
      width: 1,
      height: 1,
      overflow: 'hidden',
      clipPath: 'inset(50%)',
    },
    '& tbody tr': {
      display: 'flex',
      flexWrap: 'wrap',
      gap: '0 18px',
      alignItems: 'center',
      padding: '8px 0 10px',
      borderTop: `1px solid ${theme.vars?.palette.divider}`,
    },
    '& td': { height: 'auto', padding: 0, border: 0 },
    '& td:not([data-align="end"]):not([data-narrow="true"])': { flex: '1 1 50%' },
    '& td[data-narrow="true"]': { display: 'none' },
    // The second line begins here.
    '& tbody tr::after': { content: '""', order: 1, flexBasis: '100%' },
    '& td[data-label]': { order: 2 },
    '& td[data-align="end"]': { textAlign: 'left', lineHeight: '22px', fontSize: '0.8125rem' },
    '& td[data-label]::before': {
      content: 'attr(data-label) "\\2002"',
      color: theme.vars?.palette.text.secondary,
    },
  },
}))
