import type { Address, Community } from '@lineage/referral-api'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { BarTable } from '../../shared/charts/BarTable.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { useLevels } from '../../shared/lookup/queries.ts'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'

/** Charts the members of a team by level. */
export function LevelsChart({ address, community }: { address: Address; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const query = useLevels(community.id, address)
  const token = community.tokens.volume
  return (
    <Section title={t('levels.title')}>
      <Answer query={query} skeleton={<Skeleton rows={6} />}>
        {({ items, asOf }) => (
          <BarTable
            caption={t('levels.title')}
            source={{ asOf, address }}
            columns={{
              label: t('levels.level'),
              value: t('levels.members'),
              ...(token && { note: `${t('metrics.volume')} (${token.symbol})` }),
            }}
            bars={items.map(({ level, count, volume }) => ({
              key: String(level),
              label: t('level', { level }),
              value: count,
              text: format.count(count),
              ...(token && { note: format.amount(volume, token) }),
            }))}
          />
        )}
      </Answer>
    </Section>
  )
}
