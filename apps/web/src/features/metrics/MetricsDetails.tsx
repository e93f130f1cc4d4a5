import type { Community, MemberMetrics } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type ReactNode, useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import type { More } from '../../lib/pages.ts'
import { phone } from '../../lib/theme.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { BarTable } from '../../shared/charts/BarTable.tsx'
import { LazyBoundary, lazyPart } from '../../shared/frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../../shared/frame/lazyWithPreload.tsx'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { PrintedUrl } from '../../shared/lookup/AsOfBlock.tsx'
import { Figure, Figures } from '../../shared/lookup/Figure.tsx'
import { InPeriods, WhenNear } from '../../shared/lookup/InPeriods.tsx'
import { RowsTable } from '../../shared/lookup/RowsTable.tsx'
import { Columns, Section } from '../../shared/lookup/Section.tsx'
import { LatestBinds } from './BindsTable.tsx'
import { Downloads } from './Downloads.tsx'
import { GrowthChart } from './GrowthChart.tsx'
import { useDepths, useStatus } from './query.ts'

const IrregularBinds = lazyPart(() => import('./IrregularBinds.tsx'))
const IndexStatus = lazyPart(() => import('./IndexStatus.tsx'))
const TeamMap = lazyWithPreload(() => import('../../shared/map/TeamMap.tsx'))

/** Renders the sections below the totals, which load after them. */
export default function MetricsDetails({ metrics, community }: { metrics: MemberMetrics; community: Community }) {
  return (
    <>
      <GrowthChart metrics={metrics} community={community} />
      <LazyBoundary>
        <Leaders metrics={metrics} community={community} />
      </LazyBoundary>
      <InPeriods community={community} now={metrics.asOf.timestamp} />
      <LatestBinds community={community} />
      <LazyBoundary>
        <NetworkMap community={community} aside={<Unbound metrics={metrics} />} />
      </LazyBoundary>
      <LazyBoundary>
        <Downloads metrics={metrics} community={community} />
      </LazyBoundary>
      <LazyBoundary>
        <Quality metrics={metrics} community={community} />
      </LazyBoundary>
      <PrintedUrl />
    </>
  )
}

/** Shows the structure of the community and the quality of its data, open if there are warnings. */
function Quality({ metrics, community }: { metrics: MemberMetrics; community: Community }) {
  const { t } = useLazyTranslation('status')
  const { data } = useStatus()
  const warnings = data?.warnings.filter((one) => one.community === null || one.community === community.id) ?? []
  return (
    <Closed open={warnings.length > 0}>
      <summary>{t('quality')}</summary>
      <Structure metrics={metrics} community={community} />
      <Columns>
        <IrregularBinds metrics={metrics} community={community} />
        <IndexStatus />
      </Columns>
    </Closed>
  )
}

const Closed = styled('details')(({ theme }) => ({
  marginTop: 40,
  borderTop: `1px solid ${theme.vars?.palette.divider}`,
  '& summary': { ...theme.typography.h2, minHeight: 56, lineHeight: '56px', cursor: 'pointer' },
  '& summary + section': { marginTop: 0 },
  '@media print': { '&::details-content': { display: 'block', contentVisibility: 'visible' } },
}))

type StructureProps = {
  metrics: MemberMetrics
  community: Community
  /** A past block or day. */
  asOf?: string
}

/** Shows the figures of the community's structure, and how many members are on each level and have how many directs. */
export function Structure({ metrics, ...of }: StructureProps) {
  return (
    <>
      <Shape metrics={metrics} />
      <Columns>
        <Depths metrics={metrics} {...of} />
        <DirectsHistogram metrics={metrics} />
      </Columns>
    </>
  )
}

function Shape({ metrics }: { metrics: MemberMetrics }) {
  const { t: own } = useLazyTranslation('status')
  const format = useFormat()
  return (
    <Section title={own('shape')}>
      <Figures>
        <Figure
          label={own('shape.referrers')}
          value={format.big(metrics.referrers)}
          exact={format.count(metrics.referrers)}
        />
        <Figure label={own('shape.roots')} value={format.big(metrics.roots)} exact={format.count(metrics.roots)} />
        <Figure label={own('shape.maxDepth')} value={format.count(metrics.maxDepth)} />
        <Figure
          label={own('shape.averageDirects')}
          value={metrics.averageDirects === null ? '–' : format.ratio(metrics.averageDirects)}
        />
      </Figures>
    </Section>
  )
}

function Depths({ metrics, community, asOf }: StructureProps) {
  const { t } = useTranslation()
  const { t: own } = useLazyTranslation('status')
  const { depths, more } = useDepths(community.id, asOf)
  const bars = [...metrics.depths, ...depths].map(({ depth, count }) => ({
    key: String(depth),
    label: depth === 0 ? t('strip.root') : t('metrics.depthOf', { depth }),
    value: count,
  }))
  return (
    <Histogram
      title={own('shape.depths')}
      label={own('shape.depth')}
      bars={bars}
      count={metrics.maxDepth + 1}
      more={more}
      metrics={metrics}
    />
  )
}

function DirectsHistogram({ metrics }: { metrics: MemberMetrics }) {
  const { t: own } = useLazyTranslation('status')
  const { count: format } = useFormat()
  const bars = metrics.directsHistogram.map(({ from, to, count }) => ({
    key: String(from),
    label:
      to === null
        ? own('shape.andMore', { from: format(from) })
        : from === to
          ? format(from)
          : `${format(from)}–${format(to)}`,
    value: count,
  }))
  return <Histogram title={own('shape.histogram')} label={own('shape.directs')} bars={bars} metrics={metrics} />
}

type HistogramProps = {
  title: string
  label: string
  bars: { key: string; label: string; value: number }[]
  count?: number
  more?: More
  metrics: MemberMetrics
}

function Histogram({ title, label, bars, metrics, ...rest }: HistogramProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Section title={title} aside={<Unbound metrics={metrics} />}>
      <BarTable
        caption={title}
        source={metrics}
        {...rest}
        columns={{ label, value: t('levels.members') }}
        bars={bars.map((bar) => ({ ...bar, text: format.count(bar.value) }))}
      />
    </Section>
  )
}

/** Says how many of the counted are no members: referrers without a bind of their own. */
const Unbound = (props: { metrics: MemberMetrics }) => (
  <LazyBoundary>
    <UnboundNote {...props} />
  </LazyBoundary>
)

function UnboundNote({ metrics }: { metrics: MemberMetrics }) {
  const { t } = useLazyTranslation('status')
  const format = useFormat()
  const count = metrics.dirty.placeholder
  return count > 0 && <Note>{t('unbound', { count, number: format.count(count) })}</Note>
}

const Note = styled('p')(({ theme }) => ({
  margin: 0,
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
}))

type By = keyof MemberMetrics['leaders']
/** The figure by which leaders are in order. */
const figures = { team: 'team', directs: 'directs', volume: 'teamVolume' } as const

/** Lists the top ten by team, directs or volume. Equal ones have the same rank. */
export function Leaders({ metrics, community }: { metrics: MemberMetrics; community: Community }) {
  const { t } = useTranslation()
  const { t: own } = useLazyTranslation('status')
  const format = useFormat()
  const [by, setBy] = useState<By>('team')
  const token = community.tokens.volume
  const options: [By, string][] = [
    ['team', t('member.team')],
    ['directs', t('member.directs')],
  ]
  if (token) options.push(['volume', t('member.teamVolume')])
  return (
    <Section
      title={own('leaders.title')}
      aside={<RadioRow label={own('leaders.by')} value={by} options={options} onChange={setBy} />}
    >
      <RowsTable
        caption={own('leaders.title')}
        columns={[
          { key: 'rank', label: own('leaders.rank'), narrow: true },
          { key: 'address', label: t('field.label') },
          { key: 'directs', label: t('member.directs'), align: 'end' },
          { key: 'team', label: t('member.team'), align: 'end' },
          ...(token
            ? [
                {
                  key: 'volume',
                  label: `${t('member.teamVolume')} (${token.symbol})`,
                  short: t('metrics.volume'),
                  align: 'end' as const,
                },
              ]
            : []),
        ]}
        rows={metrics.leaders[by].map((leader) => ({
          key: leader.address,
          cells: {
            rank: metrics.leaders[by].findIndex((one) => one[figures[by]] === leader[figures[by]]) + 1,
            address: <AddressText address={leader.address} />,
            directs: format.count(leader.directs),
            team: format.count(leader.team),
            ...(token && { volume: format.amount(leader.teamVolume, token) }),
          },
        }))}
      />
    </Section>
  )
}

/** Shows the map of the whole community. It is far down, and half as large as the rest of the page: a phone loads it last. */
function NetworkMap({ community, aside }: { community: Community; aside: ReactNode }) {
  const { t } = useLazyTranslation('status')
  return (
    <Section title={t('map')} aside={aside}>
      <MapPlace>
        <LazyBoundary>
          <WhenNear>
            <TeamMap community={community} />
          </WhenNear>
        </LazyBoundary>
      </MapPlace>
    </Section>
  )
}

/** Reserves the height of a map of seven levels with its legend. */
const MapPlace = styled('div')({ minHeight: 668, [phone]: { minHeight: 616 }, '@media print': { minHeight: 0 } })
