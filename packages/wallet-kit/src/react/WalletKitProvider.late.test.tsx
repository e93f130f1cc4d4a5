import { renderHook, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { storageKey } from '../core/lib/storage.ts'
import { createScriptedKit, type ScriptedKitOptions } from '../testing/createScriptedKit.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { metaMaskWallet } from '../wallets/table.ts'
import { ConnectButton } from './ConnectButton/ConnectButton.tsx'
import { useAccountDialog, useConnectDialog } from './hooks/useDialogs.ts'
import { useSignIn } from './hooks/useSignIn.ts'
import { useAddTransaction } from './hooks/useTransactions.ts'
import { useWalletConnection } from './hooks/useWalletConnection.ts'
import { useWalletKit, useWalletKitState } from './hooks/useWalletKit.ts'
import { renderPage } from './testing/renderPage.tsx'
import { WalletKitProvider } from './WalletKitProvider.tsx'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const wallets = [{ groupName: 'Popular', wallets: [metaMaskWallet] }]
const remembered = () =>
  memoryStorage({
    [storageKey('connection')]: JSON.stringify({ walletId: 'metaMask', kind: 'injected', address, chainId: 56 }),
  })

describe('the app makes its kit after the first render', () => {
  const seen: unknown[] = []
  function Status() {
    const { status, address } = useWalletConnection()
    const wallets = useWalletKitState((state) => state.wallets.length)
    const kit = useWalletKit({ shouldThrow: false })
    seen.push([status, address, wallets > 0, kit !== undefined])
    return null
  }
  const setup = (options: Partial<ScriptedKitOptions> = {}) => {
    seen.length = 0
    const scripted = createScriptedKit({ wallets, installed: { 'io.metamask': { authorized: true } }, ...options })
    const page = renderPage(scripted, {
      kit: undefined,
      children: (
        <>
          <Status />
          <ConnectButton />
        </>
      ),
    })
    return { ...page, button: () => screen.getByRole<HTMLButtonElement>('button', { name: 'Connect Wallet' }) }
  }

  test('before: the button is disabled and the hooks say "disconnected"', () => {
    const { button } = setup()
    expect([button().disabled, button().getAttribute('aria-busy')]).toEqual([true, 'true'])
    expect(seen).toEqual([['disconnected', undefined, false, false]])
  })

  test('after: the button opens the dialog', async () => {
    const { kit, update, button, user } = setup()
    update({ kit })
    expect(button().disabled).toBe(false)
    expect(seen.at(-1)).toEqual(['disconnected', undefined, true, true])
    await user.click(button())
    await screen.findByRole('dialog', { name: 'Connect a Wallet' })
  })

  test('the last connection is restored, and never shown as disconnected', async () => {
    const { kit, update } = setup({ storage: remembered() })
    seen.length = 0
    update({ kit })
    await waitFor(() => expect(seen.at(-1)).toEqual(['connected', address, true, true]))
    expect(document.querySelector('button')?.textContent).toContain('0xd8…6045')
  })

  test('the app removes the kit: the open dialog closes', async () => {
    const { kit, update, button, user } = setup()
    update({ kit })
    await user.click(button())
    await screen.findByRole('dialog')
    update({ kit: undefined })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(seen.at(-1)).toEqual(['disconnected', undefined, false, false])
  })

  test('actions without a kit: dialogs resolve with undefined, others ask for a connection', async () => {
    const { result } = renderHook(
      () => ({
        connect: useConnectDialog(),
        signIn: useSignIn(),
        add: useAddTransaction(),
        account: useAccountDialog(),
      }),
      { wrapper: ({ children }) => <WalletKitProvider kit={undefined}>{children}</WalletKitProvider> },
    )
    const { connect, signIn, add, account } = result.current
    account.open()
    expect([await connect.open(), await signIn.open(), await signIn.signOut()]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    await expect(signIn.signIn()).rejects.toThrow('Connect a wallet first.')
    expect(() => add({ hash: '0x', description: '' })).toThrow('Connect a wallet first.')
  })

  test('error: useWalletKit() says what to do', () => {
    expect(() =>
      renderHook(() => useWalletKit(), {
        wrapper: ({ children }) => <WalletKitProvider kit={undefined}>{children}</WalletKitProvider>,
      }),
    ).toThrow('WalletKitProvider has no kit yet.')
  })
})
