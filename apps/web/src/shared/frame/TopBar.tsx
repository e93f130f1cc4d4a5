import { ConnectButton } from '@lineage/wallet-kit'
import SystemIcon from '@mui/icons-material/ContrastOutlined'
import DarkIcon from '@mui/icons-material/DarkModeOutlined'
import LightIcon from '@mui/icons-material/LightModeOutlined'
import MenuIcon from '@mui/icons-material/MenuOutlined'
import LanguageIcon from '@mui/icons-material/TranslateOutlined'
import { styled } from '@mui/material/styles'
import { useEffect, useState } from 'react'
import { useConfig } from '../../lib/api.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { whenIdle } from '../../lib/takeOver.tsx'
import { barHeight, bottomBar, hitArea, largeText, navHeight, visuallyHidden } from '../../lib/theme.ts'
import { useHasSeveral } from '../lookup/useCommunity.ts'
import { BarMenu } from './BarMenu.tsx'
import { IconButton } from './Button.tsx'
import { LazyBoundary, lazyPart } from './ErrorBoundary.tsx'
import { useSignedIn } from './KitProvider.tsx'
import { Link, NavLinks } from './Link.tsx'
import { Logo } from './Logo.tsx'
import { type LoadError, lazyWithPreload } from './lazyWithPreload.tsx'
import { useLanguageChoice, useModeChoice } from './useChoices.ts'

const AlertsBell = lazyPart(() => import('../alerts/AlertsBell.tsx'))
const CommunityMenu = lazyPart(() => import('./CommunityMenu.tsx'))
const DemoBadge = lazyWithPreload(() => import('./DemoBadge.tsx'))
const NavDrawer = lazyPart(() => import('./NavDrawer.tsx'))

const modeIcons = {
  system: <SystemIcon fontSize="small" />,
  light: <LightIcon fontSize="small" />,
  dark: <DarkIcon fontSize="small" />,
}

// In em, so that larger text switches to the drawer earlier.
const narrow = '@media (max-width: 63.9969em)'

/** Renders the top bar, 60 px high: links, demo badge, menus and the wallet button. */
export function TopBar() {
  const { t } = useTranslation()
  const { data: config } = useConfig()
  const [drawer, setDrawer] = useState<'closed' | 'open'>('closed')
  // On phones it is the only way to other pages, also offline.
  useEffect(() => {
    if (!window.matchMedia(narrow.slice('@media '.length)).matches) return undefined
    return whenIdle(() => void NavDrawer.preload().catch(({ forget }: LoadError) => forget()))
  }, [])
  return (
    <Bar>
      <div>
        <IconButton
          className="burger"
          aria-label={t('nav.open')}
          aria-expanded={drawer === 'open'}
          edge="start"
          onClick={() => setDrawer('open')}
        >
          <MenuIcon />
        </IconButton>
        <Link className="logo" to="/" aria-label={t('nav.home')}>
          <Logo />
        </Link>
        <nav aria-label={t('nav.label')}>
          <NavLinks />
        </nav>
        <span className="gap" />
        {config?.demo && (
          <LazyBoundary>
            <span className="demo" data-part>
              <DemoBadge />
            </span>
          </LazyBoundary>
        )}
        <span className="wide">
          <Menus />
        </span>
        <Bell />
        <ConnectButton />
        <span className="end" hidden />
      </div>
      {drawer === 'open' && <NavDrawer onError={() => setDrawer('closed')} onClose={() => setDrawer('closed')} />}
    </Bar>
  )
}

function Bell() {
  const account = useSignedIn()
  return account && <AlertsBell key={account} account={account} />
}

function Menus() {
  const mode = useModeChoice()
  const hasSeveral = useHasSeveral()
  return (
    <>
      {hasSeveral && (
        <span data-part>
          <CommunityMenu />
        </span>
      )}
      <BarMenu {...useLanguageChoice()} icon={<LanguageIcon fontSize="small" />} />
      <BarMenu {...mode} icon={modeIcons[mode.value]} />
    </>
  )
}

const wrongNetwork = '.wk-button[data-color="error"]'

const inDrawer = { '& nav': { display: 'none' }, '& .burger': { display: 'inline-flex' } }

const Bar = styled('header')(({ theme }) => ({
  position: 'sticky',
  top: 0,
  zIndex: 10,
  height: barHeight,
  boxSizing: 'border-box',
  background: theme.vars?.palette.background.default,
  borderBottom: `1px solid ${theme.vars?.palette.divider}`,
  '& > div': {
    display: 'flex',
    alignItems: 'center',
    gap: 8,
    height: '100%',
    maxWidth: 1160 + 40,
    margin: '0 auto',
    padding: '0 max(20px, env(safe-area-inset-right)) 0 max(20px, env(safe-area-inset-left))',
    boxSizing: 'border-box',
    '@media (max-width: 22.7469em)': { padding: '0 12px' },
    '@media (max-width: 21.4469em)': { gap: 4, '& .demo > *': { padding: '0 4px' } },
  },
  '& .logo': {
    ...hitArea('-8px 0'),
    display: 'flex',
    color: 'inherit',
    textDecoration: 'none',
    marginRight: 20,
    [narrow]: { marginRight: 0 },
  },
  '& [data-part]': { display: 'contents' },
  // A slow browser draws a bar whose last parts it has not read yet, and these would move when it has. Important, because the kit
  // takes no styles of the page for its button.
  '& > div:not(:has(> .end)) > .gap ~ *': { visibility: 'hidden !important' },
  // The "wrong network" button is wide: it leaves no room for the links, and on a phone none for the demo badge.
  '@media (max-width: 69.9969em)': { 'html:lang(en) &': inDrawer },
  '@media (max-width: 74.9969em)': { [`&:has(${wrongNetwork})`]: inDrawer },
  '@media (max-width: 26.8719em)': {
    [`&:has(${wrongNetwork}) .logo, &:has(.alerts) .demo`]: { display: 'none' },
  },
  '@media (max-width: 21.7469em)': { [`&:has(${wrongNetwork}) .demo`]: { display: 'none' } },
  // The bell of a signed-in account needs room as well.
  '@media (max-width: 67.9969em)': { '&:has(.alerts)': inDrawer },
  '@media (max-width: 73.9969em)': { 'html:lang(en) &:has(.alerts)': inDrawer },
  [largeText]: { '& .logo, & .demo': { display: 'none' }, '& .wk-button': { paddingBlock: 0 } },
  '& .burger': { display: 'none', [narrow]: { display: 'inline-flex' } },
  '& nav': {
    display: 'flex',
    alignSelf: 'stretch',
    gap: 24,
    [narrow]: { display: 'none' },
    '& a': {
      position: 'relative',
      display: 'flex',
      alignItems: 'center',
      color: theme.vars?.palette.text.secondary,
      fontSize: '0.875rem',
      textDecoration: 'none',
      whiteSpace: 'nowrap',
      '&:hover': { color: theme.vars?.palette.text.primary },
      '&[aria-current="page"]': { color: theme.vars?.palette.text.primary },
      // Marks the current page with a node on the bar's bottom line.
      '&[aria-current="page"]::after': {
        content: '""',
        position: 'absolute',
        left: 'calc(50% - 3.5px)',
        bottom: -3.5,
        width: 7,
        height: 7,
        borderRadius: '50%',
        background: theme.vars?.palette.primary.main,
        '@media (forced-colors: active)': { background: 'Highlight', forcedColorAdjust: 'none' },
      },
    },
  },
  [bottomBar]: {
    '&&& nav': {
      position: 'fixed',
      inset: 'auto 0 0',
      display: 'grid',
      grid: 'auto / auto-flow 1fr',
      gap: 0,
      height: navHeight,
      paddingBottom: 'env(safe-area-inset-bottom)',
      background: theme.vars?.palette.background.default,
      borderTop: `1px solid ${theme.vars?.palette.divider}`,
    },
    '& nav a': {
      justifyContent: 'center',
      fontSize: '0.75rem',
      '&[aria-current="page"]::after': { top: -4, bottom: 'auto' },
    },
    'html:lang(en) & nav a': { fontSize: 'min(0.75rem, 3.05vw)' },
    // The visible word is part of the name that screen readers read.
    '& nav a span': visuallyHidden,
    '& nav a::before': { content: ['attr(data-short)', 'attr(data-short) / ""'] },
  },
  '& .gap': { flex: 1 },
  '& .wide': { display: 'flex', '@media (max-width: 37.4969em)': { display: 'none' } },
}))
