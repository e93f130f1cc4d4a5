import { type Community, createReferralClient, type Member } from '@lineage/referral-api'
import { WalletKitProvider } from '@lineage/wallet-kit'
import { createWalletKit } from '@lineage/wallet-kit/core'
import { announceWallet, type Behaviour, createScriptedWallet } from '@lineage/wallet-kit/testing'
import { injectedConnector } from '@lineage/wallet-kit/wallets'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { custom } from 'viem'
import { bsc } from 'viem/chains'
import { expect, onTestFinished, test } from 'vitest'
import { createFakeApi } from '../../../test/fakeApi.ts'
import { addressOf } from '../../../test/forest.ts'
import { serve } from '../../../test/serve.ts'
import { ApiContext, createQueryClient } from '../../lib/api.ts'
import { createI18n, I18nProvider } from '../../lib/i18n.ts'
import { createNotices, NoticesContext, takeNotices } from '../../lib/notices.ts'
import BindToReferrer from './BindToReferrer.tsx'

const hash = `0x${'1'.repeat(64)}` as const
const other = addressOf(3)
const failed = { text: 'No transaction was sent. Check your wallet.', tone: 'error' }

/** Renders the offer for a connected account that no community knows; the wallet answers a send with `sending`. */
async function setup(sending: Behaviour) {
  const node = await serve(async () => Response.json({ jsonrpc: '2.0', id: 1, result: hash }))
  const server = await serve(createFakeApi().handle)
  onTestFinished(node.close)
  onTestFinished(server.close)
  const wallet = createScriptedWallet({ rpcUrl: node.url, behaviours: { eth_sendTransaction: sending } })
  onTestFinished(announceWallet({ info: { name: 'A', rdns: 'test.a' }, provider: wallet.provider }))
  const definition = { id: 'a', name: 'A', iconUrl: 'data:,', iconBackground: '#fff', rdns: ['test.a'] }
  const kit = createWalletKit({
    appName: 'Test',
    chains: [bsc],
    transports: { [bsc.id]: custom({ request: async () => null }) },
    wallets: [{ groupName: 'Popular', wallets: [{ ...definition, connectors: [injectedConnector()] }] }],
  })
  onTestFinished(() => kit.destroy())
  const { address: account } = await kit.connect({ walletId: 'a' })
  const notices = createNotices()
  const notified: unknown[] = []
  notices.subscribe(() => notified.push(...takeNotices(notices)))
  const i18n = await createI18n('en')
  await act(async () =>
    render(
      <ApiContext value={createReferralClient({ baseUrl: `${server.url}/v1` })}>
        <NoticesContext value={notices}>
          <I18nProvider i18n={i18n}>
            <QueryClientProvider client={createQueryClient()}>
              <WalletKitProvider kit={kit} locale="en">
                <BindToReferrer
                  contract={addressOf(2)}
                  referrer={{ address: addressOf(1), status: 'member' } as Member}
                  community={{ id: 'demo' } as Community}
                />
              </WalletKitProvider>
            </QueryClientProvider>
          </I18nProvider>
        </NoticesContext>
      </ApiContext>,
    ),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Bind to this referrer' }))
  return { kit, wallet, account, notified }
}

test('behavior: the wallet returned a hash: the transaction is followed', async () => {
  const { kit, notified } = await setup({ result: hash })
  await expect.poll(() => kit.getState().transactions).toMatchObject([{ hash, status: 'pending' }])
  expect(await screen.findByRole('button', { name: 'Waiting for confirmation…' })).toBeTruthy()
  expect(notified).toEqual([])
})

test('error: after the signature nothing says that no transaction was sent', async () => {
  const { kit, notified } = await setup({ result: 'request-7' })
  await expect.poll(() => kit.getState().transactions).toMatchObject([{ callsId: 'request-7', status: 'pending' }])
  expect(notified).toEqual([])
})

test('behavior: the account changed while the wallet signed: the transaction belongs to the one that sent it', async () => {
  const { kit, wallet, account } = await setup('wait')
  await expect.poll(() => wallet.requests.some(({ method }) => method === 'eth_sendTransaction')).toBe(true)
  wallet.setAccounts([other, account])
  await expect.poll(() => kit.getState().address).toBe(other)
  wallet.release()
  await expect.poll(() => Object.values(localStorage).join()).toContain(hash)
  expect(kit.getState().transactions).toEqual([])
  wallet.setAccounts([account, other])
  await expect.poll(() => kit.getState()).toMatchObject({ address: account, transactions: [{ hash }] })
})

test('error: the person rejected, or the wallet failed', async () => {
  const { wallet, notified } = await setup('reject')
  const button = await screen.findByRole('button', { name: 'Bind to this referrer' })
  expect(notified).toEqual([])
  wallet.setBehaviour('eth_sendTransaction', { error: new Error('No gas.') })
  await userEvent.click(button)
  await expect.poll(() => notified).toEqual([failed])
})
