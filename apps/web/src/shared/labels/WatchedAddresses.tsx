import type { Label } from '@lineage/referral-api'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { AddressLink } from '../address/AddressLink.tsx'
import { AddressRow } from '../address/RecentAddresses.tsx'
import { useLabels } from './labelsStore.ts'

/** Largest number of links: they fit in a row, and the address page lists all. */
const maxShown = 8

/** Links to watched addresses. */
export default function WatchedAddresses() {
  const labels = useLabels((state) => state.labels)
  const watched = [...labels.values()].filter((label) => label.watched).slice(0, maxShown)
  return watched.length > 0 && <WatchedRow watched={watched} />
}

/** Renders the row. Its texts load only for it. */
function WatchedRow({ watched }: { watched: readonly Label[] }) {
  const { t } = useLazyTranslation('labels')
  return (
    <AddressRow aria-label={t('list.watched')}>
      <span>{t('list.watched')}</span>
      {watched.map(({ address }) => (
        <AddressLink key={address} address={address} />
      ))}
    </AddressRow>
  )
}
