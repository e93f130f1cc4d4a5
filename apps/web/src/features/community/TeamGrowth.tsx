import type { Address, Community, Growth, GrowthInterval } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { withChanges } from '../../paths.ts'
import { DataTable } from '../../shared/charts/DataTable.tsx'
import { TimeChart } from '../../shared/charts/TimeChart.tsx'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { useZoneName } from '../../shared/frame/ZoneChoice.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Undated } from '../../shared/lookup/Time.tsx'
import { useGrowth } from './query.ts'

type Form = 'total' | 'members'
const intervals: readonly GrowthInterval[] = ['day', 'week', 'month']

/** Charts a team's growth by day, week or month. */
export function TeamGrowth({ address, community }: { address: Address; community: Community }) {
  const { t } = useTranslation()
  const [parameters, setParameters] = useSearchParams()
  const interval = intervals.find((one) => one === parameters.get('interval')) ?? 'week'
  const show = (next: GrowthInterval) =>
    setParameters((current) => withChanges(current, { interval: next }), { replace: true })
  const [form, setForm] = useState<Form>('total')
  const query = useGrowth(community.id, address, interval)
  return (
    <Section
      title={t('teamGrowth.title')}
      aside={
        <Controls>
          <RadioRow
            label={t('growth.form')}
            value={form}
            options={[
              ['total', t('growth.byTotal')],
              ['members', t('teamGrowth.new')],
            ]}
            onChange={setForm}
          />
          <RadioRow
            label={t('teamGrowth.interval')}
            value={interval}
            options={intervals.map((one) => [one, t(`teamGrowth.${one}`)])}
            onChange={show}
          />
        </Controls>
      }
    >
      <Answer query={query} skeleton={<Place />}>
        {(growth) => <Chart growth={growth} form={form} address={address} />}
      </Answer>
    </Section>
  )
}

function Chart({ growth, form, address }: { growth: Growth; form: Form; address: Address }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = {
    day: format.longDay,
    week: (from: string) => t('teamGrowth.weekOf', { day: format.longDay(from) }),
    month: format.month,
  }[growth.interval]
  return (
    <>
      <TimeChart
        label={t(form === 'total' ? 'teamGrowth.total' : 'teamGrowth.newMembers')}
        form={form === 'total' ? 'line' : 'bars'}
        formatTick={format.tick}
        source={{ asOf: growth.asOf, address }}
        points={growth.items.map(({ from, ...item }) => ({
          key: from,
          label: nameOf(from),
          tick: format.month(from),
          value: item[form],
          text: t('people', { count: item[form], number: format.count(item[form]) }),
        }))}
      />
      <DataTable
        caption={t('teamGrowth.title')}
        head={[t('teamGrowth.period', { zone: useZoneName()() }), t('teamGrowth.new'), t('growth.byTotal')]}
        rows={() =>
          growth.items.toReversed().map(({ from, members, total }) => ({
            key: from,
            cells: [nameOf(from), format.count(members), format.count(total)],
          }))
        }
      />
      <Undated count={growth.undated} />
    </>
  )
}

const Controls = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: '8px 32px' })
// Reserves the height of the chart and the button below it.
const Place = styled('div')({ height: 304 })
