import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { Activity, useState } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createScriptedKit, type ScriptedKitOptions } from '../testing/createScriptedKit.ts'
import { metaMaskWallet } from '../wallets/table.ts'
import { useConnectDialog } from './hooks/useDialogs.ts'
import { useWalletKitState } from './hooks/useWalletKit.ts'
import { renderPage } from './testing/renderPage.tsx'
import { WalletKitProvider } from './WalletKitProvider.tsx'

const scripted = (options: Partial<ScriptedKitOptions> = {}) =>
  createScriptedKit({
    wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }],
    installed: { 'io.metamask': {} },
    ...options,
  })

const connectDialog = () => screen.findByRole('dialog', { name: 'Connect a Wallet' })

test('it is put into the element that the app gives, also one that appears later', async () => {
  const place = document.createElement('div')
  onTestFinished(() => place.remove())
  const { user } = renderPage(scripted(), { container: () => place })
  document.body.append(place)
  await user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  expect(place.contains(await connectDialog())).toBe(true)
})

test.each<[string, object]>([
  ['a message is a number', { messages: { chooseWallet: 5 } }],
  ['the disclaimer is an object', { disclaimer: {} }],
  ['the container is a selector', { container: '#app' }],
])('behavior: %s, in an app without types: the dialog can be used', async (_, props) => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.stubGlobal('reportError', () => {})
  onTestFinished(() => void vi.unstubAllGlobals())
  const { user, kit } = renderPage(scripted(), props)
  await user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  await connectDialog()
  await user.click(screen.getByRole('button', { name: 'MetaMask' }))
  await waitFor(() => expect(kit.getState().status).toBe('connected'))
})

/** A menu whose entry disappears together with it. */
function Menu() {
  const { open } = useConnectDialog()
  const isConnecting = useWalletKitState(
    ({ recentWalletIds, dialog }) =>
      recentWalletIds.length > 0 || (dialog.name === 'connect' && dialog.step.name !== 'list'),
  )
  const [isClosed, setClosed] = useState(false)
  if (isConnecting && !isClosed) setClosed(true)
  return (
    <nav>
      <a href="/">Home</a>
      <p>
        {!isClosed && (
          <button type="button" onClick={open}>
            Join
          </button>
        )}
      </p>
    </nav>
  )
}

test('behavior: the button that opened it is gone: the focus returns to the nearest control', async () => {
  const { user } = renderPage(scripted(), { children: <Menu /> })
  await user.click(screen.getByRole('button', { name: 'Join' }))
  await connectDialog()
  await user.click(await screen.findByRole('button', { name: 'Get a Wallet' }))
  expect(screen.queryByRole('button', { name: 'Join', hidden: true })).toBeNull()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Home' })))
})

test('behavior: the page around an open dialog is hidden and shown again: it is open as before, and its attempt goes on', async () => {
  const { kit, destroy } = scripted({
    installed: { 'io.metamask': { behaviours: { eth_requestAccounts: 'hang' } } },
  })
  const page = (mode: 'hidden' | 'visible') => (
    <Activity mode={mode}>
      <WalletKitProvider kit={kit} locale="en" />
    </Activity>
  )
  const { rerender } = render(page('visible'))
  onTestFinished(() => {
    cleanup()
    destroy()
  })
  act(() => void kit.openConnectDialog({ walletId: 'metaMask' }))
  await screen.findByRole('dialog')
  const { dialog } = kit.getState()
  expect(dialog).toMatchObject({ step: { name: 'connecting' } })
  rerender(page('hidden'))
  await waitFor(() => expect(document.querySelectorAll('dialog[open]')).toHaveLength(0))
  rerender(page('visible'))
  await screen.findByRole('dialog')
  expect(kit.getState().dialog).toBe(dialog)
  expect(document.querySelectorAll('dialog[open]')).toHaveLength(1)
})

test('behavior: an open dialog goes to another provider and back while one is hidden: it stays open', async () => {
  const { kit, destroy } = scripted()
  const page = (mode: 'hidden' | 'visible') => (
    <>
      <Activity mode={mode}>
        <WalletKitProvider kit={kit} locale="en" />
      </Activity>
      <WalletKitProvider kit={kit} locale="de" />
    </>
  )
  const { rerender } = render(page('visible'))
  onTestFinished(() => {
    cleanup()
    destroy()
  })
  act(() => void kit.openConnectDialog())
  await connectDialog()
  rerender(page('hidden'))
  await screen.findByRole('dialog', { name: 'Wallet verbinden' })
  rerender(page('visible'))
  await connectDialog()
  expect(screen.getAllByRole('dialog')).toHaveLength(1)
  expect(document.querySelectorAll('dialog[open]')).toHaveLength(1)
  act(() => kit.closeDialog())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
