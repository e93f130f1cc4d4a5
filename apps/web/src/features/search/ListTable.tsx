import { styled } from '@mui/material/styles'
import { memo, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { TextButton } from '../../shared/frame/controls.tsx'
import AddressName, { FoundName } from '../../shared/lookup/AddressName.tsx'
import { type Column, RowsTable } from '../../shared/lookup/RowsTable.tsx'
import { MembershipMark } from './MembershipMark.tsx'
import { bnb } from './query.ts'
import type { ListRow } from './useAddressList.ts'

/** `asked`: looked up one by one while a wallet is connected; `found`: read on chain for all at once. */
type Names = 'asked' | 'found' | 'none'

type Sort = { by: 'balance' | 'team'; order: 'ascending' | 'descending' }

/** Rows added at a time on scroll. */
const step = 50

/** Shows the results of a list, in its order or sorted. */
export function ListTable({ rows, names }: { rows: readonly ListRow[]; names: Names }) {
  const { t } = useLazyTranslation('search')
  const { t: ofAddress } = useLazyTranslation('address')
  const [limit, setLimit] = useState(step)
  const [sort, setSort] = useState<Sort>()
  const sorted = useMemo(() => (sort ? sortRows(rows, sort) : rows), [rows, sort])

  const sortable = (by: Sort['by'], label: string): Column => ({
    key: by,
    label,
    align: 'end',
    ...(sort?.by === by && { sorted: sort.order }),
    // Cycles through descending, ascending and the pasted order.
    onSort: () => setSort(sort?.by !== by ? { by, order: 'descending' } : next[sort.order](by)),
  })
  return (
    <>
      <RowsTable
        caption={t('list.table')}
        sortBy={t('list.sort')}
        columns={[
          { key: 'address', label: t('list.address') },
          { key: 'status', label: t('list.status'), place: 'besideName' },
          { key: 'kind', label: ofAddress('kind'), place: 'wide' },
          sortable('balance', ofAddress('balance')),
          sortable('team', t('list.team')),
          { key: 'referrer', label: ofAddress('referrer'), place: 'below' },
        ]}
        rows={sorted.slice(0, limit).map((row) => ({
          key: row.address,
          cells: {
            address: <Subject row={row} names={names} />,
            status: <Status card={row.card} />,
            kind: <Kind chain={row.chain} />,
            balance: <Balance chain={row.chain} />,
            referrer: <Referrer card={row.card} />,
            team: <Team card={row.card} />,
          },
        }))}
      />
      {sorted.length > limit && (
        <MoreRows key={limit} count={Math.min(step, sorted.length - limit)} onMore={() => setLimit(limit + step)} />
      )}
    </>
  )
}

const next: Record<Sort['order'], (by: Sort['by']) => Sort | undefined> = {
  descending: (by) => ({ by, order: 'ascending' }),
  ascending: () => undefined,
}

/** Sorts rows; unknown values come last in both orders. */
function sortRows(rows: readonly ListRow[], { by, order }: Sort): ListRow[] {
  const figure = ({ card, chain }: ListRow) =>
    by === 'team'
      ? typeof card === 'object'
        ? BigInt(card.team)
        : undefined
      : typeof chain === 'object'
        ? chain.balance
        : undefined
  const sign = order === 'ascending' ? 1 : -1
  return rows.toSorted((a, b) => {
    const [one, other] = [figure(a), figure(b)]
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
    return one === other ? 0 : one < other ? -sign : sign
  })
}

/** Shows more rows when scrolled into view, or on click. */
function MoreRows({ count, onMore }: { count: number; onMore: () => void }) {
  const { t } = useLazyTranslation('search')
  const button = useRef<HTMLButtonElement>(null)
  const showMore = useEffectEvent(onMore)
  useEffect(() => {
    if (!button.current || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && showMore(), {
      rootMargin: '600px',
    })
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [])
  return (
    <TextButton ref={button} type="button" onClick={onMore}>
      {t('list.more', { count })}
    </TextButton>
  )
}

const Subject = memo(({ row: { address }, names }: { row: ListRow; names: Names }) => (
  <Named>
    <AddressText address={address} />
    {names === 'asked' && <AddressName address={address} />}
    {names === 'found' && <FoundName address={address} />}
  </Named>
))

const Status = memo(({ card }: Pick<ListRow, 'card'>) => {
  const { t } = useLazyTranslation('search')
  if (card === undefined) return <Placeholder card={undefined} />
  if (card === 'failed') return <Failed>{t('list.failed')}</Failed>
  if (card === 'stranger') return <MembershipMark data-member={false}>{t('list.isStranger')}</MembershipMark>
  const isMember = card.status === 'member'
  return <MembershipMark data-member={isMember}>{t(isMember ? 'list.isMember' : 'list.isPlaceholder')}</MembershipMark>
})

const Kind = memo(({ chain }: Pick<ListRow, 'chain'>) => {
  const { t } = useLazyTranslation('search')
  const { t: ofAddress } = useLazyTranslation('address')
  if (chain === undefined) return <Placeholder card={undefined} />
  if (chain === 'failed') return <Failed>{t('list.failed')}</Failed>
  return <span>{chain.kind === 'delegated' ? t('list.isDelegated') : ofAddress(chain.kind)}</span>
})

const Balance = memo(({ chain }: Pick<ListRow, 'chain'>) => {
  const { t } = useLazyTranslation('search')
  const format = useFormat()
  if (chain === undefined) return <Placeholder card={undefined} />
  if (chain === 'failed') return <Failed>{t('list.failed')}</Failed>
  const value = String(chain.balance)
  return <span title={format.amountWithUnit(value, bnb, 'exact')}>{format.amount(value, bnb)}</span>
})

const Referrer = memo(({ card }: Pick<ListRow, 'card'>) => {
  const { t } = useLazyTranslation('address')
  if (typeof card !== 'object') return <Placeholder card={card} />
  return card.referrer ? <AddressText address={card.referrer} /> : <span>{t('root')}</span>
})

const Team = memo(({ card }: Pick<ListRow, 'card'>) => {
  const format = useFormat()
  return typeof card === 'object' ? <span>{format.count(card.team)}</span> : <Placeholder card={card} />
})

const Placeholder = ({ card }: Pick<ListRow, 'card'>) => <span>{card === undefined ? '…' : '–'}</span>

const Named = styled('span')({
  display: 'inline-flex',
  verticalAlign: 'middle',
  alignItems: 'center',
  gap: 10,
  maxWidth: '100%',
  fontSize: '0.8125rem',
})

const Failed = styled('span')(({ theme }) => ({ color: theme.vars?.palette.warning.main }))
