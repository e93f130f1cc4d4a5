import { createReferralClient } from '@lineage/referral-api'
import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { createQueryClient } from './lib/api.ts'
import { createI18n, type Language, languages } from './lib/i18n.ts'
import { Providers } from './providers.tsx'
import { preloadPage, Router } from './router.tsx'

/** Renders a page's first HTML in every language, knowing only its URL. */
export async function paint(pathname: string, search: string): Promise<[Language, string][]> {
  await preloadPage(pathname)
  return Promise.all(
    (Object.keys(languages) as Language[]).map(async (language): Promise<[Language, string]> => {
      const i18n = await createI18n(language)
      const queryClient = createQueryClient()
      const html = renderToString(
        <Providers i18n={i18n} api={createReferralClient({ baseUrl: '' })} queryClient={queryClient}>
          <MemoryRouter initialEntries={[pathname + search]}>
            <Router />
          </MemoryRouter>
        </Providers>,
      )
      // Its timers would keep the build process alive.
      queryClient.clear()
      return [language, html]
    }),
  )
}
