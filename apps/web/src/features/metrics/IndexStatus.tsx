import type { SpotCheck } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { use } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { Contract } from '../../shared/lookup/AsOfBlock.tsx'
import { FactList } from '../../shared/lookup/FactList.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { CommunityContext } from '../../shared/lookup/useCommunity.ts'
import { useStatus } from './query.ts'

/** Shows the contract, the progress of the index and its warnings. */
export default function IndexStatus() {
  const { t } = useLazyTranslation('status')
  const { t: common } = useTranslation()
  const format = useFormat()
  const query = useStatus()
  const community = use(CommunityContext)
  return (
    <Section title={t('title')}>
      <Answer query={query} skeleton={<Skeleton rows={3} />}>
        {({ state, asOf, headBlock, warnings, spotChecks }) => (
          <>
            {warnings.length > 0 && (
              <Warnings>
                {warnings.map(({ kind, node, community, message }) => (
                  <li key={message}>
                    <i aria-hidden />
                    <span>{t(`warning.${kind}`, { node, community })}</span>
                  </li>
                ))}
              </Warnings>
            )}
            <FactList
              rows={[
                community ? [common('asOf.contract'), <Contract key="contract" {...community} />] : null,
                [t('state'), state === 'starting' ? common('indexing.starting') : t(state)],
                asOf && [t('block'), format.count(asOf.block)],
                asOf && [t('finalized'), format.count(asOf.finalizedBlock)],
                headBlock !== null && [t('head'), format.count(headBlock)],
                asOf && headBlock !== null && [t('lag'), t('blocks', { count: Math.max(0, headBlock - asOf.block) })],
                spotChecks.length > 0 && [
                  t('spotChecks'),
                  t('spotChecks.value', {
                    checked: format.count(total(spotChecks, 'checked')),
                    differing: format.count(total(spotChecks, 'differing')),
                  }),
                ],
              ]}
            />
          </>
        )}
      </Answer>
    </Section>
  )
}

const total = (checks: readonly SpotCheck[], count: 'checked' | 'differing') =>
  checks.reduce((sum, check) => sum + check[count], 0)

const Warnings = styled('ul')(({ theme }) => ({
  margin: '0 0 8px',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.warning.main,
  '& li': { display: 'flex', gap: 12, padding: '6px 0', overflowWrap: 'anywhere' },
  '& i': { flex: 'none', width: 7, height: 7, marginTop: '0.4em', borderRadius: '50%', background: 'currentColor' },
}))
