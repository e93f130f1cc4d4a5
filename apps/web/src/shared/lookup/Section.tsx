import { styled } from '@mui/material/styles'
import { type ReactNode, useId } from 'react'
import { visuallyHidden } from '../../lib/theme.ts'

type Props = {
  title: string
  /** `aloud`: only screen readers read the title, and no line is above it. */
  titled?: 'visibly' | 'aloud'
  aside?: ReactNode
  children?: ReactNode
}

/** Renders a titled section of an answer. */
export function Section({ title, titled = 'visibly', aside, children }: Props) {
  const id = useId()
  return (
    <Root aria-labelledby={id} data-titled={titled}>
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
    breakAfter: 'avoid',
    '& h2': { ...theme.typography.h2, margin: 0 },
  },
  '&[data-titled="aloud"]': { marginTop: 0, borderTop: 0, '& > header': visuallyHidden },
}))

/** Lays out the choices of a section side by side. */
export const Controls = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: '8px 32px' })

/** Lays out two sections side by side on wide pages. */
export const Columns = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
  gap: '0 56px',
  '@media (max-width: 899.95px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
})
