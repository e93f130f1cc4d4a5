import type { Community, MemberSummary } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { createContext, use, useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { largeText } from '../../lib/theme.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { shorten } from '../../shared/address/parseAddress.ts'
import { useAnnouncedLoading } from '../../shared/frame/Announcer.tsx'
import { TextButton } from '../../shared/frame/controls.tsx'
import { toFailure, useLastError } from '../../shared/lookup/failure.ts'
import { useReferrals } from './query.ts'

type Node = Pick<MemberSummary, 'address' | 'directs' | 'team' | 'teamVolume'>

const pageSize = 20
const rowHeight = 44

type Props = {
  /** Identifies the tree item: a member's address, or an action such as "show more". */
  id: string
  member: Node
  community: Community
  level: number
  position: number
  siblings: number
}

/** Shows one member of the tree, and its direct referrals when open. */
export function TreeNode({ id, member, community, level, position, siblings }: Props) {
  const { t } = useTranslation()
  const isRoot = level === 1
  const [state, setState] = useState<'closed' | 'open'>(isRoot ? 'open' : 'closed')
  const tabIndex = useTreeTabIndex(id)
  const [name, facts] = [`${id}-name`, `${id}-facts`]
  return (
    <li role="none">
      <Row
        role="treeitem"
        data-id={id}
        tabIndex={tabIndex}
        aria-level={level}
        aria-posinset={position}
        aria-setsize={siblings}
        aria-labelledby={`${name} ${facts}`}
        {...(member.directs > 0 && { 'aria-expanded': state === 'open' })}
      >
        {member.directs > 0 ? (
          <Toggle
            type="button"
            tabIndex={-1}
            data-toggle
            data-root={isRoot}
            data-state={state}
            aria-label={t(state === 'open' ? 'tree.close' : 'tree.open', { address: shorten(member.address) })}
            onClick={() => setState(state === 'open' ? 'closed' : 'open')}
          />
        ) : (
          <Leaf aria-hidden />
        )}
        <span id={name}>
          <AddressText address={member.address} me={isRoot} tabIndex={tabIndex} />
          <span> </span>
        </span>
        <MemberFacts id={facts} member={member} community={community} />
      </Row>
      {state === 'open' && <Branches member={member} community={community} level={level + 1} />}
    </li>
  )
}

function MemberFacts({ id, member, community }: Pick<Props, 'id' | 'member' | 'community'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const { directs, team, teamVolume } = member
  const token = community.tokens.volume
  return (
    <Facts id={id}>
      {directs > 0 ? (
        <>
          <span>{t('tree.directs', { count: directs, number: format.count(directs) })}</span>
          <span>{t('directs.team', { count: team, number: format.count(team) })}</span>
        </>
      ) : (
        <span>{t('tree.leaf')}</span>
      )}
      {token && teamVolume !== '0' && <span className="volume">{format.amountWithUnit(teamVolume, token)}</span>}
    </Facts>
  )
}

type BranchesProps = Pick<Props, 'member' | 'community' | 'level'>

/** Lists the direct referrals of an open node, largest teams first. */
function Branches({ member, community, level }: BranchesProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { address, directs, team, teamVolume } = member
  const figures = `${directs} ${team} ${teamVolume}`
  const query = useReferrals(community.id, address, { level: 1, sort: 'team', order: 'desc', limit: pageSize, figures })
  const error = useLastError(query)
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const printed = t('tree.directs', {
    count: directs,
    number: `${format.count(items.length)} / ${format.count(directs)}`,
  })
  return (
    // biome-ignore lint/a11y/useSemanticElements: the branches of a tree are no fieldset
    <ul role="group">
      {items.map((item, index) => (
        <TreeNode
          key={item.address}
          id={item.address}
          member={item}
          community={community}
          level={level}
          position={index + 1}
          siblings={Math.max(directs, items.length)}
        />
      ))}
      {query.isPending && !error && (
        <TreeWait role="none" style={{ height: Math.min(directs, pageSize) * rowHeight }}>
          <Waiting />
        </TreeWait>
      )}
      {error ? (
        <TreeAction
          id={`${address}-failed`}
          level={level}
          printed={printed}
          text={`${t(`tree.${toFailure(error).kind === 'offline' ? 'offline' : 'failed'}`)} ${t('failure.retry')}`}
          state={query.isFetching ? 'waiting' : 'ready'}
          onAct={() => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
        />
      ) : (
        query.hasNextPage && (
          <TreeAction
            id={`${address}-more`}
            level={level}
            printed={printed}
            text={t('tree.more', {
              number: format.count(items.length),
              next: Math.min(pageSize, Math.max(1, directs - items.length)),
            })}
            state={query.isFetchingNextPage ? 'waiting' : 'ready'}
            onAct={() => void query.fetchNextPage()}
          />
        )
      )}
    </ul>
  )
}

const Row = styled('div')({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  minHeight: rowHeight,
  [largeText]: { flexWrap: 'wrap', rowGap: 0 },
})

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
  '&[data-state="open"]::before': {
    content: '"−"',
    background: theme.vars?.palette.text.primary,
    color: theme.vars?.palette.background.default,
  },
  '&[data-root="true"]::before': { borderColor: theme.vars?.palette.primary.main },
  '&[data-root="true"][data-state="open"]::before': { background: theme.vars?.palette.primary.main },
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
  // Narrower in deep rows, so that the figures are not cut off.
  gridTemplateColumns: 'minmax(max-content, 84px) minmax(max-content, 92px) minmax(max-content, 128px)',
  columnGap: 12,
  marginLeft: 'auto',
  paddingLeft: 16,
  textAlign: 'right',
  fontSize: '0.8125rem',
  whiteSpace: 'nowrap',
  color: theme.vars?.palette.text.secondary,
  '@media (max-width: 767.95px)': { gridTemplateColumns: 'auto auto', '& .volume': { display: 'none' } },
  '@media (max-width: 479.95px)': { gridTemplateColumns: 'auto', gap: 0, lineHeight: 1.4 },
  [largeText]: { gridTemplateColumns: 'auto 1fr', gap: 12, width: '100%', paddingLeft: 33, textAlign: 'left' },
}))

type ActionProps = {
  id: string
  level: number
  text: string
  /** Stands in print in place of the button. */
  printed: string
  state: 'ready' | 'waiting'
  onAct: () => void
}

/** Renders a tree item with an action: show more, or retry. */
function TreeAction({ id, level, text, printed, state, onAct }: ActionProps) {
  const { t } = useTranslation()
  const tabIndex = useTreeTabIndex(id)
  return (
    <TreeWait role="none">
      <span
        role="treeitem"
        data-printed={printed}
        data-id={id}
        tabIndex={tabIndex}
        aria-level={level}
        aria-label={text}
      >
        <TextButton
          type="button"
          data-act
          tabIndex={-1}
          onClick={({ currentTarget }) => {
            if (state === 'waiting') return
            // The new items follow the last one: focus the first of them.
            currentTarget
              .closest('li')
              ?.previousElementSibling?.querySelector<HTMLElement>('[role="treeitem"]')
              ?.focus({ preventScroll: true })
            onAct()
          }}
        >
          {state === 'waiting' ? t('loading') : text}
        </TextButton>
      </span>
    </TreeWait>
  )
}

function Waiting() {
  const { t } = useTranslation()
  useAnnouncedLoading(t('loading'))
  return <span>{t('loading')}</span>
}

/** A tree row without a member. */
const TreeWait = styled('li')(({ theme }) => ({
  minHeight: 44,
  lineHeight: '44px',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
  '@media print': { '& > [data-printed]::after': { content: 'attr(data-printed)' } },
}))

/** The id of the one tree item in the tab order. */
export const TabStopContext = createContext('')

/** Returns a tree item's `tabIndex`. */
const useTreeTabIndex = (id: string): 0 | -1 => (use(TabStopContext) === id ? 0 : -1)
