import type { Community, Member } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { TabStopContext, TreeNode } from './TreeNode.tsx'

const itemOf = (target: EventTarget | null) => (target as Element | null)?.closest<HTMLElement>('[role="treeitem"]')

/**
 * Shows the downline as a tree view. One node is in the tab order; arrow keys move between nodes.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/treeview/
 */
export function ReferralsTree({ member, community }: { member: Member; community: Community }) {
  const { t } = useTranslation()
  const [active, setActive] = useState<string>(member.address)

  const onFocus = ({ target }: FocusEvent) => {
    const id = itemOf(target)?.dataset.id
    if (id !== undefined) setActive(id)
  }
  return (
    <TabStopContext value={active}>
      <Tree role="tree" aria-label={t('referrals.tree')} onKeyDown={onKeyDown} onFocus={onFocus}>
        <TreeNode id={member.address} member={member} community={community} level={1} position={1} siblings={1} />
      </Tree>
    </TabStopContext>
  )
}

function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const tree = event.currentTarget
  const item = itemOf(event.target)
  // React bubbles the key events of an address menu through here; ignore them.
  if (!item || !tree.contains(item) || event.ctrlKey || event.metaKey || event.altKey) return
  const act = actionOf(event, item, [...tree.querySelectorAll<HTMLElement>('[role="treeitem"]')])
  if (!act) return
  act()
  event.preventDefault()
}

/** Returns the action of a key in the tree; `undefined` leaves the key to the browser. */
function actionOf({ key, target }: KeyboardEvent, item: HTMLElement, items: HTMLElement[]): (() => void) | undefined {
  const at = items.indexOf(item)
  const focus = (next: HTMLElement | null | undefined) => () => next?.focus()
  const toggle = item.querySelector<HTMLElement>('[data-toggle]')
  const expanded = item.getAttribute('aria-expanded')
  switch (key) {
    case 'ArrowDown':
      return focus(items[at + 1])
    case 'ArrowUp':
      return focus(items[at - 1])
    case 'Home':
      return focus(items[0])
    case 'End':
      return focus(items.at(-1))
    case 'ArrowRight':
      return expanded === 'false' ? () => toggle?.click() : focus(expanded === 'true' ? items[at + 1] : undefined)
    case 'ArrowLeft':
      if (expanded === 'true') return () => toggle?.click()
      return focus(item.closest('ul')?.parentElement?.querySelector<HTMLElement>('[role="treeitem"]'))
    case ' ':
    case 'Enter': {
      // A focused button inside handles the key itself.
      if (target !== item) return undefined
      const button = item.querySelector<HTMLElement>('[aria-haspopup], [data-act]')
      return () => (key === ' ' && toggle ? toggle : button)?.click()
    }
    default:
      return undefined
  }
}

const Tree = styled('ul')(({ theme }) => {
  // Opaque, because the lines overlap.
  const line = `color-mix(in srgb, ${theme.vars?.palette.text.primary} 32%, ${theme.vars?.palette.background.default})`
  return {
    maxWidth: 780,
    padding: '4px 0',
    overflowX: 'auto',
    overflowY: 'clip',
    '& ul': { paddingLeft: 11 },
    '& li': { position: 'relative' },
    '& [role="treeitem"]:focus-visible': { outlineOffset: -2 },
    '& ul > li': { paddingLeft: 24 },
    // The line from a node down to its last child, and the curve into each child.
    '& ul > li::before': {
      content: '""',
      position: 'absolute',
      left: 0,
      top: -10,
      width: 18,
      height: 32,
      boxSizing: 'border-box',
      border: `solid ${line}`,
      borderWidth: '0 0 1px 1px',
      borderBottomLeftRadius: 10,
    },
    '& ul > li:not(:last-of-type)::after': {
      content: '""',
      position: 'absolute',
      left: 0,
      top: -10,
      bottom: 10,
      width: 1,
      background: line,
      '@media (forced-colors: active)': { background: 'CanvasText', forcedColorAdjust: 'none' },
    },
    '@media (max-width: 767.95px)': { '& ul > li': { paddingLeft: 14 }, '& ul > li::before': { width: 12 } },
  }
})
