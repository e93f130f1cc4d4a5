import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { createScriptedAuthentication } from '../../testing/createScriptedAuthentication.ts'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import { metaMaskWallet } from '../../wallets/table.ts'
import { WalletKitProvider } from '../WalletKitProvider.tsx'
import { useAccountDialog, useConnectDialog, useNetworkDialog } from './useDialogs.ts'
import { useSignIn } from './useSignIn.ts'

/** Connects with a sign-in, and returns the kit with the dialogs of all hooks. */
async function arrive(required: boolean) {
  const { kit, destroy } = createScriptedKit({
    wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }],
    authentication: { adapter: createScriptedAuthentication(), required },
    installed: { 'io.metamask': {} },
  })
  onTestFinished(destroy)
  const { result } = renderHook(
    () => ({
      useConnectDialog: useConnectDialog(),
      useAccountDialog: useAccountDialog(),
      useNetworkDialog: useNetworkDialog(),
      useSignIn: useSignIn(),
    }),
    { wrapper: ({ children }) => <WalletKitProvider kit={kit} dialogs="none" children={children} /> },
  )
  await act(() => kit.connect({ walletId: 'metaMask' }))
  const close = (hook: keyof typeof result.current) => act(() => result.current[hook].close())
  return { kit, close, hooks: result }
}

test.each(['useAccountDialog', 'useNetworkDialog'] as const)(
  'close of %s while a required sign-in is open: the wallet stays connected',
  async (hook) => {
    const { kit, close } = await arrive(true)
    act(() => void kit.openConnectDialog())
    expect(kit.getState().dialog.name).toBe('signIn')
    close(hook)
    expect(kit.getState()).toMatchObject({ status: 'unauthenticated', dialog: { name: 'signIn' } })
  },
)

test.each(['useConnectDialog', 'useSignIn'] as const)(
  'close of %s while a required sign-in is open: disconnects the wallet',
  async (hook) => {
    const { kit, close } = await arrive(true)
    act(() => void kit.openConnectDialog())
    close(hook)
    await waitFor(() => expect(kit.getState()).toMatchObject({ status: 'disconnected', dialog: { name: 'none' } }))
  },
)

test.each([
  ['useAccountDialog', 'account', 'useNetworkDialog'],
  ['useNetworkDialog', 'network', 'useConnectDialog'],
  ['useSignIn', 'signIn', 'useConnectDialog'],
] as const)('close of %s closes its dialog %s, close of %s does not', async (own, name, other) => {
  const { kit, close, hooks } = await arrive(false)
  act(() => void hooks.current[own].open())
  close(other)
  expect(kit.getState().dialog.name).toBe(name)
  close(own)
  expect(kit.getState().dialog.name).toBe('none')
})
