import { act, screen, waitFor } from '@testing-library/react'
import { Fragment, type ReactNode, StrictMode, Suspense, useReducer, useSyncExternalStore } from 'react'
import { bscTestnet } from 'viem/chains'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { storageKey } from '../core/lib/storage.ts'
import type { WalletKit } from '../core/WalletKit.ts'
import { createScriptedAuthentication } from '../testing/createScriptedAuthentication.ts'
import { createScriptedKit, type ScriptedKitOptions } from '../testing/createScriptedKit.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { metaMaskWallet } from '../wallets/table.ts'
import { ConnectButton } from './ConnectButton/ConnectButton.tsx'
import { useConnectDialog } from './hooks/useDialogs.ts'
import { renderPage } from './testing/renderPage.tsx'
import { createWalletKitTheme } from './theme/createWalletKitTheme.ts'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const create = (options: Partial<ScriptedKitOptions> = {}) =>
  createScriptedKit({
    wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }],
    installed: { 'io.metamask': { authorized: true } },
    ...options,
  })
const connect = (kit: WalletKit) => kit.connect({ walletId: 'metaMask' })

test('StrictMode: the last connection is restored once', async () => {
  const storage = memoryStorage({
    [storageKey('connection')]: JSON.stringify({ walletId: 'metaMask', kind: 'injected', address, chainId: 56 }),
  })
  const page = renderPage(create({ storage }), { wrap: (page) => <StrictMode>{page}</StrictMode> })
  await waitFor(() => expect(page.kit.getState().status).toBe('connected'))
  const asked = page.installed['io.metamask']?.requests.map(({ method }) => method)
  expect(asked?.filter((method) => method === 'eth_accounts')).toHaveLength(1)
  expect(asked).not.toContain('eth_requestAccounts')
})

test('restores the last connection without a React warning when others subscribe to the kit', async () => {
  const complaints = vi.spyOn(console, 'error')
  onTestFinished(() => complaints.mockRestore())
  const storage = memoryStorage({
    [storageKey('connection')]: JSON.stringify({ walletId: 'metaMask', kind: 'injected', address, chainId: 56 }),
  })
  const scripted = create({ storage })
  function Beside({ children }: { children: ReactNode }) {
    const status = useSyncExternalStore(scripted.kit.subscribe, () => scripted.kit.getState().status)
    const [isShown, show] = useReducer(() => true, false)
    return (
      <>
        <button type="button" onClick={show}>
          {status}
        </button>
        {isShown && children}
      </>
    )
  }
  const page = renderPage(scripted, { wrap: (page) => <Beside>{page}</Beside> })
  await page.user.click(screen.getByRole('button', { name: 'disconnected' }))
  await screen.findByRole('button', { name: 'connected' })
  expect(complaints).not.toHaveBeenCalled()
})

test('unmounting while a wallet is asked closes the dialog, as a person does', async () => {
  const page = renderPage(create({ installed: { 'io.metamask': { behaviours: { eth_requestAccounts: 'wait' } } } }))
  await page.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  await page.user.click(await screen.findByRole('button', { name: 'MetaMask' }))
  const { kit } = page
  expect(kit.getState().status).toBe('connecting')
  page.unmount()
  expect(document.querySelector('[role="dialog"]')).toBeNull()
  await waitFor(() => expect(kit.getState().status).toBe('disconnected'))
  expect(kit.getState().dialog.name).toBe('none')
})

test('behavior: unmounting with an open dialog: the next provider of the kit does not open it again', async () => {
  const scripted = create()
  const page = renderPage(scripted)
  await page.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  await screen.findByRole('dialog', { name: 'Connect a Wallet' })
  page.unmount()
  await waitFor(() => expect(page.kit.getState().dialog.name).toBe('none'))
  expect(document.querySelector('dialog[open]')).toBeNull()
  const next = renderPage(scripted)
  await next.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  await screen.findByRole('dialog', { name: 'Connect a Wallet' })
})

describe('a provider of the same kit takes its place, as on a page of another language', () => {
  const renderKeyed = (scripted: ReturnType<typeof create>) => {
    let replace = async () => {}
    function Keyed({ children }: { children: ReactNode }) {
      const [key, next] = useReducer((key: number) => key + 1, 0)
      replace = () => act(async () => next())
      return <Fragment key={key}>{children}</Fragment>
    }
    return { ...renderPage(scripted, { wrap: (page) => <Keyed>{page}</Keyed> }), replace: () => replace() }
  }

  test('behavior: the connect dialog stays open', async () => {
    const { kit, replace } = renderKeyed(create())
    act(() => void kit.openConnectDialog())
    await screen.findByRole('dialog', { name: 'Connect a Wallet' })
    await replace()
    expect(kit.getState().dialog.name).toBe('connect')
    await screen.findByRole('dialog', { name: 'Connect a Wallet' })
  })

  test('behavior: a sign-in that is required goes on, and the wallet stays connected', async () => {
    const authentication = { adapter: createScriptedAuthentication(), required: true } as const
    const { kit, replace } = renderKeyed(create({ authentication }))
    await act(() => connect(kit))
    await screen.findByRole('dialog')
    await replace()
    expect(kit.getState()).toMatchObject({ status: 'unauthenticated', dialog: { name: 'signIn' } })
    await screen.findByRole('dialog')
  })
})

test('StrictMode: a dialog that is open before its code is loaded stays open', async () => {
  const scripted = create()
  void scripted.kit.openConnectDialog()
  renderPage(scripted, { wrap: (page) => <StrictMode>{page}</StrictMode> })
  await screen.findByRole('dialog', { name: 'Connect a Wallet' })
  await Promise.resolve()
  expect(scripted.kit.getState().dialog.name).toBe('connect')
})

test('renders no dialog before one is opened', () => {
  renderPage(create())
  expect(document.querySelector('[role="dialog"]')).toBeNull()
})

test('the theme may change: the button and an open dialog follow', async () => {
  const page = renderPage(create(), { theme: createWalletKitTheme({ accent: '#123456', radius: 3 }) })
  const opener = screen.getByRole('button', { name: 'Connect Wallet' })
  await page.user.click(opener)
  const dialog = await screen.findByRole('dialog')
  for (const accent of ['#123456', '#654321']) {
    page.update({ theme: createWalletKitTheme({ accent, radius: 3 }) })
    for (const element of [opener, dialog])
      expect(getComputedStyle(element).getPropertyValue('--wallet-kit-accent')).toBe(accent)
  }
})

test('every style of the kit has the nonce, also one that comes later', async () => {
  const page = renderPage(create())
  const styles = () => [...document.querySelectorAll('style')]
  const nonces = () => new Set(styles().map(({ nonce }) => nonce))
  expect(nonces()).toEqual(new Set(['']))
  page.update({ nonce: 'abc' })
  expect(nonces()).toEqual(new Set(['abc']))
  await page.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  await screen.findByRole('dialog')
  expect(nonces()).toEqual(new Set(['abc']))
  expect(styles()).toHaveLength(2)
})

test('behavior: a server renders the page again with another nonce: the styles keep that of the document, which alone its policy allows', async () => {
  const page = renderPage(create(), { nonce: 'abc' })
  const styles = () => [...document.querySelectorAll('style')]
  const before = styles()
  page.update({ nonce: 'def', theme: createWalletKitTheme({ accent: '#123456' }) })
  await page.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  await screen.findByRole('dialog')
  expect(styles()).toEqual(expect.arrayContaining(before))
  expect(styles().map(({ nonce }) => nonce)).toEqual(['abc', 'abc'])
})

test('the language may change while a dialog is open; the last choice wins', async () => {
  const page = renderPage(create())
  await page.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  await screen.findByRole('dialog', { name: 'Connect a Wallet' })
  page.update({ locale: 'zh-CN' })
  page.update({ locale: 'en' })
  page.update({ locale: 'zh-CN' })
  await screen.findByRole('dialog', { name: '连接钱包' })
})

test('the app’s texts replace the kit’s', async () => {
  const page = renderPage(create(), { messages: { connectWallet: 'Join', connectAWallet: 'Join with a wallet' } })
  await page.user.click(screen.getByRole('button', { name: 'Join' }))
  await screen.findByRole('dialog', { name: 'Join with a wallet' })
})

test('open() resolves with the connection, or undefined when the person closes', async () => {
  const outcomes: unknown[] = []
  function Open() {
    const { open } = useConnectDialog()
    return (
      <button type="button" onClick={() => open().then((connection) => outcomes.push(connection))}>
        open
      </button>
    )
  }
  const page = renderPage(create(), { children: <Open /> })
  await page.user.click(screen.getByRole('button', { name: 'open' }))
  await screen.findByRole('dialog')
  await page.user.keyboard('{Escape}')
  await waitFor(() => expect(outcomes).toEqual([undefined]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await page.user.click(screen.getByRole('button', { name: 'open' }))
  await page.user.click(await screen.findByRole('button', { name: 'MetaMask' }))
  await waitFor(() => expect(outcomes.at(-1)).toMatchObject({ walletId: 'metaMask', address, chainId: 56 }))
})

test('two kits on one page do not mix', async () => {
  const first = create()
  const second = create()
  renderPage(first, { children: <ConnectButton label="First" /> })
  renderPage(second, { children: <ConnectButton label="Second" /> })
  await act(() => first.kit.connect({ walletId: 'metaMask' }))
  expect(screen.queryByRole('button', { name: 'First' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Second' })).toBeTruthy()
})

test('error: a component outside a provider', () => {
  expect(() => renderPage(create(), { wrap: () => <ConnectButton /> })).toThrow('No WalletKitProvider was found')
})

test('behavior: NODE_ENV may change while the page is shown, as in tests of an app', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  const page = renderPage(create())
  for (const [env, locale, name] of [
    ['production', 'de', 'Wallet verbinden'],
    ['development', 'en', 'Connect Wallet'],
  ] as const) {
    vi.stubEnv('NODE_ENV', env)
    page.update({ locale })
    expect(screen.getByRole('button', { name })).toBeTruthy()
  }
})

test('behavior: a hot reload replaces the kit: the listeners of the earlier one are gone', async () => {
  const added = vi.spyOn(window, 'addEventListener')
  const removed = vi.spyOn(window, 'removeEventListener')
  const ofKit = (calls: readonly (readonly unknown[])[]) =>
    calls.filter(([name]) => name === 'eip6963:announceProvider' || name === 'ethereum#initialized').length
  const wallets = [{ groupName: 'Popular', wallets: [metaMaskWallet] }]
  const first = createScriptedKit({ wallets, installed: { 'io.metamask': {} } })
  const page = renderPage(first)
  await act(() => first.kit.connect({ walletId: 'metaMask' }))
  const next = createScriptedKit({ wallets })
  onTestFinished(next.destroy)
  page.update({ kit: next.kit })
  expect(first.installed['io.metamask']?.listenerCount()).toBe(0)
  expect(ofKit(added.mock.calls) - ofKit(removed.mock.calls)).toBe(2)
})

test('behavior: in development an app shows a kit of other chains, then the first again: it connects', async () => {
  const wallets = [{ groupName: 'Popular', wallets: [metaMaskWallet] }]
  const first = createScriptedKit({ wallets, installed: { 'io.metamask': {} } })
  const page = renderPage(first)
  const other = createScriptedKit({ wallets, chains: [bscTestnet] })
  onTestFinished(other.destroy)
  page.update({ kit: other.kit })
  page.update({ kit: first.kit })
  await act(() => first.kit.connect({ walletId: 'metaMask' }))
  expect(first.kit.getState().status).toBe('connected')
})

test('behavior: in development a kit comes back after one with its id and chains: warns that it was destroyed', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const first = create()
  const page = renderPage(first)
  const other = create()
  onTestFinished(other.destroy)
  page.update({ kit: other.kit })
  expect(warn).not.toHaveBeenCalled()
  page.update({ kit: first.kit })
  expect(warn.mock.calls.flat().join()).toMatch(
    /got a kit that it has destroyed, .* Give kits that you show in turn an id each/,
  )
})

/** Silences and collects the reports of errors that a boundary caught. */
function collectReports() {
  const reports: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => reports.push(error))
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => {
    vi.unstubAllGlobals()
    logged.mockRestore()
  })
  return reports
}

test('an error in a dialog: the page stays and scrolls, the failure is reported, and Retry opens the dialog', async () => {
  const reports = collectReports()
  let isBroken = true
  const page = renderPage(create(), {
    wrap: (page) => (
      <>
        <p>The app</p>
        {page}
      </>
    ),
    messages: {
      get connectAWallet() {
        if (isBroken) throw new Error('Broken text.')
        return 'Connect a Wallet'
      },
    },
  })
  await page.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  await screen.findByText('Oops, something went wrong!')
  expect(screen.getByText('The app')).toBeTruthy()
  expect(document.querySelector('dialog[open]')).toBeNull()
  expect(reports).toContainEqual(new Error('Broken text.'))
  isBroken = false
  await page.user.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByRole('dialog', { name: 'Connect a Wallet' })
  isBroken = true
  act(() => page.kit.closeDialog())
  await waitFor(() => expect(screen.queryByText('Oops, something went wrong!')).toBeNull())
  expect(document.querySelector('dialog[open]')).toBeNull()
})

test('the app’s boundary suspends round an open dialog: it is closed meanwhile, then open again', async () => {
  let wait: Promise<void> | undefined
  const Waiting = () => {
    if (wait) throw wait
    return null
  }
  const page = renderPage(create(), {
    wrap: (page) => (
      <Suspense fallback={<p>Loading</p>}>
        <Waiting />
        {page}
      </Suspense>
    ),
  })
  await page.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  await screen.findByRole('dialog')
  expect(document.querySelector('dialog[open]')).not.toBeNull()

  let end = () => {}
  wait = new Promise((resolve) => {
    end = resolve
  })
  page.update({})
  const fallback = await screen.findByText('Loading')
  expect(document.querySelector('dialog[open]')).toBeNull()
  expect(fallback.closest('[aria-hidden="true"]')).toBeNull()

  wait = undefined
  await act(async () => end())
  await screen.findByRole('dialog')
  expect(document.querySelector('dialog[open]')).not.toBeNull()
  act(() => page.kit.closeDialog())
  await waitFor(() => expect(document.querySelector('dialog[open]')).toBeNull())
})
