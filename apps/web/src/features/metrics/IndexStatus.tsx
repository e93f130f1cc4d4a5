import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { Rows } from '../../shared/lookup/Rows.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { useStatus } from './query.ts'

/** How far the index has come along the chain. */
export function IndexStatus() {
  const { t } = useTranslation()
  const format = useFormat()
  const query = useStatus()
  return (
    <Section title={t('status.title')}>
      <Answer query={query} skeleton={<Skeleton rows={3} />}>
        {({ state, asOf, headBlock }) => (
          <Rows>
            <Row label={t('status.state')} value={t(`status.${state}`)} />
            {asOf && <Row label={t('status.block')} value={format.count(asOf.block)} />}
            {asOf && <Row label={t('status.finalized')} value={format.count(asOf.finalizedBlock)} />}
            {headBlock !== null && <Row label={t('status.head')} value={format.count(headBlock)} />}
            {asOf && headBlock !== null && (
              <Row label={t('status.lag')} value={t('status.blocks', { count: Math.max(0, headBlock - asOf.block) })} />
            )}
          </Rows>
        )}
      </Answer>
    </Section>
  )
}

function Row({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
