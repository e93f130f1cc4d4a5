import { styled } from '@mui/material/styles'
import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { Part } from '../../lib/takeOver.tsx'
import { bottomBar, navHeight } from '../../lib/theme.ts'
import { kept } from '../../paths.ts'
import { Skeleton } from '../lookup/Skeleton.tsx'
import { Announcer } from './Announcer.tsx'
import { ErrorBoundary, lazyPart } from './ErrorBoundary.tsx'
import { TopBar } from './TopBar.tsx'

const UnknownParameters = lazyPart(() => import('./UnknownParameters.tsx'))

/** Renders the top bar and the main landmark around each page. */
export function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  useKeptFocus()
  const { timeZone } = useFormat()
  const hasOthers = [...new URLSearchParams(search)].some(([name, value]) =>
    name === 'tz' ? value !== timeZone : !kept.includes(name),
  )
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

/** Dialogs and menus give their focus back themselves. */
const ownFocus = '[role="dialog"], [role="menu"], [role="listbox"]'
const isInDialog = (target: EventTarget | null) => Boolean((target as Element | null)?.closest('[role="dialog"]'))

/**
 * Moves the focus of an element that leaves the page, such as a button that has done its work, to the heading of its section, or of the
 * page: screen readers and keyboards would start from the top of the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    const main = document.querySelector('main')
    if (!main) return
    let focused: Element | undefined
    let section: Element | null = null
    const onFocus = ({ target }: FocusEvent) => {
      const element = target as Element
      focused = element.closest(ownFocus) ? undefined : element
      section = element.closest('section[aria-labelledby]')
    }
    const onBlur = ({ target, relatedTarget }: FocusEvent) =>
      // Some browsers tell this of an element that leaves the page, too.
      queueMicrotask(() => {
        if (target === focused && focused?.isConnected && !isInDialog(relatedTarget)) focused = undefined
      })
    const observer = new MutationObserver(() => {
      if (!focused || focused.isConnected || main.closest('[aria-hidden="true"]')) return
      focused = undefined
      if (document.activeElement !== document.body) return
      const heading = (section?.isConnected && section.querySelector('h2')) || main.querySelector('h1')
      if (!heading) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    })
    main.addEventListener('focusin', onFocus)
    main.addEventListener('focusout', onBlur)
    observer.observe(main, { childList: true, subtree: true })
    // A dialog cannot give the focus back to an element that it has removed.
    observer.observe(document.body, { childList: true })
    return () => {
      main.removeEventListener('focusin', onFocus)
      main.removeEventListener('focusout', onBlur)
      observer.disconnect()
    }
  }, [])
}
