import type { Community, MemberSummary } from '@lineage/referral-api'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import type { Hop } from './useOnChainCheck.ts'

type Props = {
  row: MemberSummary
  kind: 'me' | 'between' | 'root'
  community: Community
  hop: Hop | undefined
}

/** Shows one member of an upline: depth, address, figures and the result of the check. */
export const UplineRow = memo(function UplineRow({ row, kind, community, hop }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const token = community.tokens.volume
  return (
    <>
      <small>
        {kind === 'me'
          ? t('strip.me')
          : kind === 'root'
            ? t('strip.root')
            : t('metrics.depthOf', { depth: format.count(row.depth) })}
      </small>
      <AddressText address={row.address} me={kind === 'me'} />
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
          row.joinedAt !== null && <time className="wide">{format.day(row.joinedAt)}</time>
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
