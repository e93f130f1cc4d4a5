import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { useTranslation } from '../../lib/i18n.ts'
import { Part } from '../../lib/takeOver.tsx'
import { bottomBar, navHeight } from '../../lib/theme.ts'
import { kept } from '../../paths.ts'
import { Skeleton } from '../lookup/Skeleton.tsx'
import { Announcer } from './Announcer.tsx'
import { ErrorBoundary, lazyPart } from './ErrorBoundary.tsx'
import { TopBar } from './TopBar.tsx'
import { useKeptFocus } from './useKeptFocus.ts'

const UnknownParameters = lazyPart(() => import('./UnknownParameters.tsx'))

/** Renders the top bar and the main landmark around each page. */
export function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  useKeptFocus()
  const hasOthers = [...new URLSearchParams(search).keys()].some((name) => !kept.includes(name))
  return (
    <>
      <Skip href="#main">{t('nav.skip')}</Skip>
      <TopBar />
      <Announcer />
      <Main id="main" tabIndex={-1}>
        <noscript>
          <p>{t('script.off')}</p>
        </noscript>
        {hasOthers && <UnknownParameters />}
        <ErrorBoundary key={pathname}>
          <Part fallback={<Skeleton />}>{children}</Part>
        </ErrorBoundary>
      </Main>
    </>
  )
}

const Skip = styled('a')(({ theme }) => ({
  position: 'absolute',
  zIndex: 11,
  left: 20,
  top: '-6rem',
  padding: '8px 16px',
  background: theme.vars?.palette.text.primary,
  color: theme.vars?.palette.background.default,
  '&:focus': { top: 10 },
}))

const Main = styled('main')({
  // Contains child margins, so that the layout does not shift while pages load.
  display: 'flow-root',
  maxWidth: 1160 + 40,
  minHeight: 'calc(100vh - 60px)',
  margin: '0 auto',
  padding: '0 20px 72px',
  boxSizing: 'border-box',
  [bottomBar]: { paddingBottom: `calc(${navHeight + 56}px + env(safe-area-inset-bottom))` },
})
