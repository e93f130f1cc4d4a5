import { act, screen, waitFor } from '@testing-library/react'
import { Profiler } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { storageKey } from '../core/lib/storage.ts'
import { createScriptedKit } from '../testing/createScriptedKit.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { metaMaskWallet } from '../wallets/table.ts'
import { ConnectButton } from './ConnectButton/ConnectButton.tsx'
import { WalletKitProvider } from './WalletKitProvider.tsx'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

test('hydrates server HTML without a mismatch, then shows the stored account', async () => {
  const { kit, destroy } = createScriptedKit({
    wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }],
    installed: { 'io.metamask': { authorized: true } },
    storage: memoryStorage({
      [storageKey('connection')]: JSON.stringify({ walletId: 'metaMask', kind: 'injected', address, chainId: 56 }),
    }),
  })
  const page = (
    <WalletKitProvider kit={kit}>
      <ConnectButton />
    </WalletKitProvider>
  )
  const mismatch = vi.fn()
  const root = document.body.appendChild(document.createElement('div'))
  root.innerHTML = renderToString(page)
  expect(screen.getByRole('button', { name: 'Connect Wallet' })).toBeTruthy()
  const hydrated = await act(async () => hydrateRoot(root, page, { onRecoverableError: mismatch }))
  await waitFor(() => expect(screen.getByRole('button').textContent).toContain('0xd8…6045'))
  expect(mismatch).not.toHaveBeenCalled()
  act(() => hydrated.unmount())
  root.remove()
  destroy()
})

test('hydrates once: parts of the page that still wait would otherwise have to follow at once', async () => {
  const { kit, destroy } = createScriptedKit({ wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }] })
  const phases: string[] = []
  const page = (
    <Profiler id="page" onRender={(_, phase) => phases.push(phase)}>
      <WalletKitProvider kit={kit} locale="zh-CN" dialogs="none">
        <p />
      </WalletKitProvider>
    </Profiler>
  )
  const root = document.body.appendChild(document.createElement('div'))
  root.innerHTML = renderToString(page)
  const hydrated = await act(async () => hydrateRoot(root, page))
  expect(phases).toEqual(['mount'])
  act(() => hydrated.unmount())
  root.remove()
  destroy()
})
