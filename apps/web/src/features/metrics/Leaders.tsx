import type { Community, Metrics } from '@lineage/referral-api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { RowsTable } from '../../shared/lookup/RowsTable.tsx'
import { Section } from '../../shared/lookup/Section.tsx'

type By = keyof Metrics['leaders']

/** Lists the top ten by team, directs or volume. */
export function Leaders({ metrics, community }: { metrics: Metrics; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [by, setBy] = useState<By>('team')
  const token = community.tokens.volume
  const options: [By, string][] = [
    ['team', t('member.team')],
    ['directs', t('member.directs')],
  ]
  if (token) options.push(['volume', t('member.teamVolume')])
  return (
    <Section
      title={t('leaders.title')}
      aside={<RadioRow label={t('leaders.by')} value={by} options={options} onChange={setBy} />}
    >
      <RowsTable
        caption={t('leaders.title')}
        columns={[
          { key: 'rank', label: t('leaders.rank'), narrow: true },
          { key: 'address', label: t('field.label') },
          { key: 'directs', label: t('member.directs'), align: 'end' },
          { key: 'team', label: t('member.team'), align: 'end' },
          ...(token
            ? [
                {
                  key: 'volume',
                  label: `${t('member.teamVolume')} (${token.symbol})`,
                  short: t('metrics.volume'),
                  align: 'end' as const,
                },
              ]
            : []),
        ]}
        rows={metrics.leaders[by].map((leader, index) => ({
          key: leader.address,
          cells: {
            rank: index + 1,
            address: <AddressText address={leader.address} />,
            directs: format.count(leader.directs),
            team: format.count(leader.team),
            ...(token && { volume: format.amount(leader.teamVolume, token) }),
          },
        }))}
      />
    </Section>
  )
}
