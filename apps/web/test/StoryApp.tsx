import { createReferralClient } from '@lineage/referral-api'
import { toLanguage } from '@lineage/referral-api/language'
import { createWalletKit, type WalletKit } from '@lineage/wallet-kit/core'
import { metaMaskWallet } from '@lineage/wallet-kit/wallets'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { MemoryRouter, parsePath } from 'react-router-dom'
import { custom } from 'viem'
import { bsc } from 'viem/chains'
import { createQueryClient } from '../src/lib/api.ts'
import { createI18n, type I18n } from '../src/lib/i18n.ts'
import { Providers } from '../src/providers.tsx'
import { createFakeApi, type FakeApi, type FakeApiState } from './fakeApi.ts'

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

/** Creates a kit that reads from the fake API's node, without any network access. */
function createStoryKit({ handle, state }: FakeApi): WalletKit {
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    const body = JSON.stringify({ id: 1, method, params })
    const response = await handle(new Request('http://story.invalid/v1/rpc', { method: 'POST', body }))
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (error) throw new Error(error.message)
    return result
  }
  return createWalletKit({
    appName: 'Story',
    chains: [bsc],
    transports: { [bsc.id]: custom({ request }, { retryCount: 0 }) },
    wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }],
    ...(state.names.bnb && { names: { bnb: true } }),
    id: 'story',
  })
}
