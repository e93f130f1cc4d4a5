// First: it asks for the page's other scripts.

import { type Config, createReferralClient } from '@lineage/referral-api'
import { hydrate } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { createQueryClient } from './lib/api.ts'
import { takeEarly } from './lib/early.ts'
import { createI18n, initialLanguage, loadLaterTexts } from './lib/i18n.ts'
import { isConnectionStored } from './lib/storage.ts'
import { createStyleCache } from './lib/styles.ts'
import { beginTakeOver, whenIdle } from './lib/takeOver.tsx'
import { Providers } from './providers.tsx'
import { preloadPage, Router } from './router.tsx'
import type { PageData } from './server.tsx'
import { preloadScripts } from './shared/frame/lazyWithPreload.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root.')

/** Not a top-level `await`: the pages import from this script and would wait for it. */
async function start(root: HTMLElement) {
  const page = readPage()
  // A connected visitor never sees the button that connects. If it fails, the app tries again.
  const kits = isConnectionStored() ? import('./lib/kit.ts').catch(() => undefined) : undefined
  // A browser that translates has replaced the texts.
  const isTakenOver = page && !root.querySelector('font')
  const scripts = page ? preloadScripts(page.scripts) : preloadPage(window.location.pathname)
  const i18n = await createI18n(page?.language ?? initialLanguage(window.location.search))
  if (!isTakenOver) await scripts
  if (page) i18n.add(page.texts)
  const queryClient = createQueryClient()
  if (page) hydrate(queryClient, page.queries)
  const config = queryClient.getQueryData<Config>(['config'])
  const kit = config && (await (await kits)?.createKit(config))
  const styles = createStyleCache()
  const api = createReferralClient({ baseUrl: '/v1', fetch: fetchFresh })
  const app = (
    <StrictMode>
      <Providers i18n={i18n} api={api} queryClient={queryClient} kit={kit} styles={styles}>
        <BrowserRouter>
          <Router />
        </BrowserRouter>
      </Providers>
    </StrictMode>
  )
  const early = takeEarly(root)
  if (isTakenOver) {
    restoreStyles(root, page.styles)
    beginTakeOver(scripts)
    hydrateRoot(root, app)
    early.replayInBar()
    await scripts
  } else keepPlace(() => flushSync(() => createRoot(root).render(app)))
  early.replay()
  // A failure is retried by the first component that shows them.
  whenIdle(() => void loadLaterTexts(i18n).catch(() => undefined))
}

/**
 * Draws the page anew with `draw`, with the first row in the window of a long list at its place: rows that are drawn anew have an
 * estimated height.
 */
function keepPlace(draw: () => void): void {
  const topOf = (element: Element) => element.getBoundingClientRect().top
  const row = [...document.querySelectorAll('[data-index][id]')].find((one) => topOf(one) >= 0)
  const before = row ? topOf(row) : window.innerHeight
  draw()
  const drawn = row && document.getElementById(row.id)
  if (drawn && before < window.innerHeight) window.scrollBy(0, topOf(drawn) - before)
}

/** The browser's own cache may have the state from before a change that the page was told of. */
const fetchFresh: typeof fetch = (input, init) => fetch(input, { cache: 'no-cache', ...init })

/** Milliseconds that a slow phone takes at most until the page works. */
const longestStart = 10_000

/**
 * Returns the data of a page that the server has rendered. Its answers count as new until the page works, whatever the clock
 * says: a slow phone would ask for all of them again before. Afterwards they refresh as on other pages.
 */
function readPage(): PageData | undefined {
  const text = document.getElementById('page')?.textContent
  if (!text) return undefined
  const page = JSON.parse(text) as PageData
  for (const { state } of page.queries.queries) {
    state.dataUpdatedAt = Date.now() + longestStart
    // JSON has no `undefined`, with which a list asks for its first page.
    const pages = (state.data as { pageParams?: unknown[] } | undefined)?.pageParams
    if (pages?.[0] === null) pages[0] = undefined
  }
  return page
}

/** Puts the inline styles of elements in their place. */
function restoreStyles(root: HTMLElement, styles: readonly string[]): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = styles[Number(element.dataset.style)] ?? ''
    element.removeAttribute('data-style')
  }
}

// React would remove the message of index.html.
if (!window.__early__?.isTooOld)
  start(root).catch((error: unknown) => {
    console.error(error)
    // index.html shows its message, as for a script that failed to load.
    root.dispatchEvent(new Event('error'))
  })
