import type { Community, MemberMetrics } from '@lineage/referral-api'
import { useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { TextButton } from '../../shared/frame/controls.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { FactList } from '../../shared/lookup/FactList.tsx'
import { MoreRow } from '../../shared/lookup/NextPage.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { BindsTable } from './BindsTable.tsx'
import { useIrregularBinds } from './query.ts'

type Props = { metrics: MemberMetrics; community: Community }

/** Shows how many binds are irregular, and lists them on request. */
export default function IrregularBinds({ metrics, community }: Props) {
  const { t } = useLazyTranslation('status')
  const format = useFormat()
  const [view, setView] = useState<'numbers' | 'list'>('numbers')
  const { duplicate, self, cycle } = metrics.dirty
  return (
    <Section title={t('dirty.title')}>
      <FactList
        rows={(['duplicate', 'self', 'cycle', 'placeholder'] as const).map((name) => [
          t(`dirty.${name}`),
          format.count(metrics.dirty[name]),
          t(`dirty.${name}.text`),
        ])}
      />
      {view === 'list' ? (
        <List community={community} />
      ) : (
        duplicate + self + cycle > 0 && (
          <TextButton type="button" onClick={() => setView('list')}>
            {t('dirty.list')}
          </TextButton>
        )
      )}
    </Section>
  )
}

function List({ community }: { community: Community }) {
  const { t: own } = useLazyTranslation('status')
  const format = useFormat()
  const query = useIrregularBinds(community.id)
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Answer query={query} skeleton={<Skeleton rows={6} />}>
      {() => (
        <>
          <BindsTable caption={own('dirty.title')} items={items} time={{ form: 'day' }} />
          <MoreRow
            query={query}
            texts={{
              more: own('dirty.more'),
              failed: own('dirty.failed'),
              shown: own('dirty.shown', { number: format.count(items.length) }),
            }}
          />
        </>
      )}
    </Answer>
  )
}
