import { NavLink, useSearchParams } from 'react-router-dom'
import { useTranslation } from '../../lib/i18n.ts'
import { lookupNames, lookupPath } from '../../paths.ts'

/** Links to the five lookups; each keeps the current address. */
export function NavLinks({ onClick }: { onClick?: () => void }) {
  const { t } = useTranslation()
  const [parameters] = useSearchParams()
  return lookupNames.map((name) => (
    <NavLink
      key={name}
      to={lookupPath(name, parameters)}
      end
      data-short={t(`nav.${name}.short`)}
      {...(onClick && { onClick })}
    >
      <span>{t(`nav.${name}`)}</span>
    </NavLink>
  ))
}
