import type { Label } from '@lineage/referral-api'
import { Suspense } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { AddressLink } from '../address/AddressLink.tsx'
import { AddressRow, ReservedRow } from '../address/RecentAddresses.tsx'
import { useLabels } from './labelsStore.ts'

/** Largest number of links: they fit in a row, and the address page lists all. */
const maxShown = 8

/** Links to watched addresses. */
export default function WatchedAddresses() {
  const labels = useLabels((state) => state.labels)
  const status = useLabels((state) => state.status)
  const watched = [...labels.values()].filter((label) => label.watched).slice(0, maxShown)
  const reserved = <ReservedRow data-of="watched" />
  if (watched.length === 0) return status === 'loading' && reserved
  return (
    <Suspense fallback={reserved}>
      <WatchedRow watched={watched} />
    </Suspense>
  )
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
