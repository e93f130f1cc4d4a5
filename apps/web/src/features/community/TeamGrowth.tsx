import type { Community, GrowthInterval, Member, Token } from '@lineage/referral-api'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { withChanges } from '../../paths.ts'
import { intervals, SeriesChart, toSeries } from '../../shared/charts/SeriesChart.tsx'
import { ChartPlace } from '../../shared/charts/TimeChart.tsx'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { Controls, Section } from '../../shared/lookup/Section.tsx'
import { Undated } from '../../shared/lookup/Time.tsx'
import { useAmounts, useGrowth } from '../../shared/period/queries.ts'

const measures = ['members', 'teamVolume', 'ownVolume', 'teamRewards', 'ownRewards'] as const
type Measure = (typeof measures)[number]
type AmountMeasure = Exclude<Measure, 'members'>
type Form = 'total' | 'added'
type Props = { member: Member; community: Community }

/** Charts the members of a team, or amounts, by day, week or month. */
export function TeamGrowth({ member, community }: Props) {
  const { t } = useTranslation()
  const { t: own } = useLazyTranslation('period')
  const { t: charts } = useLazyTranslation('charts')
  const [parameters, setParameters] = useSearchParams()
  const choose = (changes: { interval: GrowthInterval } | { measure: Measure }) =>
    setParameters((current) => withChanges(current, changes), { replace: true })
  const interval = intervals.find((one) => one === parameters.get('interval')) ?? 'week'
  const offered = measures.filter((one) => isOffered(one, member, community))
  const measure = offered.find((one) => one === parameters.get('measure')) ?? offered[0]
  const [form, setForm] = useState<Form>('total')
  if (!measure) return null
  const token = tokenOf(measure, community)
  const chart = { member, community, interval, form }
  return (
    <Section
      title={own(member.team > 0 ? 'growth' : 'amounts')}
      aside={
        <Controls>
          <RadioRow
            label={t('growth.measure')}
            value={measure}
            options={offered.map((one) => [one, own(`growth.${one}`)])}
            onChange={(next) => choose({ measure: next })}
          />
          <RadioRow
            label={t('growth.form')}
            value={form}
            options={[
              ['total', t('growth.byTotal')],
              ['added', charts('added')],
            ]}
            onChange={setForm}
          />
          <RadioRow
            label={own('interval')}
            value={interval}
            options={intervals.map((one) => [one, own(one)])}
            onChange={(next) => choose({ interval: next })}
          />
        </Controls>
      }
    >
      <ChartPlace>
        {measure === 'members' || !token ? (
          <MembersChart {...chart} />
        ) : (
          <AmountsChart {...chart} measure={measure} token={token} />
        )}
      </ChartPlace>
    </Section>
  )
}

/** Returns whether there may be anything to chart. */
function isOffered(measure: Measure, { team, ownVolume, rewards }: Member, community: Community): boolean {
  if (measure === 'members') return team > 0
  if (!tokenOf(measure, community)) return false
  return team > 0 || (measure === 'ownVolume' && ownVolume !== '0') || (measure === 'ownRewards' && rewards !== '0')
}

function tokenOf(measure: Measure, { tokens }: Community): Token | null {
  if (measure === 'members') return null
  return measure === 'teamVolume' || measure === 'ownVolume' ? tokens.volume : tokens.reward
}

type ChartProps = Props & { interval: GrowthInterval; form: Form }

function MembersChart({ member: { address }, community, interval, form }: ChartProps) {
  const { t } = useLazyTranslation('period')
  const query = useGrowth(community.id, address, interval)
  return (
    <Answer query={query} skeleton={null}>
      {(growth) => (
        <>
          <SeriesChart
            label={t(`growth.members.${form}`)}
            caption={t('growth.caption')}
            form={form}
            interval={growth.interval}
            rows={toSeries(
              growth.items.map(({ from, members }) => ({ from, units: members })),
              0,
            )}
            token={null}
            source={{ asOf: growth.asOf, address }}
          />
          <Undated count={growth.undated} />
        </>
      )}
    </Answer>
  )
}

function AmountsChart({
  member,
  community,
  interval,
  form,
  measure,
  token,
}: ChartProps & { measure: AmountMeasure; token: Token }) {
  const { t } = useTranslation()
  const { t: own } = useLazyTranslation('period')
  const query = useAmounts(community.id, member.address, interval)
  const whose = measure.startsWith('own') ? 'own' : 'team'
  const kind = measure.endsWith('Volume') ? 'volume' : 'rewards'
  const name = own(`growth.${measure}`)
  return (
    <Answer query={query} skeleton={null}>
      {({ items, asOf, interval: shown }) =>
        items.length === 0 ? (
          <p>{own('amounts.none')}</p>
        ) : (
          <SeriesChart
            label={form === 'total' ? t('growth.total', { measure: name }) : own('growth.added', { measure: name })}
            caption={name}
            form={form}
            interval={shown}
            rows={toSeries(
              items.map((item) => ({ from: item.from, units: item[whose][kind] })),
              token.decimals,
            )}
            token={token}
            source={{ asOf, address: member.address }}
          />
        )
      }
    </Answer>
  )
}
