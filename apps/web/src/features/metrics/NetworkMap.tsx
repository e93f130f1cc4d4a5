import type { Community } from '@lineage/referral-api'
import type { ReactNode } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { Section } from '../../shared/lookup/Section.tsx'
import TeamMap from '../../shared/map/TeamMap.tsx'

/** Shows the map of the whole community. */
export default function NetworkMap({ community, aside }: { community: Community; aside: ReactNode }) {
  const { t } = useLazyTranslation('map')
  return (
    <Section title={t('titleOfAll')} aside={aside}>
      <TeamMap community={community} />
    </Section>
  )
}
