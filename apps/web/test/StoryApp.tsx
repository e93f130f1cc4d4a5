import { createReferralClient } from '@lineage/referral-api'
import { toLanguage } from '@lineage/referral-api/language'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { MemoryRouter, parsePath } from 'react-router-dom'
import { createQueryClient } from '../src/lib/api.ts'
import { createI18n, type I18n } from '../src/lib/i18n.ts'
import { Providers } from '../src/providers.tsx'
import { createStoryKit } from './createStoryKit.ts'
import { createFakeApi, type FakeApiState } from './fakeApi.ts'

type Props = {
  path: string
  /** State of the history entry. */
  kept?: unknown
  state?: Partial<FakeApiState>
  language?: string
  children: ReactNode
}

/** Renders a story in the app's providers, with the fake API and its node, without any network access. */
export function StoryApp({ path, kept, state, language, children }: Props) {
  const [texts, setTexts] = useState<I18n>()
  useEffect(() => {
    void createI18n(toLanguage(language) ?? 'zh-CN').then(setTexts)
  }, [language])
  const { api, kit, queryClient } = useMemo(() => {
    const fake = createFakeApi({ demo: false, ...state })
    const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
      const response = await fake.handle(new Request(new URL(String(input), 'http://story.invalid'), init))
      if (response.type === 'error') throw new TypeError('No connection.')
      return response
    }
    return {
      api: createReferralClient({ baseUrl: '/v1', fetch }),
      kit: createStoryKit(fake),
      queryClient: createQueryClient(),
    }
  }, [state])
  useEffect(() => () => kit.destroy(), [kit])
  if (!texts) return null
  return (
    <Providers i18n={texts} api={api} queryClient={queryClient} kit={kit}>
      <MemoryRouter initialEntries={[kept === undefined ? path : { ...parsePath(path), state: kept }]}>
        {children}
      </MemoryRouter>
    </Providers>
  )
}
