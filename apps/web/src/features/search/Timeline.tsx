import type { Address, Community } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { withChanges } from '../../paths.ts'
import { EventsExport } from '../../shared/csv/CsvExport.tsx'
import { announce } from '../../shared/frame/Announcer.tsx'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { ZoneChoice } from '../../shared/frame/ZoneChoice.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { MoreRow } from '../../shared/lookup/NextPage.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { TimelineEvent } from './TimelineEvent.tsx'
import { type EventKind, groupByDay, keyOf, type MemberEvent, useMemberEvents } from './useMemberEvents.ts'

const kinds = ['bind', 'referral', 'reward', 'volume'] as const satisfies EventKind[]

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
