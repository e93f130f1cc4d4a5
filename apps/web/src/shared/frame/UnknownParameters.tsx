import { useLocation, useSearchParams } from 'react-router-dom'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { unusedParameters } from '../../parameters.ts'
import { lookupOf } from '../../paths.ts'
import { PageNote } from '../past/NowOnly.tsx'
import { Announced } from './Announcer.tsx'

/** Shows a note that parameters of the link have no effect, because the answer would be taken for one with them. */
export default function UnknownParameters() {
  const { pathname } = useLocation()
  const [parameters] = useSearchParams()
  const page = lookupOf(pathname)
  const unused = page ? unusedParameters(page, parameters) : []
  return unused.length > 0 && <Unused names={unused} />
}

function Unused({ names }: { names: readonly string[] }) {
  const { t, i18n } = useLazyTranslation('history')
  const list = new Intl.ListFormat(i18n.language).format(names.map((name) => `“${name.slice(0, 40)}”`))
  return (
    <PageNote>
      <Announced>{t('past.unused', { names: list })}</Announced>
    </PageNote>
  )
}
