import { type AsOf, type Community, type MemberMetrics, nameIn } from '@lineage/referral-api'
import { keyframes, styled } from '@mui/material/styles'
import { useDeferredValue, useEffect, useRef } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { announce } from '../../shared/frame/Announcer.tsx'
import { lazyPart } from '../../shared/frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../../shared/frame/lazyWithPreload.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AnswerBoundary } from '../../shared/lookup/AnswerBoundary.tsx'
import { useMetrics } from '../../shared/lookup/queries.ts'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Totals } from './Totals.tsx'

const TimeControl = lazyPart(() => import('../../shared/past/TimeControl.tsx'))
const MetricsDetails = lazyWithPreload(() => import('./MetricsDetails.tsx'))

/** Shows the community's metrics at the newest block. */
export function MetricsView({ community }: { community: Community }) {
  const { i18n } = useTranslation()
  const query = useMetrics(community.id)
  return (
    <Answer query={query} skeleton={<Skeleton rows={10} />}>
      {(metrics) => (
        <>
          <LiveStatus
            asOf={metrics.asOf}
            name={nameIn(community.name, i18n.language)}
            members={metrics.members}
            dated={metrics.members - metrics.undated}
            isCurrent={!query.error}
          />
          <Control>
            <TimeControl asOf={metrics.asOf} choices="past" />
          </Control>
          <Totals metrics={metrics} community={community} />
          <Below metrics={metrics} community={community} />
        </>
      )}
    </Answer>
  )
}

/** Renders the details after the totals have painted, for each new block as well. */
function Below({ metrics, community }: { metrics: MemberMetrics; community: Community }) {
  const shown = useDeferredValue<MemberMetrics | undefined>(metrics, undefined)
  const skeleton = <Skeleton rows={10} />
  return (
    <AnswerBoundary skeleton={skeleton}>
      {shown ? <MetricsDetails metrics={shown} community={community} /> : skeleton}
    </AnswerBoundary>
  )
}

/** Shortest time between two announcements of new members, in milliseconds. */
const calm = 60_000

type Props = { asOf: AsOf; name: string; members: number; dated: number; isCurrent: boolean }

/** Shows the block of the data; a dot pulses with each new block. Announces new members to screen readers. */
function LiveStatus({ asOf, name, members, dated, isCurrent }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const announced = useRef({ dated, at: Number.NEGATIVE_INFINITY })
  useEffect(() => {
    // Members without a date may have joined long ago.
    const more = dated - announced.current.dated
    if (more <= 0 || performance.now() - announced.current.at < calm) return
    announced.current = { dated, at: performance.now() }
    announce(t('live.members', { count: more, number: format.count(more), total: format.count(members) }))
  }, [members, dated, t, format])
  return (
    <Root>
      <i key={asOf.block} aria-hidden data-current={isCurrent} />
      <span>{`${name} · ${t('asOf', { block: format.count(asOf.block) })} · `}</span>
      <time dateTime={new Date(asOf.timestamp * 1_000).toISOString()}>{format.moment(asOf.timestamp)}</time>
    </Root>
  )
}

/** Reserves the height of the button, which loads later. */
const Control = styled('div')({ minHeight: 44, marginTop: 8, '@media print': { display: 'none' } })

const beat = keyframes({ from: { transform: 'scale(2)', opacity: 0.3 }, to: { transform: 'none', opacity: 1 } })

const Root = styled('p')(({ theme }) => ({
  margin: 0,
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
  '& i': {
    display: 'inline-block',
    width: 7,
    height: 7,
    marginRight: 10,
    borderRadius: '50%',
    background: theme.vars?.palette.text.secondary,
    '&[data-current="true"]': { background: theme.vars?.palette.primary.main, animation: `${beat} 480ms ease-out` },
  },
}))
