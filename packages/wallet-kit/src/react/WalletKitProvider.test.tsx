import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import Button from '@mui/material/Button'
import { createTheme, ThemeProvider } from '@mui/material/styles'
import { act, screen, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode, Suspense, useReducer, useSyncExternalStore } from 'react'
import { bsc, mainnet } from 'viem/chains'
import { expect, onTestFinished, test, vi } from 'vitest'
import { storageKey } from '../core/lib/storage.ts'
import type { WalletKit } from '../core/WalletKit.ts'
import { createScriptedAuthentication } from '../testing/createScriptedAuthentication.ts'
import { createScriptedKit, type ScriptedKitOptions } from '../testing/createScriptedKit.ts'
import type { ScriptedWalletOptions } from '../testing/createScriptedWallet.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { metaMask } from '../wallets/table.ts'
import { ConnectButton } from './ConnectButton/ConnectButton.tsx'
import { useConnectDialog } from './hooks/useDialogs.ts'
import { renderPage } from './testing/renderPage.tsx'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const create = (options: Partial<ScriptedKitOptions> = {}) =>
  createScriptedKit({
    wallets: [{ groupName: 'Popular', wallets: [metaMask] }],
    installed: { 'io.metamask': { authorized: true } },
    ...options,
  })
const connect = (kit: WalletKit) => kit.connect({ walletId: 'metaMask' })
const colourOf = (element: Element) => getComputedStyle(element).getPropertyValue('background-color')

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

test('unmounting while a wallet is asked removes the dialog', async () => {
  const page = renderPage(create({ installed: { 'io.metamask': { behaviours: { eth_requestAccounts: 'wait' } } } }))
  await page.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  await page.user.click(await screen.findByRole('button', { name: 'MetaMask' }))
  page.unmount()
  expect(document.querySelector('[role="dialog"]')).toBeNull()
  page.installed['io.metamask']?.release()
  await waitFor(() => expect(page.kit.getState().status).toBe('connected'))
})

test('renders no dialog before one is opened', () => {
  renderPage(create())
  expect(document.querySelector('[role="dialog"], .MuiDialog-root')).toBeNull()
})

test('without an MUI theme the kit uses its own and leaves the app’s components alone', () => {
  renderPage(create(), {
    wrap: (page) => (
      <>
        <Button variant="contained">Beside</Button>
        {page}
      </>
    ),
  })
  expect(colourOf(screen.getByRole('button', { name: 'Connect Wallet' }))).toBe('rgb(11, 122, 99)')
  expect(colourOf(screen.getByRole('button', { name: 'Beside' }))).not.toBe('rgb(11, 122, 99)')
})

test.each<[string, ScriptedWalletOptions, (kit: WalletKit) => unknown, RegExp]>([
  ['disconnected', {}, () => {}, /^Connect Wallet$/],
  ['connected', {}, connect, /0xd8…6045/],
  ['on a wrong network', { chainId: 137 }, connect, /^Wrong network$/],
  ['in the account dialog', {}, (kit) => connect(kit).then(kit.openAccountDialog), /^Copy Address$/],
  ['in the network dialog', {}, (kit) => connect(kit).then(kit.openNetworkDialog), /^Ethereum$/],
  ['in the sign-in dialog', {}, (kit) => connect(kit).then(() => void kit.openSignInDialog()), /^Sign message$/],
])('MUI’s capitals in the app’s theme reach no button: %s', async (_, wallet, act, name) => {
  const theme = createTheme()
  const scripted = create({
    chains: [bsc, mainnet],
    authentication: { adapter: createScriptedAuthentication(), required: false },
    installed: { 'io.metamask': wallet },
  })
  renderPage(scripted, { wrap: (page) => <ThemeProvider theme={theme}>{page}</ThemeProvider> })
  expect(theme.typography.button.textTransform).toBe('uppercase')
  await act(scripted.kit)
  await screen.findByRole('button', { name })
  const buttons = [...document.querySelectorAll('.MuiButton-root')]
  expect(buttons.length).toBeGreaterThan(0)
  expect(buttons.map((it) => [it.textContent, getComputedStyle(it).textTransform])).toEqual(
    buttons.map((it) => [it.textContent, 'none']),
  )
})

test('the button, the dialogs and their rows have the radius of the app’s theme', async () => {
  const theme = createTheme({ shape: { borderRadius: 3 } })
  const page = renderPage(create(), { wrap: (page) => <ThemeProvider theme={theme}>{page}</ThemeProvider> })
  const opener = screen.getByRole('button', { name: 'Connect Wallet' })
  await page.user.click(opener)
  const dialog = await screen.findByRole('dialog')
  const row = await screen.findByRole('button', { name: 'MetaMask' })
  expect([opener, dialog, row].map((it) => getComputedStyle(it).borderRadius)).toEqual(['3px', '3px', '3px'])
})

test('inherits the app’s theme', () => {
  const theme = createTheme({ palette: { primary: { main: '#123456' } } })
  renderPage(create(), { wrap: (page) => <ThemeProvider theme={theme}>{page}</ThemeProvider> })
  expect(colourOf(screen.getByRole('button'))).toBe('rgb(18, 52, 86)')
})

test('the provider’s theme wins over the app’s', () => {
  const theme = (main: string) => createTheme({ palette: { primary: { main } } })
  renderPage(create(), {
    theme: theme('#654321'),
    wrap: (page) => <ThemeProvider theme={theme('#123456')}>{page}</ThemeProvider>,
  })
  expect(colourOf(screen.getByRole('button'))).toBe('rgb(101, 67, 33)')
})

test('every style of the kit has the nonce', () => {
  renderPage(create(), { nonce: 'abc' })
  expect(document.querySelectorAll('style[data-emotion^="wallet-kit"]').length).toBeGreaterThan(0)
  for (const style of document.querySelectorAll('style[data-emotion^="wallet-kit"]'))
    expect(style.getAttribute('nonce')).toBe('abc')
  expect(screen.getByRole('button').className).toContain('wallet-kit-')
})

test('keeps the app’s style cache, also with a nonce', () => {
  const cache = createCache({ key: 'host', nonce: 'xyz' })
  renderPage(create(), { nonce: 'abc', wrap: (page) => <CacheProvider value={cache}>{page}</CacheProvider> })
  expect(screen.getByRole('button').className).toContain('host-')
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

test('behavior: a hot reload replaces the kit: the listeners of the earlier one are gone', async () => {
  const added = vi.spyOn(window, 'addEventListener')
  const removed = vi.spyOn(window, 'removeEventListener')
  const ofKit = (calls: readonly (readonly unknown[])[]) =>
    calls.filter(([name]) => name === 'eip6963:announceProvider' || name === 'ethereum#initialized').length
  const wallets = [{ groupName: 'Popular', wallets: [metaMask] }]
  const first = createScriptedKit({ wallets, installed: { 'io.metamask': {} } })
  const page = renderPage(first)
  await act(() => first.kit.connect({ walletId: 'metaMask' }))
  const next = createScriptedKit({ wallets })
  onTestFinished(next.destroy)
  page.update({ kit: next.kit })
  expect(first.installed['io.metamask']?.listenerCount()).toBe(0)
  expect(ofKit(added.mock.calls) - ofKit(removed.mock.calls)).toBe(2)
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
  expect(document.body.style.overflow).toBe('')
  expect(reports).toContainEqual(new Error('Broken text.'))
  isBroken = false
  await page.user.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByRole('dialog', { name: 'Connect a Wallet' })
  isBroken = true
  act(() => page.kit.closeDialog())
  await waitFor(() => expect(screen.queryByText('Oops, something went wrong!')).toBeNull())
  expect(document.body.style.overflow).toBe('')
})

test('the app’s boundary suspends round an open dialog: the page is free meanwhile, then locked again', async () => {
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
  expect(document.body.style.overflow).toBe('hidden')

  let end = () => {}
  wait = new Promise((resolve) => {
    end = resolve
  })
  page.update({})
  const fallback = await screen.findByText('Loading')
  expect(document.body.style.overflow).toBe('')
  expect(fallback.closest('[aria-hidden="true"]')).toBeNull()

  wait = undefined
  await act(async () => end())
  await screen.findByRole('dialog')
  expect(document.body.style.overflow).toBe('hidden')
  act(() => page.kit.closeDialog())
  await waitFor(() => expect(document.body.style.overflow).toBe(''))
})
