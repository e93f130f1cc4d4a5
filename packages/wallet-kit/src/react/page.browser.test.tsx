// @vitest-environment node
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { http } from 'viem'
import { bsc } from 'viem/chains'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildPage } from '../../test/buildPage.ts'
import { launchBrowser } from '../../test/launchBrowser.ts'
import { createWalletKit } from '../core/createWalletKit.ts'
import { storageKey } from '../core/lib/storage.ts'
import { defaultWallets } from '../wallets/defaultWallets.ts'
import { ConnectButton } from './ConnectButton/ConnectButton.tsx'
import { WalletKitProvider } from './WalletKitProvider.tsx'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const session = { walletId: 'metaMask', kind: 'injected', rdns: 'io.metamask', address, chainId: 56 }
const service = 'https://names.example'

let browser: Browser
let files: ReadonlyMap<string, string>
beforeAll(async () => {
  files = await buildPage(`
    import { createElement } from 'react'
    import { hydrateRoot } from 'react-dom/client'
    import { ConnectButton, WalletKitProvider } from '@lineage/wallet-kit'
    import { createWalletKit } from '@lineage/wallet-kit/core'
    import { announceWallet, createScriptedWallet } from '@lineage/wallet-kit/testing'
    import { defaultWallets } from '@lineage/wallet-kit/wallets'
    import { custom } from 'viem'
    import { bsc } from 'viem/chains'
    const { wallet, names } = window.settings
    window.wallet = createScriptedWallet(wallet)
    announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask', uuid: 'page' }, provider: window.wallet.provider })
    const balance = new Promise((resolve) => { window.giveBalance = resolve })
    window.kit = createWalletKit({
      appName: 'Page', chains: [bsc], wallets: defaultWallets(), names,
      transports: { [bsc.id]: custom({ request: async ({ method }) => method === 'eth_getBalance' ? balance : null }) },
    })
    hydrateRoot(
      document.getElementById('root'),
      createElement(WalletKitProvider, { kit: window.kit }, createElement(ConnectButton)),
      { onRecoverableError: (error) => console.error(error) },
    )
  `)
  browser = await launchBrowser()
})

function renderOnServer(): string {
  const kit = createWalletKit({
    appName: 'Page',
    chains: [bsc],
    transports: { [bsc.id]: http('https://node.example') },
    wallets: defaultWallets(),
  })
  const markup = renderToString(createElement(WalletKitProvider, { kit }, createElement(ConnectButton)))
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Page</title>
    <style>header { display: flex; justify-content: flex-end }</style>
    <header><div id="root">${markup}</div></header><main><p>Text</p><textarea></textarea></main>
    <script type="module" src="/index.js"></script>`
}

type Settings = {
  wallet?: object
  names?: object
  stored?: object
  origin?: string
  init?: string
  answer?: (path: string) => { status?: number; contentType: string; body: string; headers?: Record<string, string> }
  context?: BrowserContextOptions
}

/** Opens the page as its server sends it; `start` runs its script. */
async function open({
  wallet = {},
  names,
  stored,
  origin = 'https://app.example',
  init = '',
  answer,
  context,
}: Settings) {
  const opened = await browser.newContext(context)
  onTestFinished(() => opened.close())
  const page = await opened.newPage()
  const problems: string[] = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  const asked: { path: string; headers: Record<string, string> }[] = []
  let start = () => {}
  const started = new Promise<void>((resolve) => {
    start = resolve
  })
  await page.route('**/*', async (route) => {
    const request = route.request()
    const { pathname, origin: of } = new URL(request.url())
    asked.push({ path: of === origin ? pathname : request.url(), headers: request.headers() })
    if (of !== origin) {
      const given = answer?.(pathname)
      return given
        ? route.fulfill({
            ...given,
            headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', ...given.headers },
          })
        : route.abort()
    }
    const file = files.get(pathname)
    if (pathname === '/index.js') await started
    return file === undefined
      ? route.fulfill({ contentType: 'text/html', body: renderOnServer() })
      : route.fulfill({ contentType: 'text/javascript', body: file })
  })
  await page.addInitScript(
    ({ settings, stored, init }) => {
      Object.assign(window, { settings, shift: 0 })
      if (stored) for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, JSON.stringify(value))
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
          (window as unknown as { shift: number }).shift += entry.value
      }).observe({ type: 'layout-shift', buffered: true })
      // biome-ignore lint/security/noGlobalEval: the test's own words
      eval(init)
    },
    { settings: { wallet, names }, stored, init },
  )
  await page.goto(origin, { waitUntil: 'commit' })
  await page.getByRole('button').waitFor()
  return { page, problems, asked, start }
}

const shiftOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() => resolve((window as unknown as { shift: number }).shift)),
        ),
      ),
  )
const boxOf = (page: Page) => page.getByRole('button').boundingBox()
/** Returns the box without the width: a server that knows no language writes the label in English. */
const placeOf = async (page: Page) => {
  const { x = 0, y, width = 0, height } = (await boxOf(page)) ?? {}
  return { end: x + width, y, height }
}

const screens = [
  ['390 px', { viewport: { width: 390, height: 844 } }],
  ['1440 px', { viewport: { width: 1440, height: 900 } }],
  ['1440 px, in Chinese', { viewport: { width: 1440, height: 900 }, locale: 'zh-CN' }],
] as const

describe.each(screens)('a page from a server, %s', (_, context) => {
  test('hydrates without a warning or layout shift', async () => {
    const { page, problems, start } = await open({ context })
    const isTranslated = 'locale' in context
    const read = isTranslated ? placeOf : boxOf
    const before = await read(page)
    expect(await page.getByRole('button').textContent()).toBe('Connect Wallet')
    start()
    await page.waitForFunction('window.kit')
    await page.getByRole('button', { name: isTranslated ? '连接钱包' : 'Connect Wallet' }).waitFor()
    expect(await read(page)).toEqual(before)
    expect(await shiftOf(page)).toBeLessThanOrEqual(isTranslated ? 0.001 : 0)
    expect(problems).toEqual([])
  })

  test('a connection is restored at its final width', async () => {
    const { page, problems, start } = await open({
      context,
      stored: { [storageKey('connection')]: session },
      wallet: { authorized: true, behaviours: { eth_accounts: 'wait' } },
    })
    start()
    const button = page.getByRole('button', { name: /0xd8…6045/ })
    await button.waitFor()
    expect(await button.getAttribute('aria-busy')).toBe('true')
    const before = await boxOf(page)
    await page.waitForFunction('window.wallet.requests.length > 0')
    await page.evaluate('window.wallet.release()')
    await page.waitForFunction('window.kit.getState().status === "connected"')
    expect(await boxOf(page)).toEqual(before)
    // 1,234.2 BNB
    await page.evaluate('window.giveBalance("0x42e83e46d27a9e0000")')
    await page.getByText('1,234.2 BNB', { exact: true }).waitFor({ state: 'attached' })
    expect(await boxOf(page)).toEqual(before)
    // Only elements beside the button move, and only once: the server did not know of the connection.
    expect(await shiftOf(page)).toBeLessThan(0.01)
    expect(problems).toEqual([])
  })

  test('a disconnected button is as wide as its label', async () => {
    const { page, start } = await open({ context })
    start()
    const button = page.getByRole('button', { name: /^(Connect Wallet|连接钱包)$/ })
    await page.waitForFunction('window.kit')
    const padding = await button.evaluate((element) => {
      const label = document.createRange()
      label.selectNodeContents(element)
      return element.getBoundingClientRect().width - label.getBoundingClientRect().width
    })
    expect(padding).toBeCloseTo(28, 0)
  })

  test('behavior: the wallet is locked: disconnected, where it was', async () => {
    const { page, problems, start } = await open({ context, stored: { [storageKey('connection')]: session } })
    const before = await placeOf(page)
    start()
    await page.waitForFunction('window.kit?.getState().status === "disconnected"')
    await page.getByRole('button', { name: /^(Connect Wallet|连接钱包)$/ }).waitFor()
    expect(await placeOf(page)).toEqual(before)
    // Only elements beside the button move, and only once: the server did not know of the connection.
    expect(await shiftOf(page)).toBeLessThan(0.01)
    expect(problems).toEqual([])
  })
})

const connect = async (settings: Settings) => {
  const opened = await open(settings)
  opened.start()
  await opened.page.waitForFunction('window.kit')
  await opened.page.evaluate('window.kit.connect({ walletId: "metaMask" }).then(() => undefined)')
  return opened
}

describe('copying the address', () => {
  const paste = async (page: Page) => {
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('textbox').focus()
    await page.keyboard.press('Control+v')
    return page.getByRole('textbox').inputValue()
  }
  const openAccount = async (settings: Settings) => {
    const opened = await connect(settings)
    await opened.page.evaluate('window.kit.openAccountDialog()')
    await opened.page.getByRole('dialog', { name: 'Account' }).waitFor()
    return opened
  }

  test.each([
    ['by the browser’s clipboard', {}],
    ['on a page that is not served securely', { origin: 'http://app.example' }],
    [
      'where permission is denied',
      { init: 'navigator.clipboard.writeText = () => Promise.reject(new DOMException("", "NotAllowedError"))' },
    ],
  ])('%s', async (_, settings) => {
    const { page } = await openAccount(settings)
    const button = page.getByRole('button', { name: 'Copy Address' })
    await button.click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Copied')
    expect(await paste(page)).toBe(address)
  })

  test('behavior: both ways to copy fail: shows an error', async () => {
    const { page } = await openAccount({
      origin: 'http://app.example',
      init: 'document.execCommand = () => false',
    })
    await page.getByRole('button', { name: 'Copy Address' }).click()
    await page.getByText('Could not copy. Select the address and copy it.').last().waitFor()
  })

  test('selected by hand: no spaces or line breaks', async () => {
    const { page } = await openAccount({})
    const groups = page.getByRole('group', { name: 'Full address' })
    const lines = await groups.evaluate(
      (it) => new Set([...it.children].map((b) => b.getBoundingClientRect().top)).size,
    )
    expect(lines).toBe(2)
    await groups.evaluate((it) => getSelection()?.selectAllChildren(it))
    await page.keyboard.press('Control+c')
    expect(await paste(page)).toBe(address)
  })
})

describe('names', () => {
  const names = { baseUrl: service, apiKey: 'secret' }
  const nameFiles = () => [...files.keys()].filter((path) => /(lookUpName|resolveName)\b/.test(path))
  const script =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>parent.hacked = top.hacked = 1</script><rect width="9" height="9"/></svg>'
  const withAvatar = (avatar: string, image?: { status?: number; contentType: string; body: string }) => ({
    names,
    answer: (path: string) =>
      path === '/v1/resolve-ens'
        ? { contentType: 'application/json', body: JSON.stringify({ data: 'alice.eth', avatar }) }
        : (image ?? { status: 404, contentType: 'text/plain', body: '' }),
  })

  test('loads and requests nothing before a wallet is connected', async () => {
    const settings = withAvatar('https://images.example/alice.png')
    const { page, asked, start } = await open(settings)
    start()
    await page.waitForFunction('window.kit')
    await page.getByRole('button', { name: 'Connect Wallet' }).hover()
    await page.waitForLoadState('networkidle')
    const paths = () => asked.map(({ path }) => path)
    expect(nameFiles()).toHaveLength(2)
    expect(paths().filter((path) => nameFiles().includes(path) || path.startsWith('https:'))).toEqual([])
    await page.evaluate('window.kit.connect({ walletId: "metaMask" }).then(() => undefined)')
    await page.getByRole('button', { name: 'alice.eth' }).waitFor()
    expect(paths()).toEqual(
      expect.arrayContaining([...nameFiles(), `${service}/v1/resolve-ens?address=${address.toLowerCase()}`]),
    )
  })

  test('without `names` in the configuration nothing is ever loaded', async () => {
    const { page, asked } = await connect({})
    await page.getByRole('button', { name: /0xd8…6045/ }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked.filter(({ path }) => nameFiles().includes(path) || path.startsWith('https:'))).toEqual([])
  })

  test('an avatar is requested without a referrer and runs no script', async () => {
    const settings = withAvatar('https://images.example/alice.svg', { contentType: 'image/svg+xml', body: script })
    const { page, asked } = await connect(settings)
    await page.getByRole('button', { name: 'alice.eth' }).locator('img').waitFor()
    expect(await page.getByRole('button', { name: 'alice.eth' }).locator('svg').count()).toBe(0)
    const image = asked.find(({ path }) => path === 'https://images.example/alice.svg')
    expect(image?.headers).not.toHaveProperty('referer')
    expect(await page.evaluate('window.hacked')).toBeUndefined()
  })

  test('a data image is shown and runs no script', async () => {
    const { page } = await connect(withAvatar(`data:image/svg+xml,${encodeURIComponent(script)}`))
    await page.getByRole('button', { name: 'alice.eth' }).locator('img').waitFor()
    expect(await page.evaluate('window.hacked')).toBeUndefined()
  })

  test.each([
    ['is missing', 'https://images.example/alice.png', undefined],
    [
      'is a page',
      'https://images.example/alice.png',
      { contentType: 'text/html', body: '<script>top.hacked=1</script>' },
    ],
    ['is a script', 'javascript:window.hacked=1', undefined],
    ['is a page in the name itself', 'data:text/html,<script>top.hacked=1</script>', undefined],
    ['comes over an open line', 'http://images.example/alice.png', undefined],
    ['is too large', `data:image/png;base64,${'A'.repeat(20_000)}`, undefined],
  ])('behavior: an avatar that %s: the account’s own picture', async (_, avatar, image) => {
    const { page } = await connect(withAvatar(avatar, image))
    const button = page.getByRole('button', { name: 'alice.eth' })
    await button.locator('svg').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await button.locator('img:visible').count()).toBe(0)
    expect(await button.locator('svg').count()).toBe(1)
    expect(await page.evaluate('window.hacked')).toBeUndefined()
  })

  test.each([
    ['reallylongensnameheretotestlongnames.eth', /reallylongensnameheretot\.\.\./],
    ['al.eth', 'al.eth'],
  ])('a name that comes late moves nothing: %s', async (name, shown) => {
    let come = () => {}
    const late = new Promise<void>((resolve) => {
      come = resolve
    })
    const { page, start } = await open({ names })
    await page.route(`${service}/**`, async (route) => {
      await late
      return route.fulfill({ json: { data: name }, headers: { 'access-control-allow-origin': '*' } })
    })
    start()
    await page.waitForFunction('window.kit')
    await page.evaluate('window.kit.connect({ walletId: "metaMask" }).then(() => undefined)')
    await page.getByRole('button', { name: /0xd8…6045/ }).waitFor()
    const before = await boxOf(page)
    const shifted = await shiftOf(page)
    come()
    await page.getByRole('button', { name: shown }).waitFor()
    expect(await boxOf(page)).toEqual(before)
    expect(await shiftOf(page)).toBe(shifted)
  })

  test('a stored name is shown when the connection is restored', async () => {
    const { page, start } = await open({
      ...withAvatar(''),
      stored: {
        [storageKey('connection')]: session,
        [storageKey('names')]: { [address.toLowerCase()]: { at: Date.now(), name: 'kept.eth' } },
      },
      wallet: { authorized: true, behaviours: { eth_accounts: 'hang' } },
    })
    start()
    const button = page.getByRole('button', { name: 'kept.eth' })
    await button.waitFor()
    expect(await button.getAttribute('aria-busy')).toBe('true')
  })
})
