import { useTexts } from '../../lib/useTexts.ts'
import { AddressLink } from '../address/AddressLink.tsx'
import { AddressRow } from '../address/RecentAddresses.tsx'
import { useLabels } from './labels.ts'

/** As many as a row has room for; all of them are on the page of addresses. */
const most = 8

/** The watch list, one tap from a lookup. */
export default function WatchedAddresses() {
  const { t } = useTexts('labels')
  const shown = useLabels((state) => state.shown)
  const watched = [...shown.values()].filter((label) => label.watched).slice(0, most)
  if (watched.length === 0) return null
  return (
    <AddressRow aria-label={t('list.watched')}>
      <span>{t('list.watched')}</span>
      {watched.map(({ address }) => (
        <AddressLink key={address} address={address} />
      ))}
    </AddressRow>
  )
}
