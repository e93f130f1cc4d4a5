import type { Address, Community, Referrals, ReferralsParameters } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useAnswer } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { type Days, lookupPath } from '../../paths.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { CsvExport } from '../../shared/csv/CsvExport.tsx'
import { Quiet } from '../../shared/frame/controls.tsx'
import { Link } from '../../shared/frame/Link.tsx'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { RowsTable } from '../../shared/lookup/RowsTable.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Joined } from '../../shared/lookup/Time.tsx'
import { usePeriod, withOwn } from '../../shared/period/queries.ts'

const limit = 8
const orders = {
  newest: { sort: 'joined', order: 'desc', limit },
  strongest: { sort: 'team', order: 'desc', limit },
  volume: { sort: 'periodVolume', order: 'desc', limit },
  rewards: { sort: 'periodRewards', order: 'desc', limit },
} as const
type Order = keyof typeof orders
type Item = Referrals['items'][number]
/** `directs`, `team`: their numbers. */
type Props = { address: Address; community: Community; directs: number; team: number }

/** Lists the newest direct referrals, or those with the largest teams; with days in the URL, those with the largest amounts. */
export function DirectsLists({ address, community, directs, team }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [parameters] = useSearchParams()
  const period = usePeriod()
  const [asked, setOrder] = useState<Order>()
  const offered = ordersOf(community, period)
  const order = offered.find((one) => one === asked) ?? offered[0] ?? 'newest'
  const query = useDirects(community.id, address, { ...orders[order], ...period })
  return (
    <Section
      title={t('directs.title')}
      aside={
        <RadioRow
          label={t('directs.order')}
          value={order}
          options={offered.map((one) => [
            one,
            t(one === 'volume' || one === 'rewards' ? `metrics.${one}` : `directs.${one}`),
          ])}
          onChange={setOrder}
        />
      }
    >
      <Answer query={query} skeleton={<Skeleton rows={6} />}>
        {({ items, count }) => {
          // An order by the amounts of days lists only those who have any.
          const all = period && order !== 'newest' ? (count?.value ?? 0) : directs
          return (
            <>
              {period ? <Amounts items={items} community={community} days={period} /> : <Directs items={items} />}
              {items.length < all && <Printed>{`${format.count(items.length)} / ${format.count(all)}`}</Printed>}
            </>
          )
        }}
      </Answer>
      <All to={lookupPath('referrals', parameters, { address })}>{t('directs.all')}</All>
      <CsvExport address={address} community={community} rows={team} {...(period && { filter: period })} />
    </Section>
  )
}

function ordersOf({ tokens }: Community, period: Days | undefined): Order[] {
  if (!period) return ['newest', 'strongest']
  return [...(tokens.volume ? (['volume'] as const) : []), ...(tokens.reward ? (['rewards'] as const) : []), 'newest']
}

function Directs({ items }: { items: readonly Item[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <List>
      {items.map((item) => (
        <li key={item.address}>
          <AddressText address={item.address} />
          <span>{t('directs.team', { count: item.team, number: format.count(item.team) })}</span>
          <Joined of={item} form="ago" />
        </li>
      ))}
    </List>
  )
}

/** Lists direct referrals with the amounts of the days, of each and its team together. */
function Amounts({ items, community, days }: { items: readonly Item[]; community: Community; days: Days }) {
  const { t } = useLazyTranslation('period')
  const { t: common } = useTranslation()
  const { t: filters } = useLazyTranslation('filters')
  const format = useFormat()
  const { volume, reward } = community.tokens
  const columns = [['volume', volume] as const, ['rewards', reward] as const].flatMap(([name, token]) =>
    token ? [{ name, token }] : [],
  )
  return (
    <>
      <Quiet>{`${format.longDay(days.from)} – ${format.longDay(days.to)}`}</Quiet>
      {items.length === 0 ? (
        <Quiet>{t('amounts.none')}</Quiet>
      ) : (
        <RowsTable
          caption={t('amounts')}
          columns={[
            { key: 'address', label: common('field.label') },
            ...columns.map(({ name, token }) => ({
              key: name,
              label: `${filters(`days.${name}`)} (${token.symbol})`,
              short: filters(`days.${name}.short`),
              align: 'end' as const,
            })),
          ]}
          rows={items.map(({ address, amounts }) => ({
            key: address,
            cells: {
              address: <AddressText address={address} />,
              ...Object.fromEntries(
                columns.map(({ name, token }) => [
                  name,
                  amounts && (
                    <span title={format.amountWithUnit(withOwn(amounts, name), token, 'exact')}>
                      {format.amount(withOwn(amounts, name), token)}
                    </span>
                  ),
                ]),
              ),
            },
          }))}
        />
      )}
    </>
  )
}

const List = styled('ol')(({ theme }) => ({
  fontSize: '0.8125rem',
  '& li': {
    display: 'grid',
    gridTemplateColumns: '1fr auto 104px',
    columnGap: 12,
    alignItems: 'center',
    minHeight: 45,
    borderBottom: `1px solid ${theme.vars?.palette.divider}`,
  },
  // A large team leaves no room for a long time.
  '@media (max-width: 22.4969em)': {
    '& li': { display: 'flex', flexWrap: 'wrap' },
    '& li > :first-child': { flex: '1 0 auto' },
    '& li > :last-child': { marginLeft: 'auto' },
  },
  // Print has the day and the block on one line.
  '@media print': { '& li': { gridTemplateColumns: '1fr auto auto' }, '& time': { whiteSpace: 'nowrap' } },
  '& li > :last-child': { textAlign: 'right', color: theme.vars?.palette.text.secondary },
}))

/** Says on paper, where nothing can be pressed, how many of all are listed. */
const Printed = styled('p')({ display: 'none', margin: '8px 0 0', '@media print': { display: 'block' } })

const All = styled(Link)(({ theme }) => ({
  display: 'inline-block',
  lineHeight: '44px',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.primary.main,
  textDecoration: 'none',
  '&:hover': { textDecoration: 'underline', textUnderlineOffset: 4 },
  '@media print': { display: 'none' },
}))

/** Loads the first direct referrals in an order. */
function useDirects(
  community: string,
  address: Address,
  order: Pick<ReferralsParameters, 'sort' | 'order' | 'limit' | 'from' | 'to'>,
) {
  const zone = useFormat().timeZone
  const tz = order.from === undefined ? undefined : zone
  return useAnswer([community, 'referrals', address, 1, order, tz], (api, signal) =>
    api.referrals(community, address, { ...order, tz, level: 1, signal }),
  )
}
