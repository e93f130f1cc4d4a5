import CloseIcon from '@mui/icons-material/CloseOutlined'
import { styled } from '@mui/material/styles'
import { useTranslation } from '../../lib/i18n.ts'
import { filledNode, lineNode } from '../../lib/theme.ts'
import { useHasSeveral } from '../lookup/useCommunity.ts'
import { IconButton } from './Button.tsx'
import { lazyPart } from './ErrorBoundary.tsx'
import { NavLinks } from './Link.tsx'
import { Logo } from './Logo.tsx'
import { Drawer } from './layers.tsx'
import { RadioRow } from './RadioRow.tsx'
import { useLanguageChoice, useModeChoice } from './useChoices.ts'

const CommunityRow = lazyPart(async () => ({ default: (await import('./CommunityMenu.tsx')).CommunityRow }))

/** Renders the drawer with links, communities, colour mode and language, for narrow pages. */
export default function NavDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const mode = useModeChoice()
  const language = useLanguageChoice()
  const hasSeveral = useHasSeveral()
  return (
    <Drawer
      open
      onClose={onClose}
      slotProps={{ paper: { 'aria-label': t('nav.label'), role: 'dialog', 'aria-modal': true } }}
    >
      <Content>
        <div>
          <IconButton edge="start" aria-label={t('nav.close')} onClick={onClose}>
            <CloseIcon />
          </IconButton>
          <Logo />
        </div>
        <nav aria-label={t('nav.label')}>
          <NavLinks onClick={onClose} />
        </nav>
        {hasSeveral && <CommunityRow onClose={onClose} />}
        <RadioRow labelled="visibly" {...mode} />
        <RadioRow labelled="visibly" {...language} />
      </Content>
    </Drawer>
  )
}

const Content = styled('div')(({ theme }) => ({
  width: 'min(320px, 84vw)',
  minHeight: '100%',
  padding: '0 20px 32px',
  boxSizing: 'border-box',
  background: theme.vars?.palette.background.default,
  '& > div:first-of-type': { display: 'flex', alignItems: 'center', gap: 8, height: 60 },
  '& .plain': { fontSize: '0.8125rem', lineHeight: '36px', color: theme.vars?.palette.primary.main },
  '& nav': {
    position: 'relative',
    margin: '12px 0 36px 4px',
    '&::before': {
      content: '""',
      position: 'absolute',
      left: 4,
      top: 26,
      bottom: 26,
      width: 1,
      background: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 30%, transparent)`,
    },
    '& a': {
      position: 'relative',
      display: 'flex',
      alignItems: 'center',
      gap: 20,
      minHeight: 52,
      color: 'inherit',
      textDecoration: 'none',
      '&::before': { ...lineNode, flex: 'none' },
      '&[aria-current="page"]': {
        color: theme.vars?.palette.primary.main,
        '&::before': filledNode,
      },
    },
  },
}))
