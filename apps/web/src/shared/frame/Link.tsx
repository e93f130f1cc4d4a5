import type { ComponentProps } from 'react'
import { useHref, useLinkClickHandler } from 'react-router-dom'

type Props = Omit<ComponentProps<'a'>, 'href'> & { to: string; state?: unknown }

/** Renders a link to a page of the app. react-router’s own also brings its forms and preloading, which nothing here uses. */
export function Link({ to, state, onClick, ...props }: Props) {
  const href = useHref(to)
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, { state, ...(props.target && { target: props.target }) })
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        onClick?.(event)
        if (!event.defaultPrevented) follow(event)
      }}
    />
  )
}
