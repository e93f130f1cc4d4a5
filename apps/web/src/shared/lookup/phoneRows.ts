import type { Theme } from '@mui/material/styles'
import { visuallyHidden } from '../../lib/visuallyHidden.ts'
import type { Column } from './Column.ts'

/**
 * Returns the styles of a table on phones: rows of two lines, the second with a label before each value. Of the
 * header, only columns that sort are visible; screen readers read all. Browsers keep the table roles with this `display`, because the table has
 * a name and headers.
 */
export const phoneRows = (theme: Theme) => ({
  '& thead tr': { display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-start', gap: '0 26px' },
  '& th:not([aria-sort])': visuallyHidden,
  '& tbody tr': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '0 18px', padding: '8px 0 10px' },
  '& td:not([data-label], [data-narrow="true"], [data-place])': { flex: '1 1 auto' },
  '& th[data-narrow="true"], & td[data-narrow="true"]': { display: 'none' },
  '& td[data-place="besideName"]': { color: theme.vars?.palette.text.secondary },
  // Keeps the touch targets of addresses in both lines apart; both gaps around the line break count.
  '& tbody tr:has(td[data-label] button)': { rowGap: 6 },
  // Starts the second line.
  '& tbody tr::after': { content: '""', order: 1, flexBasis: '100%' },
  '& td[data-label]': { order: 2 },
  '& td[data-align="end"], & td[data-label]': { textAlign: 'left', lineHeight: '22px', fontSize: '0.8125rem' },
  '& td[data-label]::before': { content: 'attr(data-label) "\\2002"', color: theme.vars?.palette.text.secondary },
})

/** Returns the attributes of a cell for the layout of `phoneRows`. */
export const cellProps = ({ align, narrow, place, short, label }: Column) => ({
  'data-align': align,
  'data-narrow': narrow,
  'data-place': place,
  'data-label': place === 'below' || (align === 'end' && !place) ? (short ?? label) : undefined,
})
