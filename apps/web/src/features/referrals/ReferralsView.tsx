import type { Address, Community, Levels } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { CsvExport } from '../../shared/csv/CsvExport.tsx'
import { Choice } from '../../shared/frame/Choice.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AsOf } from '../../shared/lookup/AsOf.tsx'
import { useLevels, useMember } from '../../shared/lookup/queries.ts'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Subject } from '../../shared/lookup/Subject.tsx'
import { LevelBar } from './LevelBar.tsx'
import type { Level } from './query.ts'
import { ReferralsTree } from './ReferralsTree.tsx'
import { useView } from './useView.ts'

const ReferralsTable = lazy(() => import('./ReferralsTable.tsx'))

/** Everybody below a member: as a tree opened level by level, or one level as a table. */
export default function ReferralsView({ address, community }: { address: Address; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [view, change] = useView()
  const member = useMember(community.id, address)
  const levels = useLevels(community.id, address)
  return (
    <Answer query={member} skeleton={<Skeleton />}>
      {(data) => (
        <>
          <Subject address={data.address}>
            {t('referrals.summary', {
              directs: format.count(data.directs),
              team: format.count(data.team),
              levels: format.count(data.maxLevel),
            })}
          </Subject>
          {data.team === 0 ? (
            <Empty>{t('referrals.none')}</Empty>
          ) : (
            <Section
              title={t(view.kind === 'tree' ? 'referrals.tree' : 'referrals.table')}
              aside={
                <Choice
                  label={t('referrals.view')}
                  value={view.kind}
                  options={[
                    ['tree', t('referrals.tree')],
                    ['table', t('referrals.table')],
                  ]}
                  onChange={(kind) =>
                    change(kind === 'tree' ? { level: null, sort: null, order: null } : { level: '1' })
                  }
                />
              }
            >
              <LevelBarPlace>
                <Answer query={levels} skeleton={null}>
                  {({ items }) => (
                    <LevelBar
                      levels={items}
                      total={data.team}
                      view={view}
                      onLevel={(level) => change({ level: String(level), sort: null, order: null })}
                    />
                  )}
                </Answer>
              </LevelBarPlace>
              <CsvExport address={data.address} community={community} rows={data.team} />
              {view.kind === 'tree' ? (
                <ReferralsTree member={data} community={community} />
              ) : (
                <Suspense fallback={<Skeleton rows={8} />}>
                  <ReferralsTable
                    address={address}
                    community={community}
                    view={view}
                    total={totalOf(view.level, data.team, levels.data)}
                    onSort={change}
                  />
                </Suspense>
              )}
            </Section>
          )}
          <AsOf asOf={data.asOf} />
        </>
      )}
    </Answer>
  )
}

const totalOf = (level: Level, team: number, levels: Levels | undefined) =>
  level === 'all' ? team : (levels?.items[level - 1]?.count ?? 0)

const LevelBarPlace = styled('div')({ display: 'flow-root', minHeight: 136 })
const Empty = styled('p')(({ theme }) => ({ margin: '40px 0', color: theme.vars?.palette.text.secondary }))
