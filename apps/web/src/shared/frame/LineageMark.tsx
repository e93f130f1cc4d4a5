import { styled } from '@mui/material/styles'

type Props = {
  /** `broken`: the line ends early. `apart`: one node is not connected. */
  form?: 'whole' | 'broken' | 'apart'
  height?: number
}

/** Draws the product's motif: a line with nodes that branches once. */
export function LineageMark({ form = 'whole', height = 132 }: Props) {
  return (
    <Root aria-hidden width={(height * 72) / 132} height={height} viewBox="0 0 72 132" fill="none">
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
    </Root>
  )
}

const Root = styled('svg')(({ theme }) => ({
  flex: 'none',
  stroke: theme.vars?.palette.text.primary,
  strokeWidth: 1.25,
  '& .node': { fill: theme.vars?.palette.text.primary, stroke: 'none' },
  '& .me': { fill: theme.vars?.palette.primary.main, stroke: 'none' },
  '& .faint': { opacity: 0.5 },
  '& .missing': { strokeDasharray: '3 3' },
}))
