import { styled } from '@mui/material/styles'

const height = 28
const step = 4

/** Draws a small bar for each day. The text beside it states their sum. */
export function Sparkbars({ label, values }: { label: string; values: readonly number[] }) {
  const greatest = Math.max(1, ...values)
  return (
    <Root role="img" aria-label={label} width={values.length * step} height={height}>
      {values.map((value, index) => {
        const tall = value === 0 ? 0 : Math.max(1, (value / greatest) * (height - 1))
        return <rect key={index} x={index * step} y={height - 1 - tall} width={step - 1} height={tall} />
      })}
      <line x1={0} x2={values.length * step - 1} y1={height - 0.5} y2={height - 0.5} />
    </Root>
  )
}

const Root = styled('svg')(({ theme }) => ({
  '& rect': { fill: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 72%, transparent)` },
  '& line': { stroke: theme.vars?.palette.divider },
}))
