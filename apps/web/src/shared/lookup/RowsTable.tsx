import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { phone } from '../../lib/theme.ts'
import { visuallyHidden } from '../../lib/visuallyHidden.ts'
import type { Column } from './Column.ts'
import { cellProps, phoneRows } from './phoneRows.ts'
import { SortableHead } from './SortableHead.tsx'

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
          {columns.map((column) => (
            <SortableHead key={column.key} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {columns.map((column) => (
              <td key={column.key} {...cellProps(column)}>
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
  '& caption': visuallyHidden,
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
  [phone]: {
    ...phoneRows(theme),
    '& thead': { display: 'block', paddingBottom: 8 },
    '& thead th': { padding: 0, height: 'auto' },
    '& thead:not(:has(button))': visuallyHidden,
    '& tbody tr': { ...phoneRows(theme)['& tbody tr'], borderTop: `1px solid ${theme.vars?.palette.divider}` },
    '& td': { height: 'auto', padding: 0, border: 0 },
  },
}))
