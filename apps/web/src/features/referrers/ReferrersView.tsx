import type { Address, Community } from '@lineage/referral-api'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AsOf } from '../../shared/lookup/AsOf.tsx'
import { useMember } from '../../shared/lookup/queries.ts'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Subject } from '../../shared/lookup/Subject.tsx'
import { ChainCheck, CheckOutcome } from './ChainCheck.tsx'
import { ChainOfReferrers } from './ChainOfReferrers.tsx'
import { useReferrers } from './query.ts'
import { useChainCheck } from './useChainCheck.ts'

/** The line from a member up to its root. */
export default function ReferrersView({ address, community }: { address: Address; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const query = useMember(community.id, address)
  const pages = useReferrers(community.id, address)
  const check = useChainCheck(community)
  const items = pages.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Answer query={query} skeleton={<Skeleton />}>
      {(member) => (
        <>
          <Subject address={member.address}>
            {member.depth === 0
              ? t('member.root')
              : t('referrers.summary', { count: member.depth, number: format.count(member.depth) })}
          </Subject>
          {member.depth === 0 ? (
            <Empty>{t('referrers.none')}</Empty>
          ) : (
            <Section
              title={t('referrers.title')}
              aside={
                <Tools>
                  {member.depth > 12 && (
                    <Button size="small" variant="outlined" onClick={jumpToRoot}>
                      {t('referrers.jump')}
                    </Button>
                  )}
                  <ChainCheck check={check} rows={[member, ...items]} />
                </Tools>
              }
            >
              <CheckOutcome {...check} />
              {/* A page that did not come is said where it would stand. */}
              <Answer
                query={pages.isFetchNextPageError ? { ...pages, error: null } : pages}
                skeleton={<Skeleton rows={Math.min(member.depth + 1, 14)} />}
              >
                {() => (
                  <ChainOfReferrers
                    member={member}
                    community={community}
                    items={items}
                    hops={check.hops}
                    more={
                      !pages.hasNextPage
                        ? 'none'
                        : pages.isFetchingNextPage
                          ? 'loading'
                          : pages.isFetchNextPageError
                            ? 'failed'
                            : 'ready'
                    }
                    onMore={() => void pages.fetchNextPage()}
                  />
                )}
              </Answer>
            </Section>
          )}
          <AsOf asOf={member.asOf} />
        </>
      )}
    </Answer>
  )
}

function jumpToRoot() {
  const root = document.getElementById('root-of-line')
  root?.scrollIntoView({ block: 'center' })
  root?.querySelector('button')?.focus({ preventScroll: true })
}

const Tools = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: 10 })
const Empty = styled('p')(({ theme }) => ({ margin: '40px 0', color: theme.vars?.palette.text.secondary }))
