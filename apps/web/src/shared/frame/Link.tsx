import type { ComponentProps } from 'react'
import { useHref, useLinkClickHandler, useLocation, useSearchParams } from 'react-router-dom'
import { useTranslation } from '../../lib/i18n.ts'
import { lookupNames, lookupOf, lookupPath } from '../../paths.ts'

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

/** Links to the lookups; each keeps the current address. */
export function NavLinks({ onClick }: { onClick?: () => void }) {
  const { t } = useTranslation()
  const [parameters] = useSearchParams()
  const current = lookupOf(useLocation().pathname)
  return lookupNames.map((name) => (
    <Link
      key={name}
      to={lookupPath(name, parameters)}
      {...(name === current && { 'aria-current': 'page' as const })}
      data-short={t(`nav.${name}.short`)}
      {...(onClick && { onClick })}
    >
      <span>{t(`nav.${name}`)}</span>
    </Link>
  ))
}
