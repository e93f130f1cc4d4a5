import { useLocation, useSearchParams } from 'react-router-dom'
import { useTranslation } from '../../lib/i18n.ts'
import { lookupNames, lookupOf, lookupPath } from '../../paths.ts'
import { Link } from './Link.tsx'

/** Links to the five lookups; each keeps the current address. */
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
