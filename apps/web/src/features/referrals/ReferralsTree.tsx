import type { Community, Member } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { TreeNode } from './TreeNode.tsx'

/** The downline as lines that branch; a node opens when asked. */
export function ReferralsTree({ member, community }: { member: Member; community: Community }) {
  const { t } = useTranslation()
  const root = useRef<HTMLUListElement>(null)

  // Up and down go from node to node; left and right close and open.
  const onKeyDown = (event: KeyboardEvent) => {
    const current = (event.target as Element).closest<HTMLElement>('[data-toggle]')
    if (!current) return
    const toggles = [...(root.current?.querySelectorAll<HTMLElement>('[data-toggle]') ?? [])]
    const index = toggles.indexOf(current)
    const expanded = current.getAttribute('aria-expanded')
    switch (event.key) {
      case 'ArrowDown':
        toggles[index + 1]?.focus()
        break
      case 'ArrowUp':
        toggles[index - 1]?.focus()
        break
      case 'ArrowRight':
        if (expanded === 'false') current.click()
        else toggles[index + 1]?.focus()
        break
      case 'ArrowLeft':
        if (expanded === 'true') current.click()
        else current.closest('ul')?.closest('li')?.querySelector<HTMLElement>('[data-toggle]')?.focus()
        break
      default:
        return
    }
    event.preventDefault()
  }
  return (
    <Tree ref={root} aria-label={t('referrals.tree')} onKeyDown={onKeyDown}>
      <TreeNode member={member} community={community} isRoot />
    </Tree>
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
