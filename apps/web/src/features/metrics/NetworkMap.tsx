import type { Community } from '@lineage/referral-api'
import { useLazyTranslation } from '../../lib/useLazyTranslation.ts'
import { Section } from '../../shared/lookup/Section.tsx'
import TeamMap from '../../shared/map/TeamMap.tsx'

/** Shows the map of the whole community. */
export default function NetworkMap({ community }: { community: Community }) {
  const { t } = useLazyTranslation('map')
  return (
    <Section title={t('titleOfAll')}>
      <TeamMap community={community} />
    </Section>
  )
}
