import { styled } from '@mui/material/styles'
import type { ReactElement, ReactNode } from 'react'
import { largeText } from '../../lib/theme.ts'

type Props = {
  label: string
  value: string | ReactElement
  unit?: string
  exact?: string
  note?: ReactNode
  size?: 'key' | 'plain'
}

/** Shows a key figure: large number, small label. */
export function Figure({ label, value, unit, exact, note, size = 'plain' }: Props) {
  const isLong = typeof value === 'string' && value.length + (unit?.length ?? 0) > 9
  return (
    <Root data-size={size} data-long={isLong}>
      <dt>{label}</dt>
      <dd title={exact}>
        <span>{value}</span>
        {unit && <small>{` ${unit}`}</small>}
      </dd>
      {note && <dd className="note">{note}</dd>}
    </Root>
  )
}

const Root = styled('div')(({ theme }) => ({
  minWidth: 0,
  '& dt': { fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& dd': { margin: 0, fontSize: '1.75rem', lineHeight: 1.35, fontWeight: 500, letterSpacing: '-0.01em' },
  '&[data-size="key"] dd': { fontSize: '2.375rem', lineHeight: 1.25 },
  '& dd small': { fontSize: '0.8125rem', fontWeight: 400, letterSpacing: 0, color: theme.vars?.palette.text.secondary },
  '& dd.note, &[data-size="key"] dd.note': {
    fontSize: '0.8125rem',
    fontWeight: 400,
    lineHeight: 1.6,
    letterSpacing: 0,
    color: theme.vars?.palette.text.secondary,
  },
}))

/** Lays out key figures side by side. */
export const Figures = styled('dl')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(148px, 1fr))',
  gap: '24px 0',
  margin: 0,
  overflow: 'hidden',
  '& > div': { padding: '0 20px', marginLeft: -1, borderLeft: `1px solid ${theme.vars?.palette.divider}` },
  // Clips the left border and indent of the first figure in each row.
  marginInline: -20,
  clipPath: 'inset(0 0 0 20px)',
  // In em, because larger text needs fewer columns.
  '@media (max-width: 67.4969em)': { '&:has(> :nth-of-type(6))': { gridTemplateColumns: 'repeat(3, 1fr)' } },
  '@media (max-width: 767.95px)': {
    // Before the rule above, and not its selector: Firefox 115 drops a rule with `:has`.
    '&&': { gridTemplateColumns: '1fr 1fr', rowGap: 14 },
    '& dd': { fontSize: '1.5rem' },
    // Keeps an amount and its unit on one line: digits are wider in the fonts of English pages.
    'html:lang(en) & > [data-long="true"] dd': { fontSize: '1.25rem', lineHeight: '2rem' },
  },
  [largeText]: { '&&': { gridTemplateColumns: '1fr' } },
}))
