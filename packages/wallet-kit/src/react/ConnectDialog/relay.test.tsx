import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ConfigurationError, RelayUnreachableError } from '../../core/lib/errors.ts'
import type { WalletApp } from '../../core/wallets/wallet.ts'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import { createScriptedWallet } from '../../testing/createScriptedWallet.ts'
import { createScriptedRelay, type ScriptedRelayOptions } from '../../testing/scriptedConnectors.ts'
import { binanceWallet, metaMaskWallet, rainbowWallet, trustWallet, walletConnectWallet } from '../../wallets/table.ts'
import { announced, renderPage } from '../testing/renderPage.tsx'

const uris = ['wc:first@2?symKey=a', 'wc:second@2?symKey=b']
const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1'

const setDevice = (userAgent: string) =>
  Object.defineProperty(navigator, 'userAgent', { configurable: true, value: userAgent })
beforeEach(() => localStorage.clear())
afterEach(() => {
  Reflect.deleteProperty(navigator, 'userAgent')
  Reflect.deleteProperty(navigator, 'userActivation')
})

async function pick(name: string, options: ScriptedRelayOptions = { uris }, locale = 'en') {
  const relay = createScriptedRelay(options)
  const relayed = [rainbowWallet, walletConnectWallet].map((wallet) => ({ ...wallet, connectors: [relay.connector] }))
  const wallets = [{ groupName: 'Popular', wallets: [...relayed, metaMaskWallet] }]
  const page = renderPage(createScriptedKit({ wallets, installed: { 'io.metamask': {} } }), { locale })
  await page.user.click(screen.getAllByRole('button')[0] as HTMLElement)
  const dialog = await screen.findByRole('dialog')
  await page.user.click(within(dialog).getByRole('button', { name }))
  return { ...page, relay, dialog }
}

const code = () => screen.findByRole('img', { name: /^QR code/ })
const link = () => screen.findByRole('link', { name: 'Open Rainbow' })

test('shows a QR code for the wallet; approval closes the dialog', async () => {
  const { kit, relay, dialog } = await pick('Rainbow')
  await screen.findByRole('heading', { name: 'Scan with Rainbow' })
  expect((await code()).getAttribute('aria-label')).toBe('QR code to connect Rainbow')
  expect(announced()).toBe('Scan with Rainbow Open Rainbow on your phone and point its scanner at this code.')
  relay.approve({ provider: createScriptedWallet().provider, accounts: [address], chainId: 56 })
  await waitFor(() => expect(kit.getState()).toMatchObject({ status: 'connected', address }))
  await waitFor(() => expect(dialog.isConnected).toBe(false))
})

test('keeps the place of the QR code until there is a URI; Copy Link is disabled', async () => {
  await pick('WalletConnect', { uris: [] })
  await screen.findByRole('heading', { name: 'Scan with your phone' })
  expect(screen.queryByRole('img', { name: /^QR code/ })).toBeNull()
  expect(screen.getByRole('button', { name: 'Copy Link' })).toHaveProperty('disabled', true)
  expect(screen.getByRole('dialog').textContent).toContain('Preparing the code…')
})

test('behavior: declined: a new QR code and a message', async () => {
  const { relay, dialog } = await pick('Rainbow')
  const first = (await code()).innerHTML
  relay.decline()
  await waitFor(async () => expect((await code()).innerHTML).not.toBe(first))
  expect(dialog.textContent).toContain('The request was declined. Here is a new code.')
})

test('behavior: closed: the attempt is aborted', async () => {
  const { relay, user } = await pick('Rainbow')
  await code()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(relay.cancelled()).toBe(1))
})

test('behavior: the relay does not know the project id: its reason, and Retry', async () => {
  const error = new ConfigurationError('The relay does not know this projectId.', { details: 'Project not found' })
  const { dialog } = await pick('Rainbow', { error })
  await screen.findByRole('heading', { name: 'Could not connect to Rainbow' })
  expect(screen.getByText('This page is not set up for Rainbow. Choose another wallet.')).toBeTruthy()
  expect(screen.getByText('Project not found')).toBeTruthy()
  expect(within(dialog).getByRole('button', { name: 'Retry' })).toBeTruthy()
})

test('behavior: relay unreachable: Retry and the other ways', async () => {
  const { dialog } = await pick('Rainbow', { error: new RelayUnreachableError('The relay cannot be reached.') })
  await screen.findByRole('heading', { name: 'Could not connect to Rainbow' })
  expect(dialog.textContent).toContain('relay unreachable')
  expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy()
  expect(within(dialog).getByRole('button', { name: 'WalletConnect' })).toHaveProperty('disabled', false)
})

test.each<[string, ScriptedRelayOptions]>([
  ['gives nothing', { uris: [] }],
  ['is unreachable', { error: new RelayUnreachableError('The relay cannot be reached.') }],
])('behavior: the relay %s: an extension connects all the same', async (_, options) => {
  const { dialog, kit, user } = await pick('Rainbow', options)
  await user.click(within(dialog).getByRole('button', { name: 'MetaMask' }))
  await waitFor(() => expect(kit.getState()).toMatchObject({ status: 'connected', walletId: 'metaMask' }))
  await waitFor(() => expect(dialog.isConnected).toBe(false))
})

test('copies the URI; shows a failure to copy', async () => {
  const { user, dialog } = await pick('Rainbow')
  await code()
  await user.click(screen.getByRole('button', { name: 'Copy Link' }))
  await screen.findByRole('button', { name: 'Copied' })
  expect(await navigator.clipboard.readText()).toBe(uris[0])
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('Not allowed'))
  await user.click(screen.getByRole('button', { name: 'Copied' }))
  await waitFor(() => expect(dialog.textContent).toContain('Could not copy. Scan the code instead.'))
})

test('on a phone: a link instead of a QR code; the tap stores the app', async () => {
  setDevice(iPhone)
  const { user } = await pick('Rainbow')
  const anchor = await link()
  expect(anchor.getAttribute('href')).toBe(`rainbow://wc?uri=${encodeURIComponent(uris[0] ?? '')}`)
  expect(anchor.hasAttribute('target')).toBe(false)
  expect(screen.queryByRole('img', { name: /^QR code/ })).toBeNull()
  expect(localStorage.getItem('WALLETCONNECT_DEEPLINK_CHOICE')).toBeNull()
  anchor.addEventListener('click', (event) => event.preventDefault())
  await user.click(anchor)
  expect(JSON.parse(localStorage.getItem('WALLETCONNECT_DEEPLINK_CHOICE') ?? '')).toEqual({
    href: 'rainbow://wc',
    name: 'Rainbow',
  })
  await screen.findByText('Rainbow did not open?')
  expect(screen.getByRole('link', { name: /App Store/ })).toBeTruthy()
})

test('on a phone: the tap on the row opens the app while it counts as a gesture', async () => {
  setDevice(iPhone)
  Object.defineProperty(navigator, 'userActivation', { configurable: true, value: { isActive: true } })
  const followed: string[] = []
  const follow = (event: Event) => {
    const anchor = (event.target as Element).closest('a')
    if (anchor) followed.push(anchor.href)
    if (anchor) event.preventDefault()
  }
  document.addEventListener('click', follow)
  const { relay } = await pick('Rainbow')
  await waitFor(() => expect(followed).toEqual([`rainbow://wc?uri=${encodeURIComponent(uris[0] ?? '')}`]))
  relay.decline()
  await waitFor(async () => expect((await link()).getAttribute('href')).toContain('second'))
  expect(followed).toHaveLength(1)
  document.removeEventListener('click', follow)
})

test('on Android: a wallet without a link gets the URI itself', async () => {
  setDevice('Mozilla/5.0 (Linux; Android 15) Mobile')
  await pick('Rainbow')
  expect((await link()).getAttribute('href')).toBe(uris[0])
})

describe('on a phone, WalletConnect leads to a choice of apps', () => {
  const telegram = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130 Mobile Telegram-Android/11.0'
  const android = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130 Mobile Safari/537.36'
  const acme = {
    id: 'acme',
    name: 'Acme',
    iconUrl: '',
    iconBackground: '#fff',
    relayLinks: { ios: 'acme://wc?uri={uri}' },
  }

  async function choose(userAgent: string, apps: () => Promise<readonly WalletApp[]> = async () => [acme]) {
    setDevice(userAgent)
    Object.defineProperty(navigator, 'userActivation', { configurable: true, value: { isActive: true } })
    const { connector } = createScriptedRelay({ uris })
    const definitions = [rainbowWallet, trustWallet, metaMaskWallet, { ...walletConnectWallet, apps }]
    const wallets = definitions.map((wallet) => ({ ...wallet, connectors: [connector] }))
    const page = renderPage(createScriptedKit({ wallets: [{ groupName: 'Popular', wallets }] }))
    await page.user.click(screen.getAllByRole('button')[0] as HTMLElement)
    const dialog = await screen.findByRole('dialog')
    await page.user.click(within(dialog).getByRole('button', { name: 'WalletConnect' }))
    await within(dialog).findByText('Choose the wallet to connect.', { selector: 'p' })
    return { ...page, dialog, links: () => within(dialog).queryAllByRole('link') }
  }

  test('behavior: the apps of the list and those that it loads; none opens by itself', async () => {
    const page = await choose(iPhone)
    await waitFor(() => expect(page.links().map(({ textContent }) => textContent)).toContain('Acme'))
    const uri = encodeURIComponent(uris[0] ?? '')
    expect(page.links().map((it) => [it.textContent, it.getAttribute('href')])).toEqual([
      ['Rainbow', `rainbow://wc?uri=${uri}`],
      ['Trust', `trust://wc?uri=${uri}`],
      ['MetaMask', `https://link.metamask.io/wc?uri=${uri}`],
      ['Acme', `acme://wc?uri=${uri}`],
      ['Open WalletConnect', uris[0]],
    ])
    expect(localStorage.getItem('WALLETCONNECT_DEEPLINK_CHOICE')).toBeNull()
    const [first] = page.links()
    first?.addEventListener('click', (event) => event.preventDefault())
    await page.user.click(first as HTMLElement)
    const stored = JSON.parse(localStorage.getItem('WALLETCONNECT_DEEPLINK_CHOICE') ?? '{}')
    expect(stored).toEqual({ href: 'rainbow://wc', name: 'Rainbow' })
  })

  test('behavior: in Telegram only apps with a web address, and the link to copy', async () => {
    const page = await choose(telegram)
    expect(page.links().map(({ textContent }) => textContent)).toEqual(['Rainbow', 'Trust', 'MetaMask'])
    expect(screen.getByRole('button', { name: 'Copy Link' })).toBeTruthy()
  })

  test('behavior: in zh-CN with Chinese names, each app once', async () => {
    setDevice(iPhone)
    const { connector } = createScriptedRelay({ uris })
    const apps = async () => [{ ...acme, name: 'Binance Wallet' }, acme]
    const definitions = [binanceWallet, { ...walletConnectWallet, apps }]
    const wallets = definitions.map((wallet) => ({ ...wallet, connectors: [connector] }))
    const page = renderPage(createScriptedKit({ wallets: [{ groupName: 'Popular', wallets }] }), { locale: 'zh-CN' })
    await page.user.click(screen.getAllByRole('button')[0] as HTMLElement)
    const dialog = await screen.findByRole('dialog')
    await page.user.click(within(dialog).getByRole('button', { name: 'WalletConnect' }))
    await screen.findByRole('link', { name: 'Acme' })
    expect(screen.queryByRole('link', { name: 'Binance Wallet' })).toBeNull()
    const app = screen.getByRole('link', { name: '币安钱包' })
    app.addEventListener('click', (event) => event.preventDefault())
    await page.user.click(app)
    // Sign-in finds the app by this name in every language.
    const stored = JSON.parse(localStorage.getItem('WALLETCONNECT_DEEPLINK_CHOICE') ?? '{}')
    expect(stored.name).toBe('Binance Wallet')
  })

  test('error: the list of apps does not load: those of the list stay', async () => {
    const page = await choose(android, () => Promise.reject(new Error('There was an error with the request.')))
    expect(page.links().map(({ textContent }) => textContent)).toEqual([
      ...['Rainbow', 'Trust', 'MetaMask', 'Open WalletConnect'],
    ])
  })

  test('behavior: many apps can be searched', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ ...acme, id: `acme${index}`, name: `Acme ${index}` }))
    const page = await choose(iPhone, async () => many)
    await page.user.type(await screen.findByRole('searchbox'), 'acme 17')
    expect(page.links().map(({ textContent }) => textContent)).toEqual(['Acme 17', 'Open WalletConnect'])
  })
})

test('zh-CN', async () => {
  const { dialog } = await pick('Rainbow', { uris }, 'zh-CN')
  await screen.findByRole('img', { name: '连接 Rainbow 的二维码' })
  expect(within(dialog).getByRole('heading', { name: '用 Rainbow 扫码' })).toBeTruthy()
})
