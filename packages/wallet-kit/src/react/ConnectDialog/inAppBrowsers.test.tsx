import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { injectedConnector } from '../../core/wallets/injected.ts'
import type { ConnectorFactory } from '../../core/wallets/wallet.ts'
import { createScriptedKit, type ScriptedKitOptions } from '../../testing/createScriptedKit.ts'
import { createScriptedWallet } from '../../testing/createScriptedWallet.ts'
import { createScriptedRelay } from '../../testing/scriptedConnectors.ts'
import {
  binanceWallet,
  imTokenWallet,
  metaMaskWallet,
  rabbyWallet,
  rainbowWallet,
  tokenPocketWallet,
  trustWallet,
  walletConnectWallet,
} from '../../wallets/table.ts'
import { renderPage } from '../testing/renderPage.tsx'

const page = window as unknown as Record<string, unknown>
const android = 'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 Version/4.0 Chrome/131.0.0.0 Mobile'
const wallets = [
  { groupName: 'Popular', wallets: [metaMaskWallet, rainbowWallet, trustWallet, tokenPocketWallet, imTokenWallet] },
]

afterEach(() => {
  for (const name of ['ethereum', 'binancew3w', 'isBinance', 'Telegram', 'TelegramWebviewProxy']) delete page[name]
  for (const name of ['userAgent', 'clipboard']) Reflect.deleteProperty(navigator, name)
})

async function openDialog(userAgent: string, options: Partial<ScriptedKitOptions> = {}) {
  Object.defineProperty(navigator, 'userAgent', { configurable: true, value: userAgent })
  const view = renderPage(createScriptedKit({ wallets, ...options }))
  await view.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  const dialog = await screen.findByRole('dialog', { name: 'Connect a Wallet' })
  return { ...view, dialog, row: (name: string) => within(dialog).getByRole('button', { name }) }
}

/** Opens the step of a wallet that is not installed. */
const getWallet = async (view: Awaited<ReturnType<typeof openDialog>>, name: string) => {
  await view.user.click(view.row('Get a Wallet'))
  await view.user.click(await screen.findByRole('button', { name: `Get ${name}` }))
}

describe.each([
  ['WeChat', 'MicroMessenger/8.0.34.2340(0x2800225B) NetType/WIFI Language/zh_CN'],
  ['QQ', 'V1_AND_SQ_9.1.30_8544_YYB_D QQ/9.1.30.23870 NetType/WIFI'],
])('%s on a phone', (app, mark) => {
  test('explains how to open a browser, and copies the page’s link', async () => {
    const view = await openDialog(`${android} ${mark}`)
    expect(view.dialog.textContent).toContain(`${app} cannot open wallets from this page`)
    await view.user.click(view.row('Copy Page Link'))
    expect(await navigator.clipboard.readText()).toBe(window.location.href)
    expect(view.row('Copied')).toBeTruthy()
  })

  test('behavior: copying fails: the link is shown', async () => {
    const view = await openDialog(`${android} ${mark}`)
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
    fireEvent.click(view.row('Copy Page Link'))
    expect((await screen.findByRole('alert')).textContent).toContain('Could not copy')
    expect(within(view.dialog).getByText(window.location.href)).toBeTruthy()
  })

  test('no link to an app, whichever wallet is picked', async () => {
    const view = await openDialog(`${android} ${mark}`, { projectId: 'p' })
    await getWallet(view, 'MetaMask')
    await screen.findByRole('heading', { name: 'Get MetaMask' })
    expect(view.dialog.textContent).toContain(`${app} cannot open wallets`)
    expect(screen.queryByRole('link', { name: /Open this page/ })).toBeNull()
    for (const link of within(view.dialog).getAllByRole('link')) expect(link.getAttribute('href')).toMatch(/^https:/)
  })

  test('starts no pairing, whether the person picks a wallet or the app connects one', async () => {
    const connect = vi.fn(() => new Promise<never>(() => {}))
    const connector: ConnectorFactory = () => ({ kind: 'walletConnect', isReady: () => true, connect })
    const relayed = [metaMaskWallet, rainbowWallet].map((wallet) => ({ ...wallet, connectors: [connector] }))
    const view = await openDialog(`${android} ${mark}`, { wallets: [{ groupName: 'Popular', wallets: relayed }] })
    await view.user.click(view.row('Rainbow'))
    await screen.findByRole('heading', { name: 'Get Rainbow' })
    expect(view.dialog.textContent).toContain(`${app} cannot open wallets`)
    await expect(view.kit.connect({ walletId: 'metaMask' })).rejects.toMatchObject({ name: 'WalletNotAvailableError' })
    expect(connect).not.toHaveBeenCalled()
  })

  test('an injected wallet is asked as usual', async () => {
    const view = await openDialog(`${android} ${mark}`, { installed: { 'io.metamask': {} } })
    expect(view.dialog.textContent).not.toContain('cannot open wallets')
    await view.user.click(view.row('MetaMask'))
    await expect.poll(() => view.kit.getState().status).toBe('connected')
  })
})

test('WeChat on a computer: no restriction', async () => {
  const view = await openDialog(
    'Mozilla/5.0 (Windows NT 10.0) Chrome/126.0.0.0 Safari/537.36 MicroMessenger/7.0.20.1781',
  )
  expect(view.dialog.textContent).not.toContain('cannot open wallets')
})

describe('Telegram', () => {
  const openLink = vi.fn()
  const inTelegram = () => {
    openLink.mockClear()
    page.TelegramWebviewProxy = {}
    page.Telegram = { WebApp: { openLink } }
  }

  test('links use Telegram’s opener', async () => {
    inTelegram()
    const view = await openDialog(android)
    await getWallet(view, 'MetaMask')
    const link = await screen.findByRole('link', { name: 'Open this page in MetaMask' })
    expect(fireEvent.click(link)).toBe(false)
    expect(openLink).toHaveBeenCalledExactlyOnceWith(link.getAttribute('href'))
  })

  test('links with an app scheme are hidden', async () => {
    inTelegram()
    const view = await openDialog(android, { wallets: [{ groupName: 'Popular', wallets: [tokenPocketWallet] }] })
    await getWallet(view, 'TokenPocket')
    await screen.findByRole('link', { name: /Google Play/ })
    expect(screen.queryByRole('link', { name: /Open this page/ })).toBeNull()
  })
})

describe('Binance on Android, whose browser has no relay', () => {
  const extension = { ...rabbyWallet, connectors: [injectedConnector()] }
  const wallets = [
    { groupName: 'Popular', wallets: [binanceWallet, metaMaskWallet, rainbowWallet, walletConnectWallet, extension] },
  ]
  const names = (dialog: HTMLElement) =>
    within(dialog)
      .getAllByRole('list')
      .flatMap((list) =>
        within(list)
          .getAllByRole('button')
          .map(({ textContent }) => textContent),
      )

  test('hides relay wallets; its own wallet connects in one tap', async () => {
    const own = createScriptedWallet()
    page.binancew3w = { ethereum: own.provider }
    const view = await openDialog(`${android} BMP/2.99.4 BNC/2.99.4`, { wallets, projectId: 'p' })
    expect(names(view.dialog)).toEqual(['Binance', 'Rabby'])
    await view.user.click(view.row('Binance'))
    await expect.poll(() => view.kit.provider).toBe(own.provider)
  })

  test('shows a relay wallet that is injected', async () => {
    page.isBinance = true
    const view = await openDialog(android, { wallets, projectId: 'p', installed: { 'me.rainbow': {} } })
    expect(names(view.dialog)).toEqual(['Rainbow', 'Rabby'])
  })

  test('on an iPhone relay wallets are shown', async () => {
    const view = await openDialog('Mozilla/5.0 (iPhone) Mobile/15E148 BNC/2.99.4', { wallets, projectId: 'p' })
    expect(names(view.dialog)).toHaveLength(5)
  })
})

describe('a pairing in Telegram', () => {
  const uris = ['wc:a@2?symKey=b']
  const pick = async (wallet: typeof rainbowWallet | typeof tokenPocketWallet) => {
    const openLink = vi.fn()
    page.TelegramWebviewProxy = {}
    page.Telegram = { WebApp: { openLink } }
    const { connector } = createScriptedRelay({ uris })
    const wallets = [{ groupName: 'Popular', wallets: [{ ...wallet, connectors: [connector] }] }]
    const view = await openDialog('Mozilla/5.0 (iPhone) Mobile/15E148', { wallets })
    await view.user.click(view.row(wallet.name))
    return { ...view, openLink }
  }

  test('opens the wallet by a web address, through Telegram’s opener', async () => {
    const { openLink } = await pick(rainbowWallet)
    const link = await screen.findByRole('link', { name: 'Open Rainbow' })
    expect(fireEvent.click(link)).toBe(false)
    expect(openLink).toHaveBeenCalledExactlyOnceWith('https://rnbwapp.com/wc?uri=wc%3Aa%402%3FsymKey%3Db')
  })

  test('behavior: a wallet without a web address: no dead link, the pairing can be copied', async () => {
    const { user, dialog } = await pick(tokenPocketWallet)
    await screen.findByRole('heading', { name: 'TokenPocket cannot be opened from here' })
    expect(within(dialog).queryByRole('link', { name: 'Open TokenPocket' })).toBeNull()
    await user.click(within(dialog).getByRole('button', { name: 'Copy Link' }))
    expect(await navigator.clipboard.readText()).toBe(uris[0])
    for (const link of within(dialog).getAllByRole('link')) expect(link.getAttribute('href')).toMatch(/^https:/)
  })
})

test.each([
  ['TokenPocket', { isMetaMask: true, isTokenPocket: true }, 'TokenPocket_Android'],
  ['Trust', { isMetaMask: true, isTrust: true }, 'Trust/2025.10'],
  ['imToken', { isMetaMask: true, isImToken: true }, 'imToken/2.17.1'],
])('in the browser of %s that wallet stands first, and one tap connects it', async (name, flags, mark) => {
  const own = createScriptedWallet({ flags })
  page.ethereum = own.provider
  const view = await openDialog(`${android} ${mark}`)
  const [first] = within(view.dialog).getAllByRole('list')
  const [row] = within(first as HTMLElement).getAllByRole('button')
  expect(row).toBe(view.row(name))
  await view.user.click(row as HTMLElement)
  await expect.poll(() => view.kit.getState().status).toBe('connected')
  expect(view.kit.provider).toBe(own.provider)
})

describe('a page in a frame on a phone', () => {
  const framed = (isFramed: boolean) => {
    Object.defineProperty(window, 'parent', { configurable: true, value: isFramed ? {} : window })
    onTestFinished(() => void Object.defineProperty(window, 'parent', { configurable: true, value: window }))
  }
  const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1'

  test.each([
    ['by its web address', true, trustWallet, iPhone, /^https:\/\/link\.trustwallet\.com/, '_blank'],
    ['by its web address on Android', true, trustWallet, android, /^https:\/\/link\.trustwallet\.com/, '_blank'],
    ['by its scheme, not in the frame', true, imTokenWallet, iPhone, /^imtokenv2:/, '_blank'],
    ['by the pairing itself, not in the frame', true, rainbowWallet, android, /^https:\/\/rnbwapp\.com/, '_blank'],
    ['without a frame by its scheme', false, trustWallet, iPhone, /^trust:/, null],
  ] as const)('opens the wallet %s', async (_, isFramed, definition, userAgent, href, target) => {
    framed(isFramed)
    const connector = createScriptedRelay({ uris: ['wc:1@2'] }).connector
    const wallet = { ...definition, connectors: [connector] }
    const view = await openDialog(userAgent, { wallets: [{ groupName: 'Popular', wallets: [wallet] }] })
    await view.user.click(view.row(wallet.shortName ?? wallet.name))
    const link = await screen.findByRole('link', { name: /^Open / })
    expect(link.getAttribute('href')).toMatch(href)
    expect(link.getAttribute('target')).toBe(target)

    // The relay client opens the stored link for each request, in a frame in place of the page around it.
    fireEvent.click(link)
    const stored = JSON.parse(localStorage.getItem('WALLETCONNECT_DEEPLINK_CHOICE') ?? '{}')
    expect(stored).toEqual({ name: wallet.name, ...(!isFramed && { href: expect.stringMatching(href) }) })
  })
})

test.each([
  ['Facebook', 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 [FBAN/FBIOS;FBAV/480.0]'],
  ['Instagram', `${android} Instagram 350.0 Android`],
  ['LINE', 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 Safari Line/14.16.0'],
  ['any app', `${android} AnyApp/1.0`],
])('in the browser of %s no link has a scheme that it may not know', async (_, userAgent) => {
  const { connector } = createScriptedRelay({ uris: ['wc:1@2', 'wc:2@2'] })
  const popular = [trustWallet, imTokenWallet].map((wallet) => ({ ...wallet, connectors: [connector] }))
  const { user, row, dialog, kit } = await openDialog(userAgent, {
    wallets: [{ groupName: 'Popular', wallets: popular }],
  })
  await user.click(row('Trust'))
  const link = await screen.findByRole('link', { name: 'Open Trust' })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([
    expect.stringMatching(/^https:\/\/link\.trustwallet\.com/),
    '_blank',
  ])
  kit.dispatch({ type: 'pick', walletId: 'imToken' })
  await screen.findByRole('heading', { name: 'imToken cannot be opened from here' })
  for (const one of within(dialog).queryAllByRole('link')) expect(one.getAttribute('href')).toMatch(/^https:/)
})
