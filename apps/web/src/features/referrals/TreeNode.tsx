import type { Address, Community, MemberSummary } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { shorten } from '../../shared/address/parseAddress.ts'
import { More } from '../../shared/charts/More.tsx'
import { toFailure } from '../../shared/lookup/failure.ts'
import { useReferrals } from './query.ts'

type Node = Pick<MemberSummary, 'address' | 'directs' | 'team' | 'teamVolume'>

const pageSize = 20
const rowHeight = 44

/** One member of the tree; opened, its direct referrals. */
export function TreeNode({
  member,
  community,
  isRoot = false,
}: {
  member: Node
  community: Community
  isRoot?: boolean
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const [state, setState] = useState<'closed' | 'open'>(isRoot ? 'open' : 'closed')
  const token = community.tokens.volume
  return (
    <li>
      <Row data-root={isRoot}>
        {member.directs > 0 ? (
          <Toggle
            type="button"
            data-toggle
            data-root={isRoot}
            aria-expanded={state === 'open'}
            aria-label={t(state === 'open' ? 'tree.close' : 'tree.open', { address: shorten(member.address) })}
            onClick={() => setState(state === 'open' ? 'closed' : 'open')}
          />
        ) : (
          <Leaf aria-hidden />
        )}
        <AddressText address={member.address} me={isRoot} />
        <Facts>
          {member.directs > 0 ? (
            <>
              <span>{t('tree.directs', { count: member.directs, number: format.count(member.directs) })}</span>
              <span>{t('directs.team', { count: member.team, number: format.count(member.team) })}</span>
            </>
          ) : (
            <span>{t('tree.leaf')}</span>
          )}
          {token && member.teamVolume !== '0' && (
            <span className="volume">{format.amountWithUnit(member.teamVolume, token)}</span>
          )}
        </Facts>
      </Row>
      {state === 'open' && <Branches address={member.address} directs={member.directs} community={community} />}
    </li>
  )
}

/** The direct referrals of an opened node, the largest teams first. */
function Branches({ address, directs, community }: { address: Address; directs: number; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const query = useReferrals(community.id, address, { level: 1, sort: 'team', order: 'desc', limit: pageSize })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <ul>
      {items.map((item) => (
        <TreeNode key={item.address} member={item} community={community} />
      ))}
      {query.isPending && (
        <Wait role="status" style={{ height: Math.min(directs, pageSize) * rowHeight }}>
          {t('loading')}
        </Wait>
      )}
      {query.error && (
        <Wait role="alert">
          {t(`tree.${toFailure(query.error).kind === 'offline' ? 'offline' : 'failed'}`)}{' '}
          <More type="button" onClick={() => void query.refetch()}>
            {t('failure.retry')}
          </More>
        </Wait>
      )}
      {query.hasNextPage && (
        <Wait>
          <More type="button" onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage}>
            {t(query.isFetchingNextPage ? 'loading' : 'tree.more', {
              count: items.length,
              number: format.count(items.length),
            })}
          </More>
        </Wait>
      )}
    </ul>
  )
}

const Row = styled('div')({ display: 'flex', alignItems: 'center', gap: 10, minHeight: rowHeight })

const Toggle = styled('button')(({ theme }) => ({
  position: 'relative',
  zIndex: 1,
  flex: 'none',
  width: 23,
  height: 44,
  padding: 0,
  border: 0,
  background: 'none',
  cursor: 'pointer',
  '&::before': {
    content: '"+"',
    position: 'absolute',
    left: 4,
    top: 14.5,
    width: 15,
    height: 15,
    borderRadius: '50%',
    boxSizing: 'border-box',
    border: `1.25px solid ${theme.vars?.palette.text.primary}`,
    background: theme.vars?.palette.background.default,
    color: theme.vars?.palette.text.primary,
    font: '12px/12px ui-monospace, monospace',
    textAlign: 'center',
  },
  '&[aria-expanded="true"]::before': {
    content: '"−"',
    background: theme.vars?.palette.text.primary,
    color: theme.vars?.palette.background.default,
  },
  '&[data-root="true"]::before': { borderColor: theme.vars?.palette.primary.main },
  '&[data-root="true"][aria-expanded="true"]::before': { background: theme.vars?.palette.primary.main },
  '&:hover::before': { borderColor: theme.vars?.palette.primary.main },
}))

const Leaf = styled('span')(({ theme }) => ({
  position: 'relative',
  zIndex: 1,
  flex: 'none',
  width: 23,
  height: 44,
  '&::before': {
    content: '""',
    position: 'absolute',
    left: 8,
    top: 18.5,
    width: 7,
    height: 7,
    borderRadius: '50%',
    background: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 42%, ${theme.vars?.palette.background.default})`,
  },
}))

const Facts = styled('span')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '84px 92px 128px',
  marginLeft: 'auto',
  paddingLeft: 16,
  textAlign: 'right',
  fontSize: '0.8125rem',
  whiteSpace: 'nowrap',
  color: theme.vars?.palette.text.secondary,
  '@media (max-width: 767.95px)': { gridTemplateColumns: 'auto auto', gap: 12, '& .volume': { display: 'none' } },
  '@media (max-width: 479.95px)': { gridTemplateColumns: 'auto', gap: 0, lineHeight: 1.4 },
}))

const Wait = styled('li')(({ theme }) => ({
  minHeight: 44,
  lineHeight: '44px',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
}))
