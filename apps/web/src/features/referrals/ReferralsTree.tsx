import type { Community, Member } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TreeNode } from './TreeNode.tsx'
import { ActiveContext } from './useActive.ts'

const itemOf = (target: EventTarget | null) => (target as Element | null)?.closest<HTMLElement>('[role="treeitem"]')

/**
 * The downline as lines that branch; a node opens when asked. One node is in the order of the Tab key, the arrows lead to
 * the others.
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
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const tree = event.currentTarget
    const item = itemOf(event.target)
    // The menu of an address is no part of the tree, though its keys come by here.
    if (!item || !tree.contains(item) || event.ctrlKey || event.metaKey || event.altKey) return
    const items = [...tree.querySelectorAll<HTMLElement>('[role="treeitem"]')]
    const at = items.indexOf(item)
    const toggle = item.querySelector<HTMLElement>('[data-toggle]')
    const expanded = item.getAttribute('aria-expanded')
    switch (event.key) {
      case 'ArrowDown':
        items[at + 1]?.focus()
        break
      case 'ArrowUp':
        items[at - 1]?.focus()
        break
      case 'Home':
        items[0]?.focus()
        break
      case 'End':
        items.at(-1)?.focus()
        break
      case 'ArrowRight':
        if (expanded === 'false') toggle?.click()
        else if (expanded === 'true') items[at + 1]?.focus()
        break
      case 'ArrowLeft':
        if (expanded === 'true') toggle?.click()
        else item.closest('ul')?.parentElement?.querySelector<HTMLElement>('[role="treeitem"]')?.focus()
        break
      case ' ':
      case 'Enter':
        // A button within does this by itself.
        if (event.target !== item) return
        if (event.key === ' ' && toggle) toggle.click()
        else item.querySelector<HTMLElement>('[aria-haspopup], [data-act]')?.click()
        break
      default:
        return
    }
    event.preventDefault()
  }
  return (
    <ActiveContext value={active}>
      <Tree role="tree" aria-label={t('referrals.tree')} onKeyDown={onKeyDown} onFocus={onFocus}>
        <TreeNode id={member.address} member={member} community={community} level={1} position={1} siblings={1} />
      </Tree>
    </ActiveContext>
  )
}

const Tree = styled('ul')(({ theme }) => {
  // Opaque, for lines lie over each other.
  const line = `color-mix(in srgb, ${theme.vars?.palette.text.primary} 32%, ${theme.vars?.palette.background.default})`
  return {
    maxWidth: 780,
    margin: 0,
    padding: '4px 0',
    overflowX: 'auto',
    overflowY: 'clip',
    listStyle: 'none',
    '& ul': { margin: 0, padding: '0 0 0 11px', listStyle: 'none' },
    '& li': { position: 'relative' },
    '& [role="treeitem"]:focus-visible': { outlineOffset: -2 },
    '& ul > li': { paddingLeft: 24 },
    // The line from a node down to its last branch, and the bend into each.
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
    },
    '@media (max-width: 767.95px)': { '& ul > li': { paddingLeft: 14 }, '& ul > li::before': { width: 12 } },
  }
})
