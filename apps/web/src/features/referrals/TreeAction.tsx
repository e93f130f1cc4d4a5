import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { TextButton } from '../../shared/frame/TextButton.tsx'
import { useTreeTabIndex } from './useTreeTabIndex.ts'

type Props = { id: string; level: number; text: string; state: 'ready' | 'waiting'; onAct: () => void }

/** Renders a tree item with an action: show more, or retry. */
export function TreeAction({ id, level, text, state, onAct }: Props) {
  const { t } = useTranslation()
  const tabIndex = useTreeTabIndex(id)
  return (
    <TreeWait role="none">
      <span role="treeitem" data-id={id} tabIndex={tabIndex} aria-level={level} aria-label={text}>
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

/** A tree row without a member. */
export const TreeWait = styled('li')(({ theme }) => ({
  minHeight: 44,
  lineHeight: '44px',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
}))
