import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { createApi, createQueryClient } from './lib/api.ts'
import { createI18n, initialLanguage } from './lib/i18n.ts'
import { Providers } from './providers.tsx'
import { preloadPage, Router } from './router.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root.')

/** Not a top-level `await`: the pages import from this script and would wait for it. */
async function start(root: HTMLElement) {
  const [i18n] = await Promise.all([
    createI18n(initialLanguage(window.location.search)),
    preloadPage(window.location.pathname),
  ])
  createRoot(root).render(
    <StrictMode>
      <Providers i18n={i18n} api={createApi()} queryClient={createQueryClient()}>
        <BrowserRouter>
          <Router />
        </BrowserRouter>
      </Providers>
    </StrictMode>,
  )
}

start(root).catch((error: unknown) => {
  console.error(error)
  // index.html shows its message, as for a script that failed to load.
  root.dispatchEvent(new Event('error'))
})
