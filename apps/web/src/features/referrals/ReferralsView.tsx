import type { Address, Community, Member } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { phone } from '../../lib/theme.ts'
import { CsvExport } from '../../shared/csv/CsvExport.tsx'
import { Button } from '../../shared/frame/Button.tsx'
import { lazyPart } from '../../shared/frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../../shared/frame/lazyWithPreload.tsx'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { AddressHeader } from '../../shared/lookup/AddressHeader.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AnswerBoundary } from '../../shared/lookup/AnswerBoundary.tsx'
import { AsOfBlock } from '../../shared/lookup/AsOfBlock.tsx'
import { useLevels } from '../../shared/lookup/levels.ts'
import { useMember } from '../../shared/lookup/queries.ts'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { hasFilter, noFilter } from './downlineFilter.ts'
import { LevelBar } from './LevelBar.tsx'
import type { Level } from './query.ts'
import { ReferralsTree } from './ReferralsTree.tsx'
import { useDownlineView, useFilterForm } from './useDownlineView.ts'

const FilterPanel = lazyPart(() => import('./FilterPanel.tsx'))
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
  const [view] = useDownlineView(community.tokens.volume)
  const member = useMember(community.id, address)
  const chosen = view.kind === 'table' && view.level !== 'all' ? view.level : undefined
  // Not below the answer of the member, so that both load at once.
  const levels = useLevels(community.id, address, { chosen })
  const summarize = ({ directs, team, maxLevel }: Member) =>
    t('referrals.summary', { directs: format.count(directs), team: format.count(team), levels: format.count(maxLevel) })
  return (
    <Answer query={member} skeleton={<Skeleton />}>
      {(data) => (
        <>
          <AddressHeader address={data.address} summary={summarize(data)}>
            <span>{summarize(data)}</span>
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

/** Renders the downline with its views, its filter, its export and its levels. */
function Downline({ member, community, levels }: DownlineProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [parameters] = useSearchParams()
  const [view, change] = useDownlineView(community.tokens.volume)
  const { button, panel, close } = useFilterForm()
  return (
    <Section title={t(`referrals.${view.kind}`)} titled="aloud">
      <Toolbar>
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
        <Button {...button}>{t('referrals.filter')}</Button>
        {!(view.kind === 'table' && (view.filter ?? view.days)) && (
          <CsvExport
            address={member.address}
            community={community}
            rows={member.team}
            label={t('csv.exportRows', { count: member.team, rows: format.big(member.team) })}
            describe={() => ''}
          />
        )}
      </Toolbar>
      {(hasFilter(parameters) || panel.form === 'open') && (
        <FilterPlace>
          <FilterPanel onError={close} member={member} community={community} change={change} {...panel} />
        </FilterPlace>
      )}
      <LevelBarPlace>
        <Answer query={levels.query} skeleton={null}>
          {() => (
            <LevelBar
              levels={levels.items}
              count={member.maxLevel}
              total={member.team}
              view={view}
              onLevel={(level) => change({ ...noLevels, level: String(level) })}
              more={levels.more}
            />
          )}
        </Answer>
      </LevelBarPlace>
      {view.kind === 'tree' && <ReferralsTree member={member} community={community} />}
      {view.kind === 'map' && (
        <AnswerBoundary skeleton={<Skeleton rows={6} />}>
          <TeamMap community={community} top={member.address} />
        </AnswerBoundary>
      )}
      {view.kind === 'table' && (
        <AnswerBoundary skeleton={<Skeleton rows={8} />}>
          <ReferralsTable
            address={member.address}
            community={community}
            view={view}
            team={member.team}
            total={totalOf(view.level, member.team, levels.items)}
            onSort={change}
          />
        </AnswerBoundary>
      )}
    </Section>
  )
}

const totalOf = (level: Level, team: number, levels: readonly { level: number; count: number }[]) =>
  level === 'all' ? team : (levels.find((one) => one.level === level)?.count ?? 0)

/** One row on each device. A result of the export stands below it. */
const Toolbar = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 8px',
  minHeight: 44,
  marginTop: 12,
  '& > fieldset': { marginRight: 'auto' },
  '& .button': { minWidth: 0, minHeight: 36, whiteSpace: 'nowrap' },
  [phone]: { '& > fieldset > div': { gap: '8px 12px' }, '& .button': { paddingInline: 6 } },
})
/** Reserves the height of the filters that are set, which load later. */
const FilterPlace = styled('div')({ minHeight: 44 })
const LevelBarPlace = styled('div')({ display: 'flow-root', minHeight: 136 })
const Empty = styled('p')(({ theme }) => ({ margin: '40px 0', color: theme.vars?.palette.text.secondary }))
