import type { Warning } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { use } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { Contract } from '../../shared/lookup/AsOfBlock.tsx'
import { FactList } from '../../shared/lookup/FactList.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { CommunityContext } from '../../shared/lookup/useCommunity.ts'
import { useStatus } from './query.ts'

/** Shows the contract, the progress of the index, and the warnings that concern the page's community or all. */
export default function IndexStatus() {
  const { t } = useLazyTranslation('status')
  const { t: common } = useTranslation()
  const format = useFormat()
  const query = useStatus()
  const community = use(CommunityContext)
  const isShown = (one: { community: string | null }) => one.community === null || one.community === community?.id
  return (
    <Section title={t('title')}>
      <Answer query={query} skeleton={<Skeleton rows={3} />}>
        {({ state, asOf, headBlock, warnings, spotChecks }) => (
          <>
            <Warnings>
              {warnings.filter(isShown).map((warning) => (
                <WarningText key={warning.message} {...warning} />
              ))}
            </Warnings>
            <FactList
              rows={[
                community ? [common('asOf.contract'), <Contract key="contract" {...community} />] : null,
                [t('state'), state === 'starting' ? common('indexing.starting') : t(state)],
                asOf && [t('block'), format.count(asOf.block)],
                asOf && [t('finalized'), format.count(asOf.finalizedBlock)],
                headBlock !== null && [t('head'), format.count(headBlock)],
                asOf && headBlock !== null && [t('lag'), t('blocks', { count: Math.max(0, headBlock - asOf.block) })],
                ...spotChecks
                  .filter(isShown)
                  .map(({ checked, differing }): [string, string] => [
                    t('spotChecks'),
                    t('spotChecks.value', { checked: format.count(checked), differing: format.count(differing) }),
                  ]),
              ]}
            />
          </>
        )}
      </Answer>
    </Section>
  )
}

/** Shows a warning. Its texts are of their own, because a page brings those that it shows. */
function WarningText({ kind, node, community, blocks }: Warning) {
  const { t } = useLazyTranslation('warnings')
  return (
    <li>
      <i aria-hidden />
      <span>{t(kind, { node, community, ...blocks })}</span>
    </li>
  )
}

const Warnings = styled('ul')(({ theme }) => ({
  margin: '0 0 8px',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.warning.main,
  '&:empty': { display: 'none' },
  '& li': { display: 'flex', gap: 12, padding: '6px 0', overflowWrap: 'anywhere' },
  '& i': { flex: 'none', width: 7, height: 7, marginTop: '0.4em', borderRadius: '50%', background: 'currentColor' },
}))
