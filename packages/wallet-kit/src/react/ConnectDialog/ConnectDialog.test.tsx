import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { announceWallet } from '../../testing/announceWallet.ts'
import { createScriptedKit, type ScriptedKitOptions } from '../../testing/createScriptedKit.ts'
import { createScriptedWallet } from '../../testing/createScriptedWallet.ts'
import * as table from '../../wallets/table.ts'
import {
  binanceWallet,
  bitgetWallet,
  coinbaseWallet,
  metaMaskWallet,
  okxWallet,
  rabbyWallet,
  rainbowWallet,
  tokenPocketWallet,
  trustWallet,
  walletConnectWallet,
} from '../../wallets/table.ts'
import { announced, renderPage } from '../testing/renderPage.tsx'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const wallets = [
  { groupName: 'Popular', wallets: [metaMaskWallet, rabbyWallet, rainbowWallet, coinbaseWallet, walletConnectWallet] },
  { groupName: 'More', wallets: [okxWallet, trustWallet] },
]

async function openDialog(options: Partial<ScriptedKitOptions> = {}) {
  const page = renderPage(createScriptedKit({ wallets, installed: { 'io.metamask': {} }, ...options }))
  const button = screen.getByRole('button', { name: 'Connect Wallet' })
  await page.user.click(button)
  const dialog = await screen.findByRole('dialog', { name: 'Connect a Wallet' })
  return { ...page, button, dialog, row: (name: string) => within(dialog).getByRole('button', { name }) }
}

const asked = (page: Awaited<ReturnType<typeof openDialog>>) =>
  page.installed['io.metamask']?.requests.filter(({ method }) => method === 'eth_requestAccounts').length

const heading = (name: string | RegExp) => screen.findByRole('heading', { name })

test('a click on an installed wallet connects, closes the dialog and returns the focus', async () => {
  const page = await openDialog()
  await page.user.click(page.row('MetaMask'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(page.kit.getState()).toMatchObject({ status: 'connected', address })
  await waitFor(() => expect(document.activeElement).toBe(page.button))
  expect(page.button.textContent).toContain('0xd8…6045')
})

test('every button has tabindex 0, without which Safari does not focus a clicked button', async () => {
  const { dialog } = await openDialog()
  const buttons = [...dialog.querySelectorAll('button')]
  expect(buttons.length).toBeGreaterThan(7)
  expect(buttons.filter((it) => it.getAttribute('tabindex') !== '0').map((it) => it.outerHTML)).toEqual([])
})

test('no element has a class name that a style sheet of the page may use', async () => {
  const { dialog } = await openDialog()
  const names = [...dialog.querySelectorAll('[class]')].flatMap((element) => [...element.classList])
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !/^wk-/.test(name))).toEqual([])
})

test('behavior: a wallet answers at once: the dialog fades out unchanged', async () => {
  const page = await openDialog()
  await page.user.click(page.row('MetaMask'))
  await waitFor(() => expect(page.kit.getState().status).toBe('connected'))
  expect(page.dialog.textContent).not.toContain('Recent')

  // All code for a connection is loaded now.
  await page.kit.disconnect()
  await page.user.click(await screen.findByRole('button', { name: 'Connect Wallet' }))
  const dialog = await screen.findByRole('dialog', { name: 'Connect a Wallet' })
  const texts: (string | null)[] = []
  const observer = new MutationObserver(() => texts.push(dialog.textContent))
  observer.observe(dialog.querySelector('.wk-paper') as Element, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  })
  // A click outside act(), so that React defers its work like in a browser.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  within(dialog).getByRole('button', { name: 'MetaMask' }).click()
  await waitFor(() => expect(page.kit.getState().status).toBe('connected'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  observer.disconnect()
  expect(texts).toEqual([])
})

test('behavior: user rejected request, then retries', async () => {
  const page = await openDialog({ installed: { 'io.metamask': { behaviours: { eth_requestAccounts: 'reject' } } } })
  await page.user.click(page.row('MetaMask'))
  await heading('Not connected')
  page.installed['io.metamask']?.setBehaviour('eth_requestAccounts', undefined)
  await page.user.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(page.kit.getState().status).toBe('connected'))
})

test('behavior: the app asks another wallet meanwhile, then the person retries', async () => {
  const hang = { behaviours: { eth_requestAccounts: 'hang' } } as const
  const page = await openDialog({ installed: { 'io.metamask': hang, 'io.rabby': hang } })
  await page.user.click(page.row('MetaMask'))
  await heading('Opening MetaMask…')
  expect(page.row('MetaMask').getAttribute('aria-current')).toBe('true')
  page.kit.connect({ walletId: 'rabby' }).catch(() => {})
  await heading('Not connected')
  expect(page.dialog.textContent).toContain('Request cancelled.')
  page.installed['io.metamask']?.setBehaviour('eth_requestAccounts', undefined)
  await page.user.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(page.kit.getState()).toMatchObject({ status: 'connected', walletId: 'metaMask' }))
})

test('behavior: the wallet refuses again at once: its refusal is announced again', async () => {
  const page = await openDialog({ installed: { 'io.metamask': { behaviours: { eth_requestAccounts: 'reject' } } } })
  await page.user.click(page.row('MetaMask'))
  const retry = await screen.findByRole('button', { name: 'Retry' })
  const added: (string | null)[] = []
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) added.push(node.textContent)
  })
  observer.observe(page.dialog.querySelector('[aria-live="polite"]') as Element, { childList: true })
  await page.user.click(retry)
  await waitFor(() => expect(asked(page)).toBe(2))
  await waitFor(() => expect(added.at(-1)).toMatch(/^Not connected/))
  observer.disconnect()
})

test('behavior: Retry asks again, goes away, and leaves the focus in the dialog', async () => {
  const page = await openDialog({ installed: { 'io.metamask': { behaviours: { eth_requestAccounts: 'reject' } } } })
  await page.user.click(page.row('MetaMask'))
  const retry = await screen.findByRole('button', { name: 'Retry' })
  page.installed['io.metamask']?.setBehaviour('eth_requestAccounts', 'hang')
  await page.user.click(retry)
  await waitFor(() => expect(retry.isConnected).toBe(false))
  await waitFor(() => expect(page.dialog.contains(document.activeElement)).toBe(true))
})

test('behavior: wallet failed: its error is shown, and Retry', async () => {
  const error = new Error('Keyring is corrupted')
  const page = await openDialog({ installed: { 'io.metamask': { behaviours: { eth_requestAccounts: { error } } } } })
  await page.user.click(page.row('MetaMask'))
  await heading('Could not connect to MetaMask')
  expect(page.dialog.textContent).toContain('The wallet said: “Keyring is corrupted”')
  expect(announced()).toContain('Could not connect to MetaMask')
  await page.user.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(asked(page)).toBe(2))
})

test('behavior: a locked wallet shares no account', async () => {
  const page = await openDialog({
    installed: { 'io.metamask': { behaviours: { eth_requestAccounts: { result: [] } } } },
  })
  await page.user.click(page.row('MetaMask'))
  await heading('Could not connect to MetaMask')
  expect(page.dialog.textContent).toContain('Unlock it, choose an account')
})

test('behavior: a request is open already: continues when the wallet answers', async () => {
  const page = await openDialog({
    installed: { 'io.metamask': { behaviours: { eth_requestAccounts: 'alreadyOpen' } } },
  })
  await page.user.click(page.row('MetaMask'))
  await heading('MetaMask is waiting for you')
  page.installed['io.metamask']?.approve()
  await waitFor(() => expect(page.kit.getState().status).toBe('connected'))
})

test('closing while connecting cancels the attempt; a late approval changes nothing', async () => {
  const page = await openDialog({ installed: { 'io.metamask': { behaviours: { eth_requestAccounts: 'wait' } } } })
  await page.user.click(page.row('MetaMask'))
  await heading('Opening MetaMask…')
  await page.user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  page.installed['io.metamask']?.release()
  await page.user.click(page.button)
  await screen.findByRole('dialog')
  expect(page.kit.getState().status).toBe('disconnected')
})

test('accessibility: no live region is empty, because screen readers stop at it', async () => {
  const page = await openDialog()
  const regions = [...page.dialog.querySelectorAll('[aria-live="polite"], [role="status"]')]
  expect(regions.filter((it) => it.children.length === 0).map((it) => it.outerHTML)).toEqual([])
  expect(regions).toHaveLength(1)
})

test('says that a name and an icon prove nothing, before a wallet is picked', async () => {
  const page = await openDialog()
  expect(page.dialog.textContent).toContain('Anyone can copy the name and icon of a wallet.')
})

test('picking another wallet while one is pending shows only the new one', async () => {
  const page = await openDialog({
    installed: {
      'io.metamask': { behaviours: { eth_requestAccounts: 'wait' } },
      'io.rabby': { behaviours: { eth_requestAccounts: 'hang' } },
    },
  })
  await page.user.click(page.row('MetaMask'))
  await page.user.click(page.row('Rabby'))
  await heading('Opening Rabby…')
  page.installed['io.metamask']?.release()
  await page.user.click(screen.getByRole('button', { name: 'Back' }))
  await heading('What is a Wallet?')
  expect(page.kit.getState().status).toBe('disconnected')
})

test('keyboard: one Tab leads from the row of the wallet that was picked into its step', async () => {
  const page = await openDialog({ installed: { 'io.metamask': { behaviours: { eth_requestAccounts: 'reject' } } } })
  page.row('MetaMask').focus()
  await page.user.keyboard('{Enter}')
  await heading('Not connected')
  expect(document.activeElement).toBe(page.row('MetaMask'))
  await page.user.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Retry' }))
  // Backwards lead all the stops between them.
  await page.user.tab({ shift: true })
  expect(document.activeElement).toBe(within(page.dialog).getByRole('button', { name: 'Close' }))
  await page.user.tab({ shift: true })
  await page.user.tab({ shift: true })
  expect(document.activeElement).toBe(page.row('Trust Wallet'))

  await page.user.click(page.row('Trust Wallet'))
  await heading('Get Trust Wallet')
  await page.user.tab()
  expect(document.activeElement?.closest('.wk-step-body')).toBeTruthy()
})

test('keyboard: Tab leads to the next row before a wallet is picked, and while it is asked', async () => {
  const page = await openDialog({ installed: { 'io.metamask': { behaviours: { eth_requestAccounts: 'hang' } } } })
  page.row('MetaMask').focus()
  await page.user.tab()
  const next = document.activeElement
  expect(next?.closest('li')?.previousElementSibling ?? next?.closest('[role=group]')).toBeTruthy()
  page.row('MetaMask').focus()
  await page.user.keyboard('{Enter}')
  await heading('Opening MetaMask…')
  await page.user.tab()
  expect(document.activeElement).toBe(next)
})

test('arrow keys move between enabled rows, Enter picks', async () => {
  const page = await openDialog()
  page.row('MetaMask').focus()
  await page.user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(page.row('Rabby'))
  await page.user.keyboard('{End}')
  expect(document.activeElement).toBe(page.row('Trust Wallet'))
  await page.user.keyboard('{Home}{Enter}')
  await waitFor(() => expect(page.kit.getState().status).toBe('connected'))
})

test('Tab stays in the dialog and reaches every row', async () => {
  const page = await openDialog()
  const reached = new Set<Element | null>()
  for (let press = 0; press < 12; press++) {
    await page.user.tab()
    reached.add(document.activeElement)
    expect(page.dialog.contains(document.activeElement)).toBe(true)
  }
  for (const name of ['MetaMask', 'Rabby', 'Rainbow', 'Coinbase Wallet']) expect(reached).toContain(page.row(name))
})

test('a wallet without downloads is marked unsupported and disabled', async () => {
  const page = await openDialog()
  const row = page.row('WalletConnect')
  expect(row).toHaveProperty('disabled', true)
  expect(row.textContent).toContain('(unsupported)')
})

test('a wallet that is not installed leads to its download for this browser', async () => {
  const page = await openDialog()
  await page.user.click(page.row('Rainbow'))
  const link = await screen.findByRole('link', { name: /Rainbow for/ })
  expect(link.getAttribute('href')).toMatch(/^https:\/\//)
  expect(link.getAttribute('rel')).toContain('noreferrer')
  await page.user.click(screen.getByRole('button', { name: /Rainbow for mobile/ }))
  expect((await screen.findByRole('link', { name: /App Store/ })).getAttribute('href')).toContain('apps.apple.com')
})

test('"Get a Wallet" suggests at most three with a mobile app, and Back returns to where it was opened', async () => {
  const page = await openDialog()
  await page.user.click(await screen.findByRole('button', { name: 'Get a Wallet' }))
  await heading('Get a Wallet')
  expect(within(page.dialog).getAllByRole('button', { name: /^Get / })).toHaveLength(3)
  await page.user.click(screen.getByRole('button', { name: 'Get Rainbow' }))
  await heading('Get Rainbow')
  await page.user.click(screen.getByRole('button', { name: 'Back' }))
  await heading('Get a Wallet')
})

test('two providers with one rdns are both listed as unverified, with a warning', async () => {
  const page = await openDialog()
  const uninstall = announceWallet({
    info: { name: 'MetaMask', rdns: 'io.metamask' },
    provider: createScriptedWallet().provider,
  })
  await waitFor(() => expect(within(page.dialog).getAllByText('Unverified')).toHaveLength(2))
  expect(page.dialog.textContent).toContain('may use the name and icon of this wallet')
  uninstall()
})

test('more than eight wallets can be searched', async () => {
  const many = Array.from({ length: 9 }, (_, index) => ({ ...rainbowWallet, id: `w${index}`, name: `Wallet ${index}` }))
  const page = await openDialog({ wallets: [{ groupName: 'Popular', wallets: many }], installed: {} })
  await page.user.type(screen.getByRole('searchbox', { name: 'Search wallets' }), 'llet 7')
  expect(within(page.dialog).getAllByRole('button', { name: /^Wallet/ })).toHaveLength(1)
  await page.user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(page.row('Wallet 7'))
  await page.user.type(screen.getByRole('searchbox'), 'xyz')
  const empty = within(page.dialog).getByText('No wallet found for “llet 7xyz”', { exact: false })
  expect(empty.closest('[aria-live="polite"]')).not.toBeNull()
})

afterEach(() => {
  Reflect.deleteProperty(navigator, 'userAgent')
})

test('on a phone: a missing wallet leads to its own browser and to the phone’s store', async () => {
  Object.defineProperty(navigator, 'userAgent', { configurable: true, value: 'Mozilla/5.0 (Linux; Android 15) Mobile' })
  const opens = { ...rainbowWallet, openInWallet: 'https://wallet.example/open?url={url}' }
  const page = await openDialog({ wallets: [{ groupName: 'Popular', wallets: [opens, metaMaskWallet] }] })
  await page.user.click(page.row('Rainbow'))
  const open = await screen.findByRole('link', { name: 'Open this page in Rainbow' })
  expect(open.getAttribute('href')).toBe(`https://wallet.example/open?url=${encodeURIComponent(window.location.href)}`)
  expect(screen.getByRole('link', { name: /Google Play/ }).getAttribute('href')).toContain('play.google.com')
  expect(screen.queryByRole('link', { name: /App Store/ })).toBeNull()
})

describe('the sheet on a phone', () => {
  const openSheet = async () => {
    Object.defineProperty(navigator, 'userAgent', {
      configurable: true,
      value: 'Mozilla/5.0 (Linux; Android 15) Mobile',
    })
    const page = await openDialog()
    const pull = (element: HTMLElement, way: number[], end: 'pointerUp' | 'pointerCancel', pointerType = 'touch') => {
      const touch = { pointerType, isPrimary: true, bubbles: true }
      fireEvent.pointerDown(element, { ...touch, clientY: 500 })
      for (const y of way) fireEvent.pointerMove(element, { ...touch, clientY: 500 + y })
      fireEvent[end](element, { ...touch, clientY: 500 + (way.at(-1) ?? 0) })
    }
    const paper = page.dialog.querySelector<HTMLElement>('.wk-paper') as HTMLElement
    return { ...page, pull, paper, title: within(page.dialog).getByRole('heading', { name: 'Connect a Wallet' }) }
  }

  test('follows a finger pulling its header, and closes after a long pull', async () => {
    const { paper, title, pull, kit } = await openSheet()
    pull(title, [40, 200], 'pointerUp')
    expect(paper.style.translate).toBe('0px 200px')
    expect(kit.getState().dialog.name).toBe('none')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test.each([
    ['pulled up', [-200], 'pointerUp', 'touch'],
    ['touched and let go', [], 'pointerUp', 'touch'],
    ['taken by the system', [300], 'pointerCancel', 'touch'],
    ['dragged with a mouse', [300], 'pointerUp', 'mouse'],
  ] as const)('behavior: %s, it goes back to its place', async (_, way, end, pointerType) => {
    const { paper, title, pull, kit } = await openSheet()
    pull(title, [...way], end, pointerType)
    expect([paper.style.translate, kit.getState().dialog.name]).toEqual(['', 'connect'])
  })

  test('behavior: pulled by its list or by Close: stays open', async () => {
    const { dialog, paper, row, pull, kit } = await openSheet()
    for (const element of [row('MetaMask'), within(dialog).getByRole('button', { name: 'Close' })])
      pull(element, [300], 'pointerUp')
    expect([paper.style.translate, kit.getState().dialog.name]).toEqual(['', 'connect'])
  })
})

test('zh-CN: titles, groups and states', async () => {
  const page = renderPage(
    createScriptedKit({
      wallets,
      installed: { 'io.metamask': { behaviours: { eth_requestAccounts: 'reject' } } },
    }),
    { locale: 'zh-CN' },
  )
  await page.user.click(screen.getByRole('button', { name: '连接钱包' }))
  const dialog = await screen.findByRole('dialog', { name: '连接钱包' })
  expect(within(dialog).getByRole('heading', { name: '已安装' })).toBeTruthy()
  await page.user.click(within(dialog).getByRole('button', { name: 'MetaMask' }))
  await heading('未连接')
  expect(screen.getByRole('button', { name: '重试' })).toBeTruthy()
})

test.each([
  ['zh-CN', '币安钱包'],
  ['zh-TW', '幣安錢包'],
  ['zh-HK', '幣安錢包'],
])('behavior: in %s wallets have their Chinese names, and both names are found', async (locale, name) => {
  const groups = [{ groupName: 'Popular', wallets: Object.values(table) }]
  const page = renderPage(createScriptedKit({ wallets: groups, installed: { 'com.binance.wallet': {} } }), { locale })
  await page.user.click(screen.getByRole('button'))
  const dialog = await screen.findByRole('dialog')
  const field = within(dialog).getByRole('searchbox')
  for (const text of [name, 'Binance Wal']) {
    await page.user.clear(field)
    await page.user.type(field, text)
    const [rows] = within(dialog).getAllByRole('list')
    expect([...(rows?.children ?? [])].map((row) => row.textContent)).toEqual([name])
  }
  await page.user.click(within(dialog).getByRole('button', { name }))
  await waitFor(() => expect(page.kit.getState()).toMatchObject({ status: 'connected', walletId: 'binance' }))
})

test('an impostor with the Chinese name of a wallet is marked unverified', async () => {
  const installed = { 'example.evil': { name: binanceWallet.names?.['zh-CN'] ?? '' } }
  const page = await openDialog({ wallets: [{ groupName: 'Popular', wallets: [binanceWallet] }], installed })
  expect(page.dialog.textContent).toContain('Unverified')
})

test('the icon of a wallet loads once its row is in view, also from a URL', async () => {
  const shown: ((isIntersecting: boolean) => void)[] = []
  const observer = class {
    constructor(notify: (entries: { isIntersecting: boolean }[]) => void) {
      shown.push((isIntersecting) => notify([{ isIntersecting }]))
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', observer)
  onTestFinished(() => void vi.unstubAllGlobals())
  const iconUrl = vi.fn(async () => 'data:image/svg+xml,%3Csvg%3E%3C/svg%3E')
  const remote = {
    ...rainbowWallet,
    id: 'remote',
    name: 'Remote',
    rdns: [],
    iconUrl: 'https://icons.example/remote.png',
  }
  const page = await openDialog({
    wallets: [{ groupName: 'Popular', wallets: [{ ...rainbowWallet, iconUrl }, remote] }],
    installed: {},
  })
  const icons = () => ['Rainbow', 'Remote'].map((name) => page.row(name).querySelector('img')?.getAttribute('src'))
  for (const notify of shown) notify(false)
  expect(iconUrl).not.toHaveBeenCalled()
  expect(icons()).toEqual([undefined, undefined])
  for (const notify of shown) notify(true)
  await waitFor(() => expect(icons()).toEqual(['data:image/svg+xml,%3Csvg%3E%3C/svg%3E', remote.iconUrl]))
  expect(iconUrl).toHaveBeenCalledOnce()

  // Opened again, the dialog has it at once.
  await page.user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await page.user.click(page.button)
  const row = await screen.findByRole('button', { name: 'Rainbow' })
  expect(row.querySelector('img')?.getAttribute('src')).toBe('data:image/svg+xml,%3Csvg%3E%3C/svg%3E')
  expect(iconUrl).toHaveBeenCalledOnce()
})

test('an impostor is marked unverified in the list and while it is asked', async () => {
  const page = await openDialog({
    installed: { 'example.evil': { name: 'Rainbow', behaviours: { eth_requestAccounts: 'hang' } } },
  })
  const [impostor] = within(page.dialog).getAllByRole('button', { name: 'Rainbow' })
  expect(impostor?.textContent).toContain('Unverified')
  await page.user.click(impostor as HTMLElement)
  await heading('Opening Rainbow…')
  const [pane] = [...page.dialog.querySelectorAll('section')].slice(-1)
  expect(pane?.textContent).toContain('may use the name and icon of this wallet')
})

test('keyboard: into the list from anywhere, to its end and back, pick, Back, Esc', async () => {
  const page = await openDialog({ installed: { 'io.metamask': { behaviours: { eth_requestAccounts: 'hang' } } } })
  await page.user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(page.row('MetaMask'))
  await page.user.keyboard('{End}')
  expect(document.activeElement).toBe(page.row('Trust Wallet'))
  await page.user.keyboard('{ArrowUp}{Home}{Enter}')
  await heading('Opening MetaMask…')
  screen.getByRole('button', { name: 'Back' }).focus()
  await page.user.keyboard('{Enter}')
  await heading('What is a Wallet?')
  await page.user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(page.button))
})

test('Arrow Up outside the list focuses its last row', async () => {
  const page = await openDialog()
  await page.user.keyboard('{ArrowUp}')
  expect(document.activeElement).toBe(page.row('Trust Wallet'))
})

test('arrow keys move in "Get a Wallet" and among downloads too', async () => {
  const page = await openDialog()
  await page.user.click(await screen.findByRole('button', { name: 'Get a Wallet' }))
  const gets = await screen.findAllByRole('button', { name: /^Get / })
  gets[0]?.focus()
  await page.user.keyboard('{ArrowDown}{End}')
  expect(document.activeElement).toBe(gets.at(-1))
  await page.user.click(page.row('Rainbow'))
  const card = await screen.findByRole('link', { name: /Rainbow for/ })
  card.focus()
  await page.user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /Rainbow for mobile/ }))
})

test('typing anywhere enters the search field of a long list', async () => {
  const page = await openDialog({
    wallets: [...wallets, { groupName: 'Others', wallets: [bitgetWallet, tokenPocketWallet] }],
  })
  const field = screen.getByRole('searchbox', { name: 'Search wallets' })
  page.row('MetaMask').focus()
  await page.user.keyboard('tok')
  expect(field).toHaveProperty('value', 'tok')
  expect(within(page.dialog).queryByRole('button', { name: 'MetaMask' })).toBeNull()
  await page.user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(page.row('TokenPocket'))
})

test('typing does nothing in a short list', async () => {
  const page = await openDialog()
  page.row('MetaMask').focus()
  await page.user.keyboard('r')
  expect(document.activeElement).toBe(page.row('MetaMask'))
})
