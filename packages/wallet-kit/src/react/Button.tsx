import { type ComponentPropsWithoutRef, forwardRef, type ReactElement, type Ref } from 'react'

type ButtonProps = Omit<ComponentPropsWithoutRef<'button'>, 'color' | 'children'> &
  Pick<ComponentPropsWithoutRef<'a'>, 'href' | 'target' | 'rel'> & {
    variant?: 'text' | 'outlined' | 'contained'
    color?: 'primary' | 'error' | 'inherit'
    size?: 'small' | 'medium'
    startIcon?: ReactElement
    children?: string | ReactElement
  }

/** Renders a button, or with `href` a link that looks like one. */
export const Button = forwardRef(function Button(
  { variant = 'text', color = 'primary', size = 'medium', startIcon, className, children, ...props }: ButtonProps,
  ref: Ref<HTMLElement>,
) {
  const shared = {
    // Without it, Safari does not focus a clicked button.
    tabIndex: 0,
    ...props,
    // Classes of the app win over the kit's, which are in a cascade layer.
    className: className ? `wk-button ${className}` : 'wk-button wk-own',
    'data-variant': variant,
    'data-color': color,
    'data-size': size,
    children: startIcon ? (
      <>
        {startIcon}
        {/* An element of its own, because the browser's translation replaces text. */}
        <span className="wk-own">{children}</span>
      </>
    ) : (
      children
    ),
  }
  if (props.href === undefined) return <button type="button" {...shared} ref={ref as Ref<HTMLButtonElement>} />
  return <a {...(shared as ComponentPropsWithoutRef<'a'>)} ref={ref as Ref<HTMLAnchorElement>} />
})
