import { styled } from '@mui/material/styles'
import type { Column } from './Column.ts'

/** Renders the header cell of a column: a button that sorts, or plain text. */
export function SortableHead({ column: { label, align, narrow, sorted, onSort } }: { column: Column }) {
  if (!onSort)
    return (
      <th scope="col" data-align={align} data-narrow={narrow}>
        {label}
      </th>
    )
  return (
    <th scope="col" data-align={align} aria-sort={sorted ?? 'none'}>
      <SortButton type="button" onClick={onSort}>
        <i aria-hidden>{sorted && arrows[sorted]}</i>
        {label}
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
