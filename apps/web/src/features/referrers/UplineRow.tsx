import type { Community, MemberSummary } from '@lineage/referral-api'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { Time } from '../../shared/lookup/Time.tsx'
import type { Hop } from './useOnChainCheck.ts'

type Props = {
  row: MemberSummary
  /** Place in the line; the depth by default. */
  place?: string | undefined
  me?: boolean
  community: Community
  hop: Hop | undefined
}

/** Shows one member of a line: place, address, figures and the result of the check. */
export const UplineRow = memo(function UplineRow({ row, place, me = false, community, hop }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const token = community.tokens.volume
  return (
    <>
      <small>{place ?? t('metrics.depthOf', { depth: format.count(row.depth) })}</small>
      <AddressText address={row.address} me={me} />
      <span className="facts">
        <span>{t('tree.directs', { count: row.directs, number: format.count(row.directs) })}</span>
        <span>{t('directs.team', { count: row.team, number: format.count(row.team) })}</span>
        {token && (
          <span className="wide" title={format.amountWithUnit(row.teamVolume, token, 'exact')}>
            {format.amountWithUnit(row.teamVolume, token)}
          </span>
        )}
        {row.status === 'placeholder' ? (
          <span className="attention">{t('member.placeholder.short')}</span>
        ) : (
          row.joinedAt !== null && <Time seconds={row.joinedAt} form="day" />
        )}
      </span>
      {hop && <em data-hop={hop.kind}>{textOf(hop, t)}</em>}
    </>
  )
})

function textOf(hop: Hop, t: ReturnType<typeof useTranslation>['t']): string {
  if (hop.kind !== 'differs') return t(`check.${hop.kind}`)
  return hop.referrer ? t('check.differs', { address: hop.referrer }) : t('check.differs.none')
}
