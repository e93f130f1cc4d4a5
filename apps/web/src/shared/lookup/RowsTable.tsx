import { styled, type Theme } from '@mui/material/styles'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { phone, visuallyHidden } from '../../lib/theme.ts'
import { announce } from '../frame/Announcer.tsx'

type Props = {
  caption: string
  /** Stands on phones before the columns that sort. */
  sortBy?: string
  columns: readonly Column[]
  rows: readonly { key: string; cells: Record<string, ReactNode> }[]
}

/** Renders a table; on phones each row has two lines, the second with labels. The first column names the row, after its rank. */
export function RowsTable({ caption, sortBy, columns, rows }: Props) {
  const name = columns.find(({ narrow }) => !narrow)
  return (
    <Table>
      <caption>{caption}</caption>
      <thead>
        <tr data-sort={sortBy}>
          {columns.map((column) => (
            <SortableHead key={column.key} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {columns.map((column) => (
              <Cell key={column.key} column={column} as={column === name ? 'th' : 'td'}>
                {cells[column.key]}
              </Cell>
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
  '& th': { fontWeight: 400, textAlign: 'left' },
  '& thead th': {
    padding: '0 0 0 20px',
    height: 36,
    fontSize: '0.8125rem',
    whiteSpace: 'nowrap',
    color: theme.vars?.palette.text.secondary,
  },
  '& tbody :is(th, td)': {
    padding: '0 0 0 20px',
    height: 48,
    borderTop: `1px solid ${theme.vars?.palette.divider}`,
    whiteSpace: 'nowrap',
  },
  '& th:first-of-type:not(td + th), & td:first-of-type:not(th + td)': { paddingLeft: 0 },
  '& [data-align="end"]': { textAlign: 'right' },
  '& td[data-narrow="true"]': { width: 44, color: theme.vars?.palette.text.secondary },
  [phone]: {
    ...phoneRows(theme),
    '& thead': { display: 'block', paddingBottom: 8 },
    '& thead th': { padding: 0, height: 'auto' },
    '& thead:not(:has(button))': visuallyHidden,
    '& tbody tr': { ...phoneRows(theme)['& tbody tr'], borderTop: `1px solid ${theme.vars?.palette.divider}` },
    '& tbody :is(th, td)': { height: 'auto', padding: 0, border: 0 },
  },
}))

/** Renders the header cell of a column: a button that sorts, or plain text. */
export function SortableHead({ column: { label, align, narrow, place, sorted, onSort } }: { column: Column }) {
  const { t } = useTranslation()
  const before = useRef(sorted)
  useEffect(() => {
    // Not all screen readers tell a new `aria-sort`.
    if (sorted && before.current !== sorted) announce(t(`row.${sorted}`, { column: label }))
    before.current = sorted
  }, [sorted, label, t])
  if (!onSort)
    return (
      <th scope="col" data-align={align} data-narrow={narrow} data-place={place}>
        {label}
      </th>
    )
  return (
    <th scope="col" data-align={align} aria-sort={sorted ?? 'none'}>
      <SortButton type="button" onClick={onSort}>
        <i aria-hidden>{sorted && arrows[sorted]}</i>
        <span>{label}</span>
      </SortButton>
    </th>
  )
}

const arrows = { ascending: '↑', descending: '↓' }

const SortButton = styled('button')(({ theme }) => ({
  minHeight: 44,
  padding: 0,
  border: 0,
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  cursor: 'pointer',
  '& i': { display: 'inline-block', width: 14, marginLeft: -14, fontStyle: 'normal' },
  '&:hover': { color: theme.vars?.palette.text.primary },
  '[aria-sort="ascending"] > &, [aria-sort="descending"] > &': { color: theme.vars?.palette.primary.main },
}))

/**
 * Returns the styles of a table on phones: rows of two lines, the second with a label before each value. Of the
 * header, only columns that sort are visible; screen readers read all. Browsers keep the table roles with this `display`, because the table has
 * a name and headers.
 */
export const phoneRows = (theme: Theme) => ({
  '& thead tr': { display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-start', gap: '0 26px' },
  '& thead tr[data-sort]::before': { content: 'attr(data-sort)', alignSelf: 'center', marginRight: -6 },
  '& thead th:not([aria-sort])': visuallyHidden,
  '& tbody tr': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '0 18px',
    padding: '8px 0 10px',
    breakInside: 'avoid',
  },
  '& tbody :is(th, td):not([data-label], [data-narrow="true"], [data-place])': { flex: '1 1 auto' },
  '& th[data-narrow="true"], & td[data-narrow="true"]': { display: 'none' },
  '& th[data-place="wide"], & td[data-place="wide"]': { display: 'none' },
  '& td[data-place="besideName"]': { color: theme.vars?.palette.text.secondary },
  // Keeps the touch targets of addresses in both lines apart; both gaps around the line break count.
  '& tbody tr:has(td[data-label] button)': { rowGap: 6 },
  // Starts the second line.
  '& tbody tr::after': { content: '""', order: 1, flexBasis: '100%' },
  '& td[data-label]': { order: 2 },
  '& td[data-label]:empty': { display: 'none' },
  '& td[data-align="end"], & td[data-label]': { textAlign: 'left', lineHeight: '22px', fontSize: '0.8125rem' },
  '& td[data-label]::before': { content: 'attr(data-label) "\\2002"', color: theme.vars?.palette.text.secondary },
})

type CellProps = { column: Column; as: 'th' | 'td'; children: ReactNode }

/** Renders a cell, `th` if it names the row, for the layout of `phoneRows`. */
export const Cell = ({ column: { align, narrow, place, short, label }, as: Element, children }: CellProps) => (
  <Element
    {...(Element === 'th' && { scope: 'row' })}
    data-align={align}
    data-narrow={narrow}
    data-place={place}
    data-label={place === 'below' || (align === 'end' && !place) ? (short ?? label) : undefined}
  >
    {children}
  </Element>
)

/** Column of a table. */
export type Column = {
  key: string
  label: string
  /** Label on phones, repeated before each value. */
  short?: string
  align?: 'start' | 'end'
  narrow?: boolean
  /** Place on phones: in the first line without a label, in the second with the values, or none. */
  place?: 'besideName' | 'below' | 'wide'
  sorted?: 'ascending' | 'descending'
  onSort?: () => void
}
