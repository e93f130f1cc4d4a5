import { createReferralClient } from '@lineage/referral-api'
import type { Language } from '@lineage/referral-api/language'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { createQueryClient } from '../src/lib/api.ts'
import { createI18n, loadLaterTexts } from '../src/lib/i18n.ts'
import { Providers } from '../src/providers.tsx'
import { Router } from '../src/router.tsx'
import { createFakeApi, type FakeApiState } from './fakeApi.ts'
import { serve } from './serve.ts'

type Options = Partial<FakeApiState> & { language?: Language /** Default: all pages. */; content?: ReactNode }

/** Renders the app at `path` with the fake API over real HTTP. */
export async function renderApp(path: string, { language = 'zh-CN', content = <Router />, ...state }: Options = {}) {
  const api = createFakeApi({ demo: false, ...state })
  const server = await serve(api.handle)
  api.state.rpcUrls = [`${server.url}/v1/rpc`]
  const i18n = await createI18n(language)
  // A component that suspends for its texts inside an `act` that is not awaited, such as that of an event, never
  // renders.
  await loadLaterTexts(i18n)
  const view = await act(async () =>
    render(
      <Providers
        i18n={i18n}
        api={createReferralClient({ baseUrl: `${server.url}/v1` })}
        queryClient={createQueryClient()}
      >
        <MemoryRouter initialEntries={[path]}>{content}</MemoryRouter>
      </Providers>,
    ),
  )
  return { api, view, close: server.close }
}

/** Returns the texts that have been announced to screen readers in the last seconds. */
export const announced = (): string[] =>
  [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    [...(shadowRoot?.querySelectorAll('[aria-live] *') ?? [])].map(({ textContent }) => textContent ?? ''),
  )

/** Returns a section with choices once it has loaded. Before, another element has only its title. */
export const loadedSection = (name: string): Promise<HTMLElement> =>
  waitFor(() => {
    const section = screen.getByRole('region', { name })
    within(section).getAllByRole('radio')
    return section
  })
