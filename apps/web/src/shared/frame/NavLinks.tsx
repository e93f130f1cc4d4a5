import { useTranslation } from 'react-i18next'
import { NavLink, useSearchParams } from 'react-router-dom'
import { lookupNames, lookupPath } from '../../paths.ts'

/** The five lookups in their order; each keeps the address looked up. */
export function NavLinks({ onClick }: { onClick?: () => void }) {
  const { t } = useTranslation()
  const [parameters] = useSearchParams()
  return lookupNames.map((name) => (
    <NavLink key={name} to={lookupPath(name, parameters)} end {...(onClick && { onClick })}>
      {t(`nav.${name}`)}
    </NavLink>
  ))
}
