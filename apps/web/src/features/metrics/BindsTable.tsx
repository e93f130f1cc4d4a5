import type { Events } from '@lineage/referral-api'
import { keyframes, styled } from '@mui/material/styles'
import { useTranslation } from '../../lib/i18n.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { isSentinel } from '../../shared/address/parseAddress.ts'
import { TimedProof } from '../../shared/lookup/BindProof.tsx'
import { RowsTable } from '../../shared/lookup/RowsTable.tsx'

type Props = {
  caption: string
  items: Events['items']
  time: { form: 'day' } | { form: 'ago'; now: number }
  /** Block after which binds are highlighted as new. */
  newAfter?: number
}

/** Renders binds as a table: member, referrer, status, time and transaction. */
export function BindsTable({ caption, items, time, newAfter = Number.POSITIVE_INFINITY }: Props) {
  const { t } = useTranslation()
  return (
    <RowsTable
      caption={caption}
      columns={[
        { key: 'address', label: t('metrics.member') },
        { key: 'referrer', label: t('strip.referrer'), align: 'end' },
        { key: 'status', label: t('newest.status'), align: 'end', place: 'besideName' },
        { key: 'time', label: t('newest.time'), align: 'end' },
      ]}
      rows={items.map(({ address, referrer, status, ...bind }) => ({
        key: `${bind.block} ${bind.logIndex}`,
        cells: {
          address: (
            <Member data-new={bind.block > newAfter}>
              <AddressText address={address} />
            </Member>
          ),
          referrer: isSentinel(referrer) ? t('strip.root') : <AddressText address={referrer} />,
          status: status === 'bound' ? t('newest.bound') : <Irregular>{t(`newest.${status}`)}</Irregular>,
          time: (
            <Proof>
              <TimedProof of={bind} {...time} />
            </Proof>
          ),
        },
      }))}
    />
  )
}

// On phones the menu of the address has the transaction.
const Proof = styled('span')({
  '@media screen and (max-width: 767.95px)': { '& > * > :last-child': { display: 'none' } },
})
const Irregular = styled('span')(({ theme }) => ({ color: theme.vars?.palette.warning.main }))
const arrive = keyframes({ from: { opacity: 0.2 }, to: { opacity: 1 } })
const Member = styled('span')({
  '@media (prefers-reduced-motion: no-preference)': { '&[data-new="true"]': { animation: `${arrive} 480ms ease-out` } },
})
