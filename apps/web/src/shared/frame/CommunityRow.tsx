import { Link, useSearchParams } from 'react-router-dom'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { lookupPath } from '../../paths.ts'
import { RadioRow } from './RadioRow.tsx'
import { useCommunityChoice } from './useCommunityChoice.ts'

/** Switches between communities in the drawer, and links to the list of all. */
export default function CommunityRow({ onClose }: { onClose: () => void }) {
  const { t } = useLazyTranslation('communities')
  const [parameters] = useSearchParams()
  return (
    <>
      <RadioRow labelled="visibly" {...useCommunityChoice()} />
      <Link className="plain" to={lookupPath('metrics', parameters, { view: 'communities' })} onClick={onClose}>
        {t('all')}
      </Link>
    </>
  )
}
