import { styled } from '@mui/material/styles'
import { visuallyHidden } from '../../lib/visuallyHidden.ts'

/** Renders the logo: the motif and the product's name. */
export function Logo() {
  return (
    <Root>
      <svg aria-hidden width="26" height="28" viewBox="4 1 26 29" fill="none" stroke="currentColor" strokeWidth="1.5">
        <path d="M9 5v21M9 15h6c6 0 10 2 10 7" />
        <g fill="currentColor" stroke="none">
          <circle cx="9" cy="5" r="3" />
          <circle cx="9" cy="26" r="3" />
          <circle className="me" cx="25" cy="24" r="3.5" />
        </g>
      </svg>
      <span>Lineage</span>
    </Root>
  )
}

const Root = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 8,
  fontSize: '1.0625rem',
  fontWeight: 600,
  letterSpacing: '0.01em',
  '& .me': { fill: theme.vars?.palette.primary.main },
  '@media (max-width: 479.95px)': { '& > span': visuallyHidden },
}))
