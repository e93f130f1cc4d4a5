import type { Address, Community, Referrals } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { CsvExport } from '../../shared/csv/CsvExport.tsx'
import { Announced } from '../../shared/frame/Announcer.tsx'
import { Button } from '../../shared/frame/Button.tsx'
import { NextPageStatus } from '../../shared/lookup/NextPage.tsx'
import type { DownlineView } from './useDownlineView.ts'

type Props = {
  address: Address
  community: Community
  view: Extract<DownlineView, { kind: 'table' }>
  count: NonNullable<Referrals['count']>
  undated: Referrals['undated']
}

/** Shows how many members match the filter, and exports them as CSV. */
export function FilterResult({
  address,
  community,
  view: { filter, days, level, sort, order },
  count: { value, relation },
  undated,
}: Props) {
  const { t } = useLazyTranslation('filters')
  const format = useFormat()
  const number = format.count(value)
  const levels = level === 'all' ? {} : { levelFrom: level, levelTo: level }
  return (
    <>
      <Count>
        <Announced>{value > 0 && t(relation, { count: value, number })}</Announced>
      </Count>
      {undated !== undefined && undated.value > 0 && (
        <Note>
          {t('undated', { number: `${undated.relation === 'exact' ? '' : '≥ '}${format.count(undated.value)}` })}
        </Note>
      )}
      {value > 0 && (
        <CsvExport
          address={address}
          community={community}
          rows={value}
          relation={relation}
          filter={{ ...filter, ...days, ...levels }}
          {...(sort === 'joined' && order === 'desc' && { order })}
          describe={(size) => {
            const rows =
              relation === 'exact' ? t('csv', { count: value, rows: number, size }) : t('csv.atLeast', { rows: number })
            // The CSV is streamed in join order; other orders are not available.
            return sort === 'joined' ? rows : `${rows} · ${t('csv.joinOrder')}`
          }}
        />
      )}
    </>
  )
}

/** Shows that the rows list today's members, while amounts are of the teams at the end of the last day. */
export function LastDayNote() {
  const { t } = useLazyTranslation('filters')
  return <Note>{t('days.teams')}</Note>
}

/** Loads the next page while a page is empty: each page covers a part of the downline. */
export function NothingYet({ query }: { query: UseInfiniteQueryResult }) {
  const { t } = useLazyTranslation('filters')
  const { hasNextPage, isFetching, error, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetching && !error) void fetchNextPage()
  }, [hasNextPage, isFetching, error, fetchNextPage])
  return (
    <>
      <Quiet>
        <Announced>{t(hasNextPage ? 'searching' : 'none')}</Announced>
      </Quiet>
      {error && <NextPageStatus query={query} />}
    </>
  )
}

/** Explains that this order takes too long for so many members, and offers another one. */
export function TooCostly({ onSort }: { onSort: () => void }) {
  const { t } = useLazyTranslation('filters')
  return (
    <section role="alert">
      <Count>{t('costly')}</Count>
      <Quiet>{t('costly.text')}</Quiet>
      <Button variant="outlined" onClick={onSort}>
        {t('costly.act')}
      </Button>
    </section>
  )
}

const Count = styled('p')({ margin: '8px 0 2px', fontWeight: 500, '&:empty': { display: 'none' } })
/** A note in the font size of the export beside it. */
const Note = styled('p')(({ theme }) => ({
  margin: '4px 0 8px',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
}))
const Quiet = styled('p')(({ theme }) => ({ maxWidth: '44em', color: theme.vars?.palette.text.secondary }))
