import type { Address, Community, Levels, Member } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/format.ts'
import { barHeight } from '../../lib/theme.ts'
import { CsvExport } from '../../shared/csv/CsvExport.tsx'
import { LazyBoundary } from '../../shared/frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../../shared/frame/lazyWithPreload.tsx'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { AddressHeader } from '../../shared/lookup/AddressHeader.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AnswerBoundary } from '../../shared/lookup/AnswerBoundary.tsx'
import { AsOfBlock } from '../../shared/lookup/AsOfBlock.tsx'
import { useLevels, useMember } from '../../shared/lookup/queries.ts'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { noFilter } from './downlineFilter.ts'
import { LevelBar } from './LevelBar.tsx'
import type { Level } from './query.ts'
import { ReferralsTree } from './ReferralsTree.tsx'
import { useDownlineView } from './useDownlineView.ts'

const FilterPanel = lazyWithPreload(() => import('./FilterPanel.tsx'))
const ReferralsTable = lazyWithPreload(() => import('./ReferralsTable.tsx'))
const TeamMap = lazyWithPreload(() => import('../../shared/map/TeamMap.tsx'))

/** Parameters that are removed when another level is shown. */
const noLevels = { levelFrom: null, levelTo: null, sort: null, order: null, view: null, leg: null, by: null }
/** Parameters that are removed when the view changes. */
const noView = { ...noFilter, ...noLevels, level: null }
const viewChanges = { tree: noView, table: { ...noView, level: '1' }, map: { ...noView, view: 'map' } }

/** Shows a member's downline as a tree, a table or a map. */
export default function ReferralsView({ address, community }: { address: Address; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const member = useMember(community.id, address)
  const levels = useLevels(community.id, address)
  return (
    <Answer query={member} skeleton={<Skeleton />}>
      {(data) => (
        <>
          <AddressHeader address={data.address}>
            <span>
              {t('referrals.summary', {
                directs: format.count(data.directs),
                team: format.count(data.team),
                levels: format.count(data.maxLevel),
              })}
            </span>
          </AddressHeader>
          {data.team === 0 ? (
            <Empty>{t('referrals.none')}</Empty>
          ) : (
            <Downline member={data} community={community} levels={levels} />
          )}
          <AsOfBlock asOf={data.asOf} past="open" />
        </>
      )}
    </Answer>
  )
}

type DownlineProps = { member: Member; community: Community; levels: ReturnType<typeof useLevels> }

/** Renders the downline with its levels, its filter and its export. */
function Downline({ member, community, levels }: DownlineProps) {
  const { t } = useTranslation()
  const [view, change] = useDownlineView(community.tokens.volume)
  return (
    <Section
      title={t(`referrals.${view.kind}`)}
      aside={
        <RadioRow
          label={t('referrals.view')}
          value={view.kind}
          options={[
            ['tree', t('referrals.tree')],
            ['table', t('referrals.table')],
            ['map', t('referrals.map')],
          ]}
          onChange={(kind) => change(viewChanges[kind])}
        />
      }
    >
      <LevelBarPlace>
        <Answer query={levels} skeleton={null}>
          {({ items }) => (
            <LevelBar
              levels={items}
              total={member.team}
              view={view}
              onLevel={(level) => change({ ...noLevels, level: String(level) })}
            />
          )}
        </Answer>
      </LevelBarPlace>
      <LazyBoundary>
        <FilterPanel member={member} community={community} change={change} />
      </LazyBoundary>
      {!(view.kind === 'table' && view.filter) && (
        <CsvExport address={member.address} community={community} rows={member.team} />
      )}
      {view.kind === 'table' ? (
        <AnswerBoundary skeleton={<Skeleton rows={8} />}>
          <ReferralsTable
            address={member.address}
            community={community}
            view={view}
            team={member.team}
            total={totalOf(view.level, member.team, levels.data)}
            onSort={change}
          />
        </AnswerBoundary>
      ) : (
        <TreeAndMap member={member} community={community} kind={view.kind} />
      )}
    </Section>
  )
}

type TreeAndMapProps = { member: Member; community: Community; kind: 'tree' | 'map' }

/** Renders the tree or the map; on a wide screen the map beside the tree. */
function TreeAndMap({ member, community, kind }: TreeAndMapProps) {
  const isWide = useIsWide()
  return (
    <Pair data-shown={kind === 'tree' && isWide ? 'both' : 'one'}>
      {kind === 'tree' && <ReferralsTree member={member} community={community} />}
      {(kind === 'map' || isWide) && (
        <AnswerBoundary skeleton={<Skeleton rows={6} />}>
          <TeamMap community={community} top={member.address} />
        </AnswerBoundary>
      )}
    </Pair>
  )
}

const totalOf = (level: Level, team: number, levels: Levels | undefined) =>
  level === 'all' ? team : (levels?.items[level - 1]?.count ?? 0)

/** Lays out the tree, with the map beside it if there is room. */
const Pair = styled('div')({
  '&[data-shown="both"]': { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)', gap: 40 },
  '&[data-shown="both"] > :last-child': { position: 'sticky', top: barHeight + 20, alignSelf: 'start' },
})
const LevelBarPlace = styled('div')({ display: 'flow-root', minHeight: 136 })
const Empty = styled('p')(({ theme }) => ({ margin: '40px 0', color: theme.vars?.palette.text.secondary }))

const query = '(min-width: 1080px)'

const subscribe = (onChange: () => void) => {
  const list = window.matchMedia(query)
  list.addEventListener('change', onChange)
  return () => list.removeEventListener('change', onChange)
}

/** Returns whether the page has room for the tree and the map side by side. */
const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
