import { type Address, type Community, nameIn, type TeamMap as TeamMapAnswer } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { Fragment, type ReactNode, type RefObject, useCallback, useId, useMemo, useRef, useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { fonts } from '../../lib/theme.ts'
import { AddressText } from '../address/AddressText.tsx'
import { shorten } from '../address/parseAddress.ts'
import { useAnnouncedLoading } from '../frame/Announcer.tsx'
import { lazyPart } from '../frame/ErrorBoundary.tsx'
import { Link } from '../frame/Link.tsx'
import { RadioRow } from '../frame/RadioRow.tsx'
import { useZoneName } from '../frame/ZoneChoice.tsx'
import { useLabels } from '../labels/labelsStore.ts'
import { Answer } from '../lookup/Answer.tsx'
import { useMetrics } from '../lookup/queries.ts'
import { type Cell, growthOf, growthSteps, growthTints, layoutMap } from './layoutMap.ts'
import { Hatch, MapPicture } from './MapPicture.tsx'
import { type MapPlace, type Trail, useMapPlace, useTeamMap, useTrail } from './query.ts'
import { type CellTexts, useCellTexts } from './useCellTexts.ts'

const ChartFiles = lazyPart(() => import('../share/ChartFiles.tsx'))

type Props = {
  community: Community
  /** The member whose team is drawn; `undefined` for the whole community. */
  top?: Address
}

/** Draws the map of a team or of a community. Its URL contains the zoomed leg and the measure of a leg's size. */
export default function TeamMap({ community, top }: Props) {
  const { t } = useLazyTranslation('map')
  const place = useMapPlace(top, community.tokens.volume ? 'both' : 'members')
  const query = useTeamMap(community, place.leg ?? top, place.by)
  const { data: trail } = useTrail(community, top, place.leg)
  if (place.leg && trail?.extent === 'outside')
    return (
      <Note role="alert">
        <span>{`${t('outside', { address: shorten(place.leg) })} `}</span>
        <Link to={place.linkTo(undefined)}>{t('back')}</Link>
      </Note>
    )
  return (
    <Root>
      <header>
        <MapTrail top={top} place={place} trail={trail} />
        {community.tokens.volume && (
          <RadioRow
            label={t('by')}
            value={place.by}
            options={[
              ['members', t('members')],
              ['volume', t('volume')],
            ]}
            onChange={place.measure}
          />
        )}
      </header>
      <Answer query={query} skeleton={<Waiting />}>
        {(map) => (
          <View
            map={map}
            community={community}
            place={place}
            up={place.leg ? { to: trail?.above.at(-1) ?? top } : undefined}
            isCurrent={!query.isPlaceholderData}
          />
        )}
      </Answer>
    </Root>
  )
}

type ViewProps = {
  map: TeamMapAnswer
  community: Community
  place: MapPlace
  /** Target of Escape; `undefined` at the top of the map. */
  up: { to: Address | undefined } | undefined
  isCurrent: boolean
}

function View({ map, community, place, up, isCurrent }: ViewProps) {
  const { t } = useLazyTranslation('map')
  const { i18n } = useTranslation()
  const cells = useMemo(() => layoutMap(map), [map])
  const [shown, setShown] = useState<Cell>()
  const frame = useRef<HTMLDivElement>(null)
  const legend = useRef<HTMLParagraphElement>(null)
  const [top] = cells
  const name = nameIn(community.name, i18n.language)
  const texts = useCellTexts(community, map.by, top?.part, name)
  const { data: metrics } = useMetrics(community.id, 30_000)
  const onUp = useCallback(() => up && place.zoom(up.to), [up, place])
  if (!top) return null
  const cell = cells.find(({ part }) => part.id === shown?.part.id) ?? top
  const average = growthOf(metrics ? { members: metrics.members, recent: metrics.last30d.members } : top.part)
  const isFlat = map.by === 'volume' && top.part.volume === '0'
  return (
    <div aria-busy={!isCurrent}>
      {isFlat ? (
        <Note>{t('noVolume')}</Note>
      ) : (
        <MapPicture
          frame={frame}
          cells={cells}
          label={t('tree', { name: texts.nameOf(top.part), by: t(map.by).toLowerCase() })}
          texts={texts}
          average={average}
          up={up ? 'possible' : 'none'}
          onZoom={place.zoom}
          onUp={onUp}
          onCell={setShown}
        />
      )}
      <Readout cell={cell} texts={texts} />
      {isCurrent && cells.length === 1 && <Note>{t('none')}</Note>}
      <MapLegend {...map} frame={legend} average={average} isNetwork={top.part.kind !== 'leg'} />
      {!isFlat && (
        <ChartFiles
          name={t('tree', { name: texts.plainName(top.part), by: t(map.by).toLowerCase() })}
          source={map}
          chart={frame}
          legend={legend}
        />
      )}
      <Note className="keys">{t('hint')}</Note>
    </div>
  )
}

/** Shows the figures of the cell under the pointer or the focus, or else those of the top. */
function Readout({ cell, texts }: { cell: Cell; texts: CellTexts }) {
  const { part } = cell
  return (
    <Figures>
      {part.kind === 'leg' ? <AddressText address={part.address} /> : <b>{texts.nameOf(part)}</b>}
      <span>{texts.facts(cell).join(' · ')}</span>
    </Figures>
  )
}

const Root = styled('div')({
  minWidth: 0,
  '& > header': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '0 24px',
    marginBottom: 8,
  },
})

const Figures = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  alignContent: 'start',
  gap: '0 16px',
  // Two lines, so that the page does not shift when the pointer moves.
  minHeight: 60,
  marginTop: 8,
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
  '& b': { fontWeight: 500, lineHeight: '32px', color: theme.vars?.palette.text.primary },
  '@media (max-width: 599.95px)': { minHeight: 80 },
}))

const Note = styled('p')(({ theme }) => ({
  // A touch screen has no keys.
  '@media (hover: none), print': { '&.keys': { display: 'none' } },
  margin: '10px 0 0',
  fontSize: '0.75rem',
  color: theme.vars?.palette.text.secondary,
}))

/** Takes the place of a picture that is loading. */
function Waiting() {
  const { t } = useTranslation()
  useAnnouncedLoading(t('loading'))
  return <Rows role="status" aria-label={t('loading')} />
}

/** Reserves the height of a picture of seven levels, divided into its rows. */
const Rows = styled('div')(({ theme }) => ({
  height: 350,
  opacity: 0.6,
  background: `repeating-linear-gradient(${theme.vars?.palette.divider} 0 48.5px, transparent 48.5px 50px)`,
  maskImage: 'linear-gradient(#000, transparent)',
}))

/** Number of referrers shown above the leg. Those above them are only counted. */
const shown = 2

type TrailProps = { top: Address | undefined; place: MapPlace; trail: Trail | undefined }

/** Shows the path from the top of the map to the zoomed leg; each step is a link. */
function MapTrail({ top, place: { leg, linkTo }, trail }: TrailProps) {
  const { t } = useLazyTranslation('map')
  const format = useFormat()
  const labels = useLabels((state) => state.labels)
  const nameOf = (address: Address) => labels.get(address)?.text || <code>{shorten(address)}</code>
  const start = top === undefined ? t('all') : nameOf(top)
  const above = trail?.above ?? []
  const skipped = above.length - shown
  const step = (content: ReactNode, to: Address | undefined) => (
    <li>
      <Link to={linkTo(to)}>{content}</Link>
    </li>
  )
  return (
    <Path aria-label={t('trail')}>
      <ol>
        {leg ? step(start, undefined) : <li aria-current="true">{start}</li>}
        {leg && skipped > 0 && <li>{trail?.extent === 'cut' ? '…' : t('more', { number: format.count(skipped) })}</li>}
        {leg &&
          above.slice(-shown).map((address) => <Fragment key={address}>{step(nameOf(address), address)}</Fragment>)}
        {leg && <li aria-current="true">{nameOf(leg)}</li>}
      </ol>
    </Path>
  )
}

const Path = styled('nav')(({ theme }) => ({
  fontSize: '0.8125rem',
  '& ol': { display: 'flex', flexWrap: 'wrap' },
  '& li': { display: 'inline-flex', alignItems: 'center', minHeight: 36, color: theme.vars?.palette.text.secondary },
  '& li + li::before': { content: '"›" / ""', margin: '0 8px' },
  '& a': { display: 'inline-flex', alignItems: 'center', minHeight: 36, color: theme.vars?.palette.primary.main },
  '& a:not(:hover)': { textDecoration: 'none' },
  '& li[aria-current]': { color: theme.vars?.palette.text.primary },
  '& code': { fontFamily: fonts.address },
}))

type LegendProps = Pick<TeamMapAnswer, 'by' | 'tz' | 'since'> & {
  frame: RefObject<HTMLParagraphElement | null>
  /** Growth of the community. */
  average: number
  isNetwork: boolean
}

/** Explains the colours and the hatching of a map in one line, and the rest on a press. */
function MapLegend({ by, tz, since, frame, average, isNetwork }: LegendProps) {
  const { i18n } = useTranslation()
  const { t } = useLazyTranslation('map')
  const format = useFormat()
  const nameOf = useZoneName()
  const hatch = useId()
  const percent = new Intl.NumberFormat(format.locale, { style: 'percent', maximumFractionDigits: 1 })
  return (
    <>
      <Explanation ref={frame} data-tone={i18n.language.startsWith('zh') ? 'red' : 'green'}>
        <span>{t('legend', { growth: percent.format(average) })}</span>
        <span>
          <span>{t('legend.below')}</span>
          {growthSteps.map((step) => (
            <svg key={step} aria-hidden width={22} height={14}>
              <rect data-step={step} width={22} height={14} />
            </svg>
          ))}
          <span>{t('legend.above')}</span>
        </span>
        <span>
          <svg aria-hidden width={22} height={14}>
            <Hatch id={hatch} />
            <rect data-step={2} width={22} height={14} />
            <rect fill={`url(#${hatch})`} width={22} height={14} />
          </svg>
          <span>{t('legend.rest')}</span>
        </span>
      </Explanation>
      <Details>
        <summary>{t('legend.more')}</summary>
        <span>
          {[
            t('legend.width', { by: t(by).toLowerCase() }),
            t('legend.itself'),
            isNetwork && by === 'volume' && t('legend.outside'),
            t('legend.since', { day: format.longDay(since), zone: nameOf(tz) }),
            t('legend.strip'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </Details>
    </>
  )
}

const Explanation = styled('p')(({ theme }) => ({
  ...growthTints(theme),
  display: 'flex',
  flexWrap: 'wrap',
  gap: '4px 14px',
  margin: '10px 0 0',
  fontSize: '0.75rem',
  color: theme.vars?.palette.text.secondary,
  '& > span': { display: 'inline-flex', alignItems: 'center', gap: 6 },
  '& .hatching': { fill: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 30%, transparent)` },
}))

const Details = styled('details')(({ theme }) => ({
  fontSize: '0.75rem',
  color: theme.vars?.palette.text.secondary,
  '& summary': { width: 'fit-content', minHeight: 32, lineHeight: '32px', cursor: 'pointer' },
  '@media print': {
    '&::details-content': { display: 'block', contentVisibility: 'visible' },
    '& summary': { display: 'none' },
  },
}))
