import { createWalletKit } from '@lineage/wallet-kit/core'
import { announceWallet, createScriptedWallet, memoryStorage } from '@lineage/wallet-kit/testing'
import { injectedConnector } from '@lineage/wallet-kit/wallets'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, use, useState } from 'react'
import { custom } from 'viem'
import { bsc } from 'viem/chains'
import { expect, onTestFinished, test, vi } from 'vitest'
import { renderApp } from '../../../test/renderApp.tsx'
import { createI18n, I18nProvider } from '../../lib/i18n.ts'
import { createNotices, NoticesContext, takeNotices } from '../../lib/notices.ts'
import { beginTakeOver, Part, whenWorks } from '../../lib/takeOver.tsx'
import { useLoadKit, useTransactionNotices } from './KitProvider.tsx'

const hash = `0x${'1'.repeat(64)}` as const
const link = { text: 'View on BscScan', url: `https://bscscan.com/tx/${hash}` }

async function setup(status: '0x0' | '0x1', chain: typeof bsc | (Omit<typeof bsc, 'blockExplorers'> & object) = bsc) {
  const { provider } = createScriptedWallet()
  onTestFinished(announceWallet({ info: { name: 'A', rdns: 'test.a' }, provider }))
  const wallet = {
    id: 'a',
    name: 'A',
    iconUrl: 'data:,',
    iconBackground: '#fff',
    rdns: ['test.a'],
    connectors: [injectedConnector()],
  }
  const receipt = { status, blockNumber: '0x1', logs: [] }
  const kit = createWalletKit({
    appName: 'Test',
    chains: [chain],
    transports: { [bsc.id]: custom({ request: async () => receipt }) },
    wallets: [{ groupName: 'Popular', wallets: [wallet] }],
    storage: memoryStorage(),
  })
  onTestFinished(() => kit.destroy())
  const notices = createNotices()
  const notified: unknown[] = []
  notices.subscribe(() => notified.push(...takeNotices(notices)))
  const queryClient = new QueryClient()
  queryClient.setQueryData(['member'], 'old')
  const i18n = await createI18n('en')
  const wrapper = ({ children }: { children: ReactNode }) => (
    <NoticesContext value={notices}>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      </I18nProvider>
    </NoticesContext>
  )
  const view = renderHook(() => useTransactionNotices(kit), { wrapper })
  await kit.connect({ walletId: 'a' })
  kit.addTransaction({ hash, description: 'Bind to referrer' })
  const isStale = () => queryClient.getQueryState(['member'])?.isInvalidated
  return { kit, notified, view, isStale }
}

test('behavior: a confirmed transaction shows one notice with a link, and queries are reloaded', async () => {
  const { notified, view, isStale } = await setup('0x1')
  view.rerender()
  await waitFor(() => expect(notified).toEqual([{ text: 'Confirmed\nBind to referrer', tone: 'success', link }]))
  expect(isStale()).toBe(true)
})

test('behavior: reverted', async () => {
  const { notified, isStale } = await setup('0x0')
  await waitFor(() => expect(notified).toEqual([{ text: 'Reverted on chain\nBind to referrer', tone: 'error', link }]))
  expect(isStale()).toBe(false)
})

test('behavior: a chain without an explorer: no link', async () => {
  const { blockExplorers: _, ...chain } = bsc
  const { notified } = await setup('0x1', chain)
  await waitFor(() => expect(notified).toEqual([{ text: 'Confirmed\nBind to referrer', tone: 'success' }]))
})

test('behavior: the kit is created at once for a press before the page works', async () => {
  const Asker = () => {
    const load = useLoadKit()
    const [name, setName] = useState<string>()
    return (
      <button type="button" onClick={() => void load().then(({ config }) => setName(config.appName))}>
        {name ?? 'ask'}
      </button>
    )
  }
  const Never = () => use(new Promise<never>(() => undefined))
  beginTakeOver()
  const works = vi.fn()
  whenWorks(works)
  const content = (
    <>
      <Part>
        <Never />
      </Part>
      <Asker />
    </>
  )
  const { view, close } = await renderApp('/', { content })
  onTestFinished(close)
  await userEvent.click(await screen.findByRole('button', { name: 'ask' }))
  expect(await screen.findByRole('button', { name: 'Lineage' })).toBeTruthy()
  expect(works).not.toHaveBeenCalled()
  view.unmount()
  await waitFor(() => expect(works).toHaveBeenCalledOnce())
})
