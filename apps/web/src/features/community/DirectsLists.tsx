import type { Address, Community, Referrals } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { lookupPath } from '../../paths.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { CsvExport } from '../../shared/csv/CsvExport.tsx'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Joined } from '../../shared/lookup/Time.tsx'
import { useDirects } from './query.ts'

const orders = {
  newest: { sort: 'joined', order: 'desc', limit: 8 },
  strongest: { sort: 'team', order: 'desc', limit: 8 },
} as const
type Order = keyof typeof orders

/** Lists the newest direct referrals, or those with the largest teams. */
export function DirectsLists({ address, community, team }: { address: Address; community: Community; team: number }) {
  const { t } = useTranslation()
  const [parameters] = useSearchParams()
  const [order, setOrder] = useState<Order>('newest')
  const query = useDirects(community.id, address, orders[order])
  return (
    <Section
      title={t('directs.title')}
      aside={
        <RadioRow
          label={t('directs.order')}
          value={order}
          options={[
            ['newest', t('directs.newest')],
            ['strongest', t('directs.strongest')],
          ]}
          onChange={setOrder}
        />
      }
    >
      <Answer query={query} skeleton={<Skeleton rows={6} />}>
        {({ items }) => (
          <List>
            {items.map((item) => (
              <li key={item.address}>
                <AddressText address={item.address} />
                <Row item={item} />
              </li>
            ))}
          </List>
        )}
      </Answer>
      <All to={lookupPath('referrals', parameters, { address })}>{t('directs.all')}</All>
      <CsvExport address={address} community={community} rows={team} />
    </Section>
  )
}

function Row({ item }: { item: Referrals['items'][number] }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <span>{t('directs.team', { count: item.team, number: format.count(item.team) })}</span>
      <Joined of={item} form="ago" />
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
    '@media (max-width: 18em)': { gridTemplateColumns: '1fr auto', '& > span:first-of-type': { gridColumn: '1 / -1' } },
  },
  '& li > :last-child': { textAlign: 'right', color: theme.vars?.palette.text.secondary },
}))

const All = styled(Link)(({ theme }) => ({
  display: 'inline-block',
  lineHeight: '44px',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.primary.main,
  textDecoration: 'none',
  '&:hover': { textDecoration: 'underline', textUnderlineOffset: 4 },
  '@media print': { display: 'none' },
}))
