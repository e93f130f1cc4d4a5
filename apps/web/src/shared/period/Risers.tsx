import type { Address, Community, Risers as RisersAnswer } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { type Format, useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { phone } from '../../lib/theme.ts'
import type { Days } from '../../paths.ts'
import { AddressText } from '../address/AddressText.tsx'
import { Quiet } from '../frame/controls.tsx'
import { RadioRow } from '../frame/RadioRow.tsx'
import { useZoneName } from '../frame/ZoneChoice.tsx'
import { Answer } from '../lookup/Answer.tsx'
import { RowsTable } from '../lookup/RowsTable.tsx'
import { Controls, Section } from '../lookup/Section.tsx'
import { Skeleton } from '../lookup/Skeleton.tsx'
import { Undated } from '../lookup/Time.tsx'
import { lastDays, type RisersBy, usePeriod, useRisers } from './queries.ts'

type Props = {
  community: Community
  /** The member in whose team they are; `undefined` for the whole community. */
  top?: Address
  /** Time of the newest block, or of a past moment. */
  now: number
  /** Past moment with which the periods end; the page has no period of its own then. */
  asOf?: string
}
type Span = 'days7' | 'days30' | 'chosen'

/** Lists the members whose teams grew most in the last days, or in the period of the URL. */
export default function Risers({ community, top, now, asOf }: Props) {
  const { t } = useLazyTranslation('period')
  const { t: charts } = useLazyTranslation('charts')
  const { t: common } = useTranslation()
  const today = useFormat().calendar.dayOf(now)
  const period = usePeriod()
  const chosen = asOf === undefined ? period : undefined
  const [by, setBy] = useState<RisersBy>('members')
  const [asked, setSpan] = useState<Span>('chosen')
  const span = asked === 'chosen' && !chosen ? 'days7' : asked
  const days = span === 'chosen' && chosen ? chosen : lastDays(today, span === 'days7' ? 7 : 30)
  const { volume, reward } = community.tokens
  const measures: [RisersBy, string][] = [['members', common('metrics.members')]]
  if (volume) measures.push(['volume', common('metrics.volume')])
  if (reward) measures.push(['rewards', common('metrics.rewards')])
  const spans: [Span, string][] = [
    ['days7', common('growth.days', { count: 7 })],
    ['days30', common('growth.days', { count: 30 })],
  ]
  if (chosen) spans.push(['chosen', t('chosenDays')])
  return (
    <Section
      title={charts('risers')}
      aside={
        <Controls>
          <RadioRow label={common('growth.measure')} value={by} options={measures} onChange={setBy} />
          <RadioRow label={common('growth.span')} value={span} options={spans} onChange={setSpan} />
        </Controls>
      }
    >
      <Place>
        <List community={community} top={top} by={by} days={days} asOf={asOf} />
      </Place>
    </Section>
  )
}

type ListProps = Pick<Props, 'community'> & {
  top: Address | undefined
  by: RisersBy
  days: Days
  asOf: string | undefined
}

function List({ community, top, by, days, asOf }: ListProps) {
  const { t } = useLazyTranslation('period')
  const { t: charts } = useLazyTranslation('charts')
  const { t: common } = useTranslation()
  const format = useFormat()
  const zone = useZoneName()()
  const query = useRisers({ community: community.id, top }, by, { ...days, ...(asOf && { to: asOf }) })
  return (
    <Answer query={query} skeleton={<Skeleton rows={10} />}>
      {({ items, undated, by: shown }) => (
        <div aria-busy={query.isPlaceholderData}>
          <Quiet>{t('range', { from: format.longDay(days.from), to: format.longDay(days.to), zone })}</Quiet>
          {items.length === 0 ? (
            <Quiet>{t('risers.none')}</Quiet>
          ) : (
            <RowsTable
              caption={charts('risers')}
              columns={[
                { key: 'rank', label: t('rank'), narrow: true },
                { key: 'address', label: common('field.label') },
                { key: 'value', label: t(`risers.${shown}`), align: 'end', place: 'besideName' },
              ]}
              rows={items.map((item) => ({
                key: item.address,
                cells: {
                  rank: item.rank,
                  address: <AddressText address={item.address} />,
                  value: textOf(item, community, format),
                },
              }))}
            />
          )}
          <Undated count={undated} />
        </div>
      )}
    </Answer>
  )
}

/** Formats what came to a team: new members, or an amount. */
function textOf(
  { members, volume, rewards }: RisersAnswer['items'][number],
  { tokens }: Community,
  format: Format,
): string {
  if (members !== undefined) return `+${format.count(members)}`
  if (volume !== undefined && tokens.volume) return format.amountWithUnit(volume, tokens.volume)
  return rewards !== undefined && tokens.reward ? format.amountWithUnit(rewards, tokens.reward) : '–'
}

// Reserves the height of ten rows, so that the layout does not shift.
const Place = styled('div')({
  minHeight: 22 + 36 + 49 * 10,
  '& > div > p': { fontSize: '0.8125rem' },
  [phone]: { minHeight: 22 + 51 * 10 },
})
