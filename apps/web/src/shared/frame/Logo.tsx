import { styled } from '@mui/material/styles'
import { visuallyHidden } from '../../lib/theme.ts'

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

type MarkProps = {
  /** `broken`: the line ends early. `apart`: one node is not connected. */
  form?: 'whole' | 'broken' | 'apart'
  height?: number
}

/** Draws the product's motif: a line with nodes that branches once. */
export function LineageMark({ form = 'whole', height = 132 }: MarkProps) {
  return (
    <Picture aria-hidden width={(height * 72) / 132} height={height} viewBox="0 0 72 132" fill="none">
      <circle cx="16" cy="10" r="5" className="node" />
      {form === 'broken' ? (
        <>
          <path d="M16 10v58" />
          <path d="M16 74v34" className="faint" strokeDasharray="3 5" />
          <circle cx="16" cy="116" r="5.5" className="missing" />
        </>
      ) : (
        <>
          <path d="M16 10v112" />
          <circle cx="16" cy="122" r="5" className="node" />
          {form === 'whole' && <path d="M16 58h14c16 0 26 9 26 28" />}
          <circle cx="56" cy="92" r="6" className={form === 'whole' ? 'me' : 'missing'} />
        </>
      )}
    </Picture>
  )
}

const Picture = styled('svg')(({ theme }) => ({
  flex: 'none',
  stroke: theme.vars?.palette.text.primary,
  strokeWidth: 1.25,
  '& .node': { fill: theme.vars?.palette.text.primary, stroke: 'none' },
  '& .me': { fill: theme.vars?.palette.primary.main, stroke: 'none' },
  '& .faint': { opacity: 0.5 },
  '& .missing': { strokeDasharray: '3 3' },
}))
