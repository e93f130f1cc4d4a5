import type { Activity as ActivityAnswer, Address, Community, GrowthInterval } from '@lineage/referral-api'
import { useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { DataTable, intervals, usePeriodName } from '../charts/SeriesChart.tsx'
import { ChartPlace, TimeChart } from '../charts/TimeChart.tsx'
import { RadioRow } from '../frame/RadioRow.tsx'
import { useZoneName } from '../frame/ZoneChoice.tsx'
import { Answer } from '../lookup/Answer.tsx'
import { Controls, Section } from '../lookup/Section.tsx'
import { Undated } from '../lookup/Time.tsx'
import type { At } from '../past/useMoment.ts'
import { useActivity } from './queries.ts'

const measures = ['active', 'bound', 'bought', 'brought'] as const
type Measure = (typeof measures)[number]
type Props = {
  community: Community
  /** The member whose team is counted; `undefined` for the whole community. */
  top?: Address
  /** Last second that is counted; `undefined` for now. */
  until?: number
  /** That moment, for a saved chart. */
  at?: At
}

/** Charts how many members were active, by day, week or month. */
export default function Activity({ community, top, until, at }: Props) {
  const { t } = useLazyTranslation('period')
  const { t: charts } = useLazyTranslation('charts')
  const [measure, setMeasure] = useState<Measure>('active')
  const [interval, setInterval] = useState<GrowthInterval>('week')
  const { volume } = community.tokens
  return (
    <Section
      title={charts('activity')}
      aside={
        <Controls>
          <RadioRow
            label={t('activity.measure')}
            value={measure}
            options={measures
              .filter((one) => one !== 'bought' || volume)
              .map((one) => [one, t(`activity.${one}`)] as const)}
            onChange={setMeasure}
          />
          <RadioRow
            label={t('interval')}
            value={interval}
            options={intervals.map((one) => [one, t(one)])}
            onChange={setInterval}
          />
        </Controls>
      }
    >
      <ChartPlace>
        <Chart community={community} top={top} until={until} at={at} measure={measure} interval={interval} />
      </ChartPlace>
    </Section>
  )
}

type ChartProps = {
  community: Community
  top: Address | undefined
  until: number | undefined
  at: At | undefined
  measure: Measure
  interval: GrowthInterval
}

function Chart({ community, top, until, at, measure, interval }: ChartProps) {
  const query = useActivity({ community: community.id, top }, interval, until)
  return (
    <Answer query={query} skeleton={null}>
      {(activity) => (
        <Drawn activity={activity} at={at} measure={measure} top={top} hasVolume={community.tokens.volume !== null} />
      )}
    </Answer>
  )
}

type DrawnProps = Pick<ChartProps, 'measure' | 'top' | 'at'> & { activity: ActivityAnswer; hasVolume: boolean }

function Drawn({ activity, at, measure, top, hasVolume }: DrawnProps) {
  const { t } = useLazyTranslation('period')
  const { t: charts } = useLazyTranslation('charts')
  const { t: common } = useTranslation()
  const format = useFormat()
  const zone = useZoneName()()
  const nameOf = usePeriodName(activity.interval)
  const shown = measures.filter((one) => one !== 'bought' || hasVolume)
  return (
    <>
      <TimeChart
        label={t(`activity.${measure}`)}
        form="bars"
        formatTick={format.tick}
        source={{ asOf: activity.asOf, ...(at && { at }), ...(top && { address: top }) }}
        points={activity.items.map(({ from, ...item }) => ({
          key: from,
          label: nameOf(from),
          tick: activity.interval === 'day' ? format.shortDay(from) : format.month(from),
          value: item[measure],
          text: common('people', { count: item[measure], number: format.count(item[measure]) }),
        }))}
      />
      <DataTable
        caption={charts('activity')}
        head={[charts('period', { zone }), ...shown.map((one) => t(`activity.${one}`))]}
        rows={() =>
          activity.items.toReversed().map(({ from, ...item }) => ({
            key: from,
            cells: [nameOf(from), ...shown.map((one) => format.count(item[one]))],
          }))
        }
      />
      <Undated count={activity.undated} />
    </>
  )
}
