import { createReferralClient } from '@lineage/referral-api'
import { createWalletKit } from '@lineage/wallet-kit/core'
import { announceWallet, createScriptedWallet, memoryStorage } from '@lineage/wallet-kit/testing'
import { injectedConnector } from '@lineage/wallet-kit/wallets'
import { act, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { custom } from 'viem'
import { bsc } from 'viem/chains'
import { expect, onTestFinished, test } from 'vitest'
import { createFakeApi } from '../../../test/fakeApi.ts'
import { addressOf } from '../../../test/forest.ts'
import { serve } from '../../../test/serve.ts'
import { createQueryClient } from '../../lib/api.ts'
import { createI18n } from '../../lib/i18n.ts'
import { Providers } from '../../providers.tsx'
import { shorten } from '../address/parseAddress.ts'
import { AddressHeader } from './AddressHeader.tsx'

const named = addressOf(1)

/** Renders the header with a kit whose name service knows only `named`. */
async function setup(address: typeof named, source: 'asked' | 'broken' | 'none' = 'asked') {
  const api = createFakeApi({ demo: false, names: { service: source !== 'none', bnb: false } })
  const asked: (string | null)[] = []
  const { url, close } = await serve((request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/v1/resolve-ens') asked.push(searchParams.get('address'))
    const isBroken = pathname === '/v1/resolve-ens' && source === 'broken'
    return isBroken ? Promise.resolve(new Response(null, { status: 503 })) : api.handle(request)
  })
  onTestFinished(close)
  const { provider } = createScriptedWallet()
  onTestFinished(announceWallet({ info: { name: 'A', rdns: 'test.a' }, provider }))
  const look = { iconUrl: 'data:,', iconBackground: '#fff' }
  const wallet = { id: 'a', name: 'A', ...look, rdns: ['test.a'], connectors: [injectedConnector()] }
  const kit = createWalletKit({
    appName: 'Test',
    chains: [bsc],
    transports: { [bsc.id]: custom({ request: async () => null }) },
    wallets: [{ groupName: 'Popular', wallets: [wallet] }],
    storage: memoryStorage(),
    ...(source !== 'none' && { names: { baseUrl: url } }),
  })
  onTestFinished(() => kit.destroy())
  const i18n = await createI18n('en')
  const app = (
    <Providers
      i18n={i18n}
      api={createReferralClient({ baseUrl: `${url}/v1` })}
      queryClient={createQueryClient()}
      kit={kit}
    >
      <MemoryRouter>
        <AddressHeader address={address} summary="">
          a member
        </AddressHeader>
      </MemoryRouter>
    </Providers>
  )
  // Content that suspends for its texts inside an `act` that is not awaited never renders.
  return { kit, asked, show: () => act(async () => render(app)) }
}

test('behavior: the name is the title above the address once a wallet is connected', async () => {
  const { kit, asked, show } = await setup(named)
  await show()
  expect(asked).toEqual([])
  await kit.connect({ walletId: 'a' })
  expect(await screen.findByText('qinghe.eth')).toBeTruthy()
  expect(screen.getByRole('heading').textContent).toBe('qinghe.eth')
  expect(document.querySelector('p.address')?.textContent).toBe(named)
  expect(asked).toEqual([named.toLowerCase()])
})

test.each([
  ['an address without a name', addressOf(2), 'asked', 'ready'],
  ['a name service that fails', named, 'broken', 'failed'],
  ['no source of names', named, 'none', undefined],
] as const)('behavior: %s shows no name', async (_, address, source, status) => {
  const { kit, show } = await setup(address, source)
  await kit.connect({ walletId: 'a' })
  await show()
  await waitFor(() => expect(kit.getState().names[address.toLowerCase()]?.status).toBe(status))
  const heading = screen.getByRole('heading', { name: shorten(address) })
  expect(heading.textContent).toBe(address)
  expect(screen.getByText(/^0x [0-9a-fA-F]{4}( [0-9a-fA-F]{4}){9}$/)).toBeTruthy()
  expect(screen.getByText('a member').textContent).toBe('a member')
})
