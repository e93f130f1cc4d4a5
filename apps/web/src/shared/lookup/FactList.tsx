import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { fonts } from '../../lib/theme.ts'

/** `note` explains the name. */
type Fact = readonly [name: string, value: ReactNode, note?: string]

/** Renders a list of names and values. Rows that are `false` or `null` are left out. */
export function FactList({ rows }: { rows: readonly (Fact | false | null)[] }) {
  const facts = rows.filter((row) => row !== false && row !== null)
  return (
    <Root>
      {facts.map(([name, value, note]) => (
        <div key={name}>
          <dt>
            {note ? (
              <>
                <span>{name}</span>
                <small>{note}</small>
              </>
            ) : (
              name
            )}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </Root>
  )
}

const Root = styled('dl')(({ theme }) => ({
  margin: 0,
  fontSize: '0.875rem',
  '& > div': {
    display: 'flex',
    justifyContent: 'space-between',
    alignItems: 'center',
    gap: 24,
    minHeight: 43,
    boxSizing: 'border-box',
    padding: '5px 0',
    borderBottom: `1px solid ${theme.vars?.palette.divider}`,
  },
  '& small': { display: 'block', fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& dd': { margin: 0, textAlign: 'right', overflowWrap: 'anywhere' },
  '& dt': { flex: 'none' },
  // A name with an explanation wraps beside a number.
  '& dt:has(small)': { flex: '0 1 auto', '& + dd': { flex: 'none' } },
  '& code': { fontFamily: fonts.address, fontSize: '0.8125rem', overflowWrap: 'anywhere' },
  '& dd > a': { color: 'inherit', textUnderlineOffset: 4 },
}))
