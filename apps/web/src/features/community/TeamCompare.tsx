import type { Address, Community, Compare, Member } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { refreshEvery, useAnswer } from '../../lib/api.ts'
import { type Format, useFormat } from '../../lib/format.ts'
import { type Translate, useLazyTranslation } from '../../lib/i18n.ts'
import type { Days as PeriodDays } from '../../paths.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { useZoneName } from '../../shared/frame/ZoneChoice.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { FactList } from '../../shared/lookup/FactList.tsx'
import { RowsTable } from '../../shared/lookup/RowsTable.tsx'
import { Columns, Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Joined } from '../../shared/lookup/Time.tsx'
import { DaysForm } from '../../shared/period/DaysForm.tsx'

type Days = Record<'dayFrom' | 'dayTo', string>
/** A member of now, or of a past moment. */
type Compared = Pick<Member, 'address' | 'grade' | 'asOf'>
type Props = { member: Compared; community: Community; days: PeriodDays }

/** Largest number of legs and of new members listed. */
const shown = 12

/** Compares a team before and after a range of days. */
export default function TeamCompare({ member, community, days: { from, to } }: Props) {
  const { t } = useLazyTranslation('compare')
  const days = { dayFrom: from, dayTo: to }
  return (
    <Section title={t('title')}>
      <Hint>{t('hint')}</Hint>
      <DaysForm days={{ from, to }} now={member.asOf.timestamp} act={t('act')} />
      <Comparison member={member} community={community} days={days} />
    </Section>
  )
}

type ComparisonProps = { member: Compared; community: Community; days: Days }

function Comparison({ member, community, days }: ComparisonProps) {
  const { t } = useLazyTranslation('compare')
  const query = useCompare(community.id, member.address, days.dayFrom, days.dayTo)
  const wrong = { moment_before_start: 'wrong.start', moment_in_future: 'wrong.future' } as const
  const code = query.error?.code
  if (code === 'moment_before_start' || code === 'moment_in_future') return <Hint role="alert">{t(wrong[code])}</Hint>
  return (
    <Answer query={query} skeleton={<Skeleton rows={5} />}>
      {(compare) => (
        <>
          <Measures compare={compare} days={days} isDated={member.grade === 'exact'} />
          <Amounts compare={compare} community={community} />
          <Columns>
            <NewMembers compare={compare} />
            {compare.legs.length > 0 && <Legs compare={compare} days={days} community={community} />}
          </Columns>
        </>
      )}
    </Answer>
  )
}

const measures = ['directs', 'team', 'maxLevel', 'depth'] as const
type MeasuresProps = { compare: Compare; days: Days; isDated: boolean }

function Measures({ compare: { from, to }, days, isDated }: MeasuresProps) {
  const { t } = useLazyTranslation('compare')
  const format = useFormat()
  const zone = useZoneName()()
  const uncertain = [
    { day: days.dayFrom, text: 'uncertainBefore', count: from.at.undated } as const,
    { day: days.dayTo, text: 'uncertain', count: to.at.undated } as const,
  ].filter(({ count }) => count > 0)
  const textOf = ({ at, member }: Compare['from'], name: (typeof measures)[number]) => {
    if (member) return format.count(member[name])
    return t(isDated || at.undated === 0 ? 'absent' : 'perhaps')
  }
  return (
    <>
      <Hint>{t('range', { from: format.longDay(days.dayFrom), to: format.longDay(days.dayTo), zone })}</Hint>
      <RowsTable
        caption={t('title')}
        columns={columnsOf(t('measure'), days, format, t)}
        rows={measures.map((name) => ({
          key: name,
          cells: {
            name: t(name),
            from: textOf(from, name),
            to: textOf(to, name),
            change: from.member && to.member ? signed(to.member[name] - from.member[name], format) : '–',
          },
        }))}
      />
      {uncertain.map(({ day, text, count }) => (
        <Hint key={text}>{t(text, { day: format.longDay(day), number: format.count(count) })}</Hint>
      ))}
    </>
  )
}

/** Shows the amounts of the days, of the member and of the team at their end. */
function Amounts({ compare: { amounts }, community }: { compare: Compare; community: Community }) {
  const { t } = useLazyTranslation('compare')
  const format = useFormat()
  const { volume, reward } = community.tokens
  if (!volume && !reward) return null
  return (
    <Place>
      <h3>{t('amounts')}</h3>
      <FactList
        rows={[
          volume && [t('ownVolume'), format.amountWithUnit(amounts.own.volume, volume)],
          volume && [t('teamVolume'), format.amountWithUnit(amounts.team.volume, volume)],
          reward && [t('ownRewards'), format.amountWithUnit(amounts.own.rewards, reward)],
          reward && [t('teamRewards'), format.amountWithUnit(amounts.team.rewards, reward)],
        ]}
      />
      <Hint>{t('amountsTeam')}</Hint>
    </Place>
  )
}

function NewMembers({ compare: { came, left } }: { compare: Compare }) {
  const { t } = useLazyTranslation('compare')
  const format = useFormat()
  const items = came.items.slice(0, shown)
  const number = format.count(items.length)
  return (
    <div>
      <h3>{t('joined', { number: format.count(came.count) })}</h3>
      {came.undated > 0 && <Hint>{t('undated', { number: format.count(came.undated) })}</Hint>}
      {left > 0 && <Hint>{t('left', { number: format.count(left) })}</Hint>}
      {items.length < came.count && <Hint>{t('newest', { number })}</Hint>}
      <List>
        {items.map((item) => (
          <li key={item.address}>
            <AddressText address={item.address} />
            <Joined of={item} form="day" />
          </li>
        ))}
      </List>
    </div>
  )
}

type LegsProps = { compare: Compare; days: Days; community: Community }

function Legs({ compare: { legs, legsChanged }, days, community }: LegsProps): ReactNode {
  const { t } = useLazyTranslation('compare')
  const format = useFormat()
  const { volume } = community.tokens
  return (
    <div>
      <h3>{t('legs')}</h3>
      {legsChanged > shown && (
        <Hint>{t('legsShown', { number: format.count(shown), all: format.count(legsChanged) })}</Hint>
      )}
      <RowsTable
        caption={t('legs')}
        columns={[
          ...columnsOf(t('leg'), days, format, t),
          ...(volume ? [{ key: 'volume', label: t('legVolume'), align: 'end' as const }] : []),
        ]}
        rows={legs.slice(0, shown).map(({ address, from, to, volume: sum }) => ({
          key: address,
          cells: {
            name: <AddressText address={address} />,
            from: format.count(from),
            to: format.count(to),
            change: signed(to - from, format),
            volume: volume && format.amountWithUnit(sum, volume),
          },
        }))}
      />
    </div>
  )
}

/** Formats a difference with its sign. */
const signed = (value: number, { locale }: Format) =>
  new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' }).format(value).replace('-', '−')

const columnsOf = (name: string, days: Days, { shortDay }: Format, t: Translate<'compare'>) => [
  { key: 'name', label: name },
  { key: 'from', label: t('before', { day: shortDay(days.dayFrom) }), align: 'end' as const },
  { key: 'to', label: t('after', { day: shortDay(days.dayTo) }), align: 'end' as const },
  { key: 'change', label: t('change'), align: 'end' as const, place: 'besideName' as const },
]

const Hint = styled('p')(({ theme }) => ({
  maxWidth: '46em',
  margin: '0 0 12px',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
}))

const Place = styled('div')({ maxWidth: '34em', margin: '20px 0' })

const List = styled('ul')(({ theme }) => ({
  fontSize: '0.8125rem',
  '& li': {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    minHeight: 48,
    borderTop: `1px solid ${theme.vars?.palette.divider}`,
  },
  '& li > :last-child': { color: theme.vars?.palette.text.secondary },
}))

/** Compares a team before and after a range of days. */
function useCompare(community: string, address: Address, from: string, to: string) {
  const tz = useFormat().timeZone
  return useAnswer(
    [community, 'compare', address, from, to, tz],
    (api, signal) => api.compare(community, address, from, to, { tz, signal }),
    // The past changes only when a block is replaced, but the last day may be today.
    { refetchInterval: refreshEvery(30_000) },
  )
}
