import { keyframes, type SxProps, styled, type Theme } from '@mui/material/styles'
import type { ComponentPropsWithRef, ElementType, ReactNode } from 'react'
import { hitArea } from '../../lib/theme.ts'

type Props<element extends ElementType, own> = own & { component?: element; sx?: SxProps<Theme> } & Omit<
    ComponentPropsWithRef<element>,
    keyof own | 'component' | 'sx'
  >

type Own = {
  /** Default: text alone. */
  variant?: 'outlined' | 'contained'
  /** Default: the colour of the text around it. */
  color?: 'primary' | 'error'
  size?: 'small'
  /** Whether it is disabled and shows that it is busy. */
  loading?: boolean
  startIcon?: ReactNode
  endIcon?: ReactNode
  disabled?: boolean
  children: string
}

/**
 * Renders a button, or another `component` that looks like one. MUI's button has the same look, and a ripple and a spinner that
 * would add 7 kB to the first load. The text is in an element of its own: the browser's translation replaces text beside an icon,
 * which React could then not change.
 */
export function Button<element extends ElementType = 'button'>({
  component,
  variant,
  color,
  size,
  loading,
  startIcon,
  endIcon,
  disabled,
  className,
  children,
  ...props
}: Props<element, Own>) {
  return (
    <Root
      {...(component ? { as: component } : { ...ofButtons, disabled: disabled || loading })}
      {...props}
      className={className ? `button ${className}` : 'button'}
      data-variant={variant}
      data-color={color}
      data-size={size}
      data-loading={loading || undefined}
    >
      {startIcon}
      <span>{children}</span>
      {endIcon}
    </Root>
  )
}

type OwnIcon = {
  size?: 'small'
  /** Side on which the icon, instead of the button's edge, is in line with the content above and below. */
  edge?: 'start' | 'end'
  children: ReactNode
}

/** Renders a button with an icon alone. */
export const IconButton = ({ size, edge, children, ...props }: Props<'button', OwnIcon>) => (
  <IconRoot {...ofButtons} {...props} data-size={size} data-edge={edge}>
    {children}
  </IconRoot>
)

// Without `tabIndex`, Safari does not focus a pressed button.
const ofButtons = { type: 'button', tabIndex: 0 } as const

const turn = keyframes({ to: { transform: 'rotate(360deg)' } })

const base = {
  position: 'relative',
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  boxSizing: 'border-box',
  margin: 0,
  border: 0,
  borderRadius: 'var(--mui-shape-borderRadius)',
  background: 'transparent',
  color: 'inherit',
  cursor: 'pointer',
  userSelect: 'none',
  verticalAlign: 'middle',
  textDecoration: 'none',
  transition: 'background-color 160ms ease-out, border-color 160ms ease-out, color 160ms ease-out',
  '@media (hover: hover)': {
    '&:hover': {
      background: 'color-mix(in srgb, currentColor calc(100% * var(--mui-palette-action-hoverOpacity)), transparent)',
    },
  },
  '&:disabled': { color: 'var(--mui-palette-action-disabled)', pointerEvents: 'none' },
} as const

const color = (name: Own['color']) => ({
  '--button-main': `var(--mui-palette-${name}-main)`,
  '--button-dark': `var(--mui-palette-${name}-dark)`,
  '--button-contrast': `var(--mui-palette-${name}-contrastText)`,
  color: 'var(--button-main)',
})

// Otherwise another component, such as a link, would get them and make attributes of them.
const shouldForwardProp = (name: PropertyKey) => name !== 'as' && name !== 'sx' && name !== 'theme'

const Root = styled('button', { shouldForwardProp })(({ theme }) => ({
  ...theme.typography.button,
  ...base,
  gap: 8,
  minWidth: 64,
  minHeight: 40,
  padding: '6px 16px',
  '&[data-color="primary"]': color('primary'),
  '&[data-color="error"]': color('error'),
  '&[data-size="small"]': { minHeight: 32, padding: '3px 10px', fontSize: '0.8125rem', ...hitArea('-6px 0') },
  '&[data-variant="outlined"]': {
    border: '1px solid color-mix(in srgb, currentColor 28%, transparent)',
    '&:hover': { borderColor: 'currentColor', background: 'transparent' },
    '&:disabled': { borderColor: 'var(--mui-palette-action-disabledBackground)' },
  },
  '&[data-variant="contained"]': {
    background: 'var(--button-main)',
    color: 'var(--button-contrast)',
    '@media (hover: hover)': { '&:hover': { background: 'var(--button-dark)' } },
    '&:disabled': {
      background: 'var(--mui-palette-action-disabledBackground)',
      color: 'var(--mui-palette-action-disabled)',
    },
  },
  '&[data-loading] > *': { visibility: 'hidden' },
  '&[data-loading]::before': {
    content: '""',
    position: 'absolute',
    width: 12,
    height: 12,
    border: '2px solid currentColor',
    borderTopColor: 'transparent',
    borderRadius: '50%',
    animation: `${turn} 1.4s linear infinite`,
  },
  '& > svg': { fontSize: '1.125rem' },
}))

const IconRoot = styled('button')({
  ...base,
  ...hitArea('-7px 0'),
  flex: '0 0 auto',
  padding: 8,
  fontSize: '1.5rem',
  '&[data-size="small"]': { padding: 5, fontSize: '1.125rem' },
  '&[data-edge="start"]': { marginLeft: -12 },
  '&[data-edge="end"]': { marginRight: -12 },
  '&:focus-visible': { outlineOffset: -2 },
})
