import { useDefaultProps } from '@mui/material/DefaultPropsProvider'
import { styled, type Theme } from '@mui/material/styles'
import { capitalize } from '@mui/material/utils'
import { type ComponentPropsWithoutRef, forwardRef, type ReactElement, type Ref } from 'react'

type Look = {
  variant?: 'text' | 'outlined' | 'contained'
  color?: 'primary' | 'error' | 'inherit'
  size?: 'small' | 'medium' | 'large'
  disableElevation?: boolean
}

type ButtonProps = Pick<Look, 'variant' | 'color' | 'size'> &
  Omit<ComponentPropsWithoutRef<'button'>, 'color' | 'children'> &
  Pick<ComponentPropsWithoutRef<'a'>, 'href' | 'target' | 'rel'> & {
    startIcon?: ReactElement
    children: string | ReactElement
  }

/**
 * Renders a button, or with `href` a link, that looks like MUI's `Button`. It has MUI's class names, and follows a
 * theme's changes to `MuiButton` and `MuiButtonBase`. MUI's own button weighs 8 kB more, for ripples and progress
 * rings that the kit does not show.
 */
export const Button = forwardRef(function Button(
  { variant, color, size, startIcon, className, children, ...props }: ButtonProps,
  ref: Ref<HTMLElement>,
) {
  const look: Look = useDefaultProps({ props: { variant, color, size } satisfies Partial<Look>, name: 'MuiButton' })
  const shown = { ...look, ...withDefaults(look), disabled: props.disabled ?? false }
  return (
    <Root
      as={props.href === undefined ? 'button' : 'a'}
      {...(props.href === undefined && { type: 'button' })}
      // Without it, Safari does not focus a clicked button.
      tabIndex={0}
      {...props}
      ref={ref as Ref<HTMLButtonElement>}
      className={[...classNames(shown), className].filter(Boolean).join(' ')}
      ownerState={shown}
    >
      {startIcon && <span className="MuiButton-icon MuiButton-startIcon">{startIcon}</span>}
      {typeof children === 'string' ? <span>{children}</span> : children}
    </Root>
  )
})

type OwnerState = Look & Required<Pick<Look, 'variant' | 'color' | 'size'>> & { disabled: boolean }

const withDefaults = ({ variant = 'text', color = 'primary', size = 'medium' }: Look) => ({ variant, color, size })

function classNames({ variant, color, size, disableElevation, disabled }: OwnerState): string[] {
  const names = ['root', variant, `size${capitalize(size)}`, `color${capitalize(color)}`]
  if (disableElevation) names.push('disableElevation')
  return ['MuiButtonBase-root', ...names.map((name) => `MuiButton-${name}`), ...(disabled ? ['Mui-disabled'] : [])]
}

const Base = styled('button', { name: 'MuiButtonBase', slot: 'Root' })({
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  position: 'relative',
  boxSizing: 'border-box',
  WebkitTapHighlightColor: 'transparent',
  outline: 0,
  margin: 0,
  cursor: 'pointer',
  userSelect: 'none',
  verticalAlign: 'middle',
  textDecoration: 'none',
  // A page's own rule for links may underline them.
  '&:hover': { textDecoration: 'none' },
  '&:disabled': { pointerEvents: 'none', cursor: 'default' },
})

const Root = styled(Base, {
  name: 'MuiButton',
  slot: 'Root',
  overridesResolver: ({ ownerState }: { ownerState: OwnerState }, styles) => {
    const { variant, disableElevation } = ownerState
    const [color, size] = [capitalize(ownerState.color), capitalize(ownerState.size)]
    // MUI 7 has class names such as `containedPrimary`.
    const names = ['root', variant, `${variant}${color}`, `size${size}`, `color${color}`]
    return [...names, disableElevation ? 'disableElevation' : ''].map((name) => styles[name])
  },
})<{ ownerState: OwnerState }>(({ theme, ownerState }) => {
  const { variant, size } = ownerState
  return {
    ...theme.typography.button,
    minWidth: 64,
    ...(fontSizes[size] && { fontSize: theme.typography.pxToRem(fontSizes[size]) }),
    padding: paddings[size]?.[variant] ?? '6px 16px',
    borderRadius: (theme.vars ?? theme).shape.borderRadius,
    transition: theme.transitions.create(['background-color', 'box-shadow', 'border-color', 'color'], {
      duration: theme.transitions.duration.short,
    }),
    '@media (prefers-reduced-motion: reduce)': { transition: 'none' },
    ...(variant === 'contained' ? filled(theme, ownerState) : outlinedOrText(theme, ownerState)),
    '& > .MuiButton-startIcon': { display: 'inherit', marginInline: '-4px 8px' },
  }
})

const fontSizes: Record<string, number> = { small: 13, large: 15 }

/** Paddings by variant and size. A theme may have its own sizes and variants. */
const paddings: Partial<Record<string, Partial<Record<string, string>>>> = {
  small: { text: '4px 5px', outlined: '3px 9px', contained: '4px 10px' },
  medium: { text: '6px 8px', outlined: '5px 15px', contained: '6px 16px' },
  large: { text: '8px 11px', outlined: '7px 21px', contained: '8px 22px' },
}

/** Returns the colours and shadows of a filled button. `inherit` uses those of `primary`. */
function filled(theme: Theme, { color, disableElevation }: OwnerState) {
  const { palette, shadows } = theme.vars ?? theme
  const { main, dark, contrastText } = (color === 'inherit' ? undefined : palette[color]) ?? palette.primary
  const raised = (level: 0 | 2 | 4 | 6 | 8) => ({ boxShadow: disableElevation ? 'none' : shadows[level] })
  return {
    border: 0,
    color: contrastText,
    backgroundColor: main,
    ...raised(2),
    '@media (hover: hover)': { '&:hover': { backgroundColor: dark, ...raised(4) } },
    '&:focus-visible': raised(6),
    '&:active': raised(8),
    '&:disabled': { color: palette.action.disabled, backgroundColor: palette.action.disabledBackground, ...raised(0) },
  }
}

/** Returns the colours of a button without a fill. */
function outlinedOrText(theme: Theme, { variant, color }: OwnerState) {
  const { palette } = theme.vars ?? theme
  const main = color === 'inherit' ? undefined : palette[color]?.main
  const { disabled, disabledBackground, hoverOpacity } = palette.action
  const edge = (of: string) => (variant === 'outlined' ? { border: `1px solid ${of}` } : { border: 0 })
  const tint = `color-mix(in srgb, ${main ?? palette.text.primary} calc(${hoverOpacity} * 100%), transparent)`
  return {
    color: main ?? 'inherit',
    backgroundColor: 'transparent',
    ...edge(main ? `color-mix(in srgb, ${main} 50%, transparent)` : 'currentColor'),
    '@media (hover: hover)': { '&:hover': { backgroundColor: tint, ...edge(main ?? 'currentColor') } },
    '&:disabled': { color: disabled, ...edge(disabledBackground) },
  }
}
