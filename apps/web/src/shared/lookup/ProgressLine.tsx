import { styled } from '@mui/material/styles'

type Props = {
  label: string
  /** Between 0 and 1; `undefined` when unknown. */
  part: number | undefined
  className?: string
}

/** Draws a progress bar: a node that moves along a line. */
export function ProgressLine({ label, part, className }: Props) {
  return (
    <Root
      className={className}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(part !== undefined && { 'aria-valuenow': Math.round(part * 100) })}
    >
      <span style={{ width: `${(part ?? 0) * 100}%` }} />
    </Root>
  )
}

const Root = styled('div')(({ theme }) => ({
  position: 'relative',
  height: 1,
  margin: '28px 4px 16px 0',
  background: theme.vars?.palette.divider,
  '& span': {
    position: 'absolute',
    inset: '-0.5px auto -0.5px 0',
    background: theme.vars?.palette.primary.main,
    transition: 'width 160ms ease-out',
    '&::after': {
      content: '""',
      position: 'absolute',
      right: -4,
      top: -3,
      width: 8,
      height: 8,
      borderRadius: '50%',
      background: theme.vars?.palette.primary.main,
    },
  },
}))
