import { styled } from '@mui/material/styles'
import { type ReactNode, useId } from 'react'

/** Renders a titled section of an answer. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <Root aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </Root>
  )
}

const Root = styled('section')(({ theme }) => ({
  minWidth: 0,
  marginTop: 40,
  paddingTop: 18,
  borderTop: `1px solid ${theme.vars?.palette.divider}`,
  '& > header': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '4px 20px',
    minHeight: 38,
    marginBottom: 12,
    '& h2': { ...theme.typography.h2, margin: 0 },
  },
}))

/** Lays out two sections side by side on wide pages. */
export const Columns = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
  gap: '0 56px',
  '@media (max-width: 899.95px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
})
