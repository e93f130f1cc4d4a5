import type { Address, Community } from '@lineage/referral-api'
import OpenIcon from '@mui/icons-material/OpenInNewOutlined'
import { keyframes, styled } from '@mui/material/styles'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { filledNode, fonts, lineNode, phone } from '../../lib/theme.ts'
import { withChanges } from '../../paths.ts'
import { AddressLink } from '../../shared/address/AddressLink.tsx'
import { isSentinel } from '../../shared/address/parseAddress.ts'
import { EventsExport } from '../../shared/csv/CsvExport.tsx'
import { announce } from '../../shared/frame/Announcer.tsx'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { ZoneChoice } from '../../shared/frame/ZoneChoice.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { MoreRow } from '../../shared/lookup/NextPage.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { type EventKind, groupByDay, keyOf, kinds, type MemberEvent, useMemberEvents } from './useMemberEvents.ts'

type Props = { address: Address; community: Community }

/** Lists the events of an address by day, newest first; new ones appear without a reload. The kind is in the URL. */
export default function Timeline({ address, community }: Props) {
  const { t } = useLazyTranslation('history')
  const format = useFormat()
  const [parameters, setParameters] = useSearchParams()
  const kind = kinds.find((one) => one === parameters.get('kind'))
  const events = useMemberEvents(community.id, address, kind)
  const choose = (chosen: EventKind | 'all') =>
    setParameters((current) => withChanges(current, { kind: chosen === 'all' ? null : chosen }), { replace: true })
  return (
    <Section
      title={t('title')}
      aside={
        <RadioRow
          label={t('kind')}
          value={kind ?? 'all'}
          options={(['all', ...kinds] as const).map((one) => [one, t(one)])}
          onChange={choose}
        />
      }
    >
      <Answer query={events.newest} skeleton={<Skeleton rows={8} />}>
        {({ asOf }) =>
          events.items.length === 0 ? (
            <Quiet>{t(kind ? 'noneOfKind' : 'none')}</Quiet>
          ) : (
            <div aria-busy={events.newest.isPlaceholderData}>
              <EventsExport
                address={address}
                community={community}
                kind={kind}
                text={kind ? t('csv.kind', { kind: t(kind) }) : t('csv')}
              />
              <Days items={events.items} block={asOf.block} community={community} />
              <MoreRow
                query={events.older}
                hasMore={events.hasMore}
                onMore={events.loadMore}
                texts={{
                  more: t('more'),
                  failed: t('moreFailed'),
                  shown: t('loaded', { number: format.count(events.items.length) }),
                }}
              />
            </div>
          )
        }
      </Answer>
    </Section>
  )
}

function Days({ items, block, community }: { items: readonly MemberEvent[]; block: number; community: Community }) {
  const { t } = useLazyTranslation('history')
  const format = useFormat()
  // Events after the first answer are marked as new.
  const [opened] = useState(block)
  const arrived = items.filter((event) => event.block > opened).length
  useEffect(() => {
    if (arrived > 0) announce(t('arrived', { count: arrived }))
  }, [arrived, t])
  return (
    <>
      <ZoneChoice place="row" />
      {groupByDay(items, format.calendar).map(({ day, events }) => (
        <Day key={keyOf(events.at(-1) as MemberEvent)}>
          <h3>{day === null ? t('undated') : <time dateTime={day}>{format.longDay(day)}</time>}</h3>
          <ol>
            {events.map((event) => (
              <TimelineEvent key={keyOf(event)} event={event} community={community} isNew={event.block > opened} />
            ))}
          </ol>
        </Day>
      ))}
    </>
  )
}

const Quiet = styled('p')(({ theme }) => ({
  margin: '0 0 8px',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
}))

const Day = styled('section')(({ theme }) => ({
  position: 'relative',
  paddingTop: 14,
  '[aria-busy="true"] > &': { opacity: 0.5 },
  // The lineage line, with a node for each event.
  '&::before': {
    content: '""',
    position: 'absolute',
    left: 4,
    top: 0,
    bottom: 0,
    width: 1,
    background: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 22%, transparent)`,
  },
  '& h3': {
    margin: '0 0 2px 24px',
    fontSize: '0.8125rem',
    fontWeight: 500,
    color: theme.vars?.palette.text.secondary,
  },
}))

type EventProps = { event: MemberEvent; community: Community; isNew: boolean }

/** Renders an event: its time, kind, counterpart or amount, and its block with a link to the transaction. */
function TimelineEvent({ event, community, isNew }: EventProps) {
  const { t } = useLazyTranslation('history')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { kind, status, timestamp } = event
  const ignored = status && status !== 'bound' ? status : undefined
  return (
    <Row data-kind={ignored ? 'ignored' : kind} data-new={isNew}>
      {timestamp === null ? (
        <span>–</span>
      ) : (
        <time dateTime={new Date(timestamp * 1_000).toISOString()} title={format.moment(timestamp)}>
          {format.time(timestamp)}
        </time>
      )}
      <span className="what">
        <span>{`${t(`${kind}.text`)} `}</span>
        <Counterpart event={event} />
        {ignored && <em>{` ${t('ignored', { reason: common(`newest.${ignored}`) })}`}</em>}
      </span>
      <Amount event={event} community={community} />
      <Transaction event={event} explorer={community.explorer} />
    </Row>
  )
}

function Counterpart({ event: { kind, address, referrer, from } }: Pick<EventProps, 'event'>) {
  const { t } = useLazyTranslation('history')
  if (kind === 'referral') return <AddressLink address={address} />
  if (from !== null)
    return (
      <>
        <span>{`${t('from')} `}</span>
        <AddressLink address={from as Address} />
      </>
    )
  if (referrer === null) return null
  return isSentinel(referrer) ? <span>{t('noReferrer')}</span> : <AddressLink address={referrer} />
}

function Amount({ event: { kind, amount }, community: { tokens } }: Pick<EventProps, 'event' | 'community'>) {
  const format = useFormat()
  if (amount === null) return null
  const token = kind === 'bind' || kind === 'referral' ? null : tokens[kind]
  // Show the smallest unit if the token is unknown.
  if (!token) return <span className="amount">{amount}</span>
  return (
    <span className="amount" title={format.amountWithUnit(amount, token, 'exact')}>
      {format.amountWithUnit(amount, token)}
    </span>
  )
}

function Transaction({
  event: { block, tx, grade, between },
  explorer,
}: {
  event: MemberEvent
  explorer: string | null
}) {
  const { t } = useLazyTranslation('history')
  const { t: common } = useTranslation()
  const format = useFormat()
  const number = format.count(block)
  if (between) {
    const blocks = t('blocks', { from: format.count(between.from), to: format.count(between.to) })
    return <span className="block">{grade === 'observed' ? `${blocks} · ${common('grade.observed')}` : blocks}</span>
  }
  if (!explorer || tx === null) return <span className="block">{t('block', { block: number })}</span>
  return (
    <a
      className="block"
      href={`${explorer}/tx/${tx}`}
      target="_blank"
      rel="noreferrer"
      aria-label={t('transaction', { block: number })}
      title={tx}
    >
      <span>{t('block', { block: number })}</span>
      <OpenIcon fontSize="inherit" aria-hidden />
    </a>
  )
}

const arrive = keyframes({ from: { opacity: 0.2 }, to: { opacity: 1 } })

const Row = styled('li')(({ theme }) => ({
  position: 'relative',
  display: 'grid',
  gridTemplateColumns: '2.75rem minmax(0, 1fr) auto 7.75rem',
  alignItems: 'center',
  columnGap: 14,
  minHeight: 44,
  paddingLeft: 24,
  fontSize: '0.875rem',
  '@media (prefers-reduced-motion: no-preference)': { '&[data-new="true"]': { animation: `${arrive} 480ms ease-out` } },
  '&::after': {
    ...lineNode,
    position: 'absolute',
    left: 0,
    top: 'calc(50% - 4.5px)',
    borderColor: theme.vars?.palette.text.secondary,
  },
  '&[data-kind="bind"]::after, &[data-kind="referral"]::after': filledNode,
  // A crossed ring in grey: a bind that changes nothing must not look like one that does.
  '&[data-kind="ignored"]': {
    '&::after': {
      background: `linear-gradient(to top right, transparent 42%, ${theme.vars?.palette.text.secondary} 42% 58%, transparent 58%) ${theme.vars?.palette.background.default}`,
    },
    '& .what': { color: theme.vars?.palette.text.secondary },
  },
  '& > :first-child': { fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& .what': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '0 8px', minWidth: 0 },
  '& .what a': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: 8,
    minHeight: 44,
    font: `400 0.875rem/1.4 ${fonts.address}`,
    color: 'inherit',
    textDecoration: 'none',
    '&:hover': { textDecoration: 'underline', textUnderlineOffset: 4 },
  },
  '& em': { fontStyle: 'normal', fontSize: '0.8125rem', color: theme.vars?.palette.warning.main },
  '& .amount': { textAlign: 'right', whiteSpace: 'nowrap' },
  '& .block': {
    gridColumn: 4,
    justifySelf: 'end',
    display: 'inline-flex',
    alignItems: 'center',
    gap: 4,
    fontSize: '0.8125rem',
    whiteSpace: 'nowrap',
    color: theme.vars?.palette.text.secondary,
    textDecoration: 'none',
  },
  '& a.block': { minHeight: 44, '&:hover': { textDecoration: 'underline', textUnderlineOffset: 4 } },
  // Print shows every address in full.
  '@media print': {
    '& .what a': {
      fontSize: 0,
      '& bdi': { fontSize: '0.8125rem' },
      '&::after': { content: 'attr(title)', fontSize: '0.8125rem' },
    },
  },
  [phone]: {
    gridTemplateColumns: '2.75rem minmax(0, 1fr) auto',
    paddingTop: 6,
    '& .what': { gridRow: 1, gridColumn: '1 / 3' },
    '& .amount': { gridRow: 1, gridColumn: 3 },
    '& > :first-child': { gridRow: 2, gridColumn: 1 },
    '& .block': { gridRow: 2, gridColumn: '2 / 4' },
    // Links are as high as a finger, and their lines as high as text.
    '& .what a, & a.block': { marginBlock: -10 },
  },
}))
