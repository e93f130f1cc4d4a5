// @vitest-environment node
import type { Browser, Route } from '@playwright/test'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildPage } from '../../test/buildPage.ts'
import { launchBrowser } from '../../test/launchBrowser.ts'
import { servePage } from '../../test/servePage.ts'

const account = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

let browser: Browser
let files: ReadonlyMap<string, string>
let site: Awaited<ReturnType<typeof servePage>>

beforeAll(async () => {
  files = await buildPage(`
    import { createElement } from 'react'
    import { createRoot } from 'react-dom/client'
    import { ConnectButton, WalletKitProvider } from '@lineage/wallet-kit'
    import { createWalletKit } from '@lineage/wallet-kit/core'
    import * as wallets from '@lineage/wallet-kit/wallets'
    import { http } from 'viem'
    import { bsc } from 'viem/chains'
    const { binanceWallet, bitgetWallet, imTokenWallet, okxWallet, rabbyWallet, safepalWallet, tokenPocketWallet, trustWallet } = wallets
    const more = { groupName: 'More', wallets: [binanceWallet, bitgetWallet, imTokenWallet, okxWallet, rabbyWallet, safepalWallet, tokenPocketWallet, trustWallet] }
    const kit = window.kit = createWalletKit({
      appName: 'Test page', projectId: 'test', chains: [bsc],
      transports: { [bsc.id]: http('/rpc') },
      wallets: [...wallets.defaultWallets(), more],
    })
    createRoot(document.getElementById('root')).render(
      createElement(WalletKitProvider, { kit }, createElement(ConnectButton)),
    )
  `)
  ;[site, browser] = await Promise.all([servePage(files), launchBrowser()])
})
afterAll(() => site?.close())

async function open() {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const asked: string[] = []
  page.on('websocket', (socket) => asked.push(socket.url()))
  context.on('request', (request) => {
    if (/^(http|ws)/.test(request.url())) asked.push(request.url().replace(site.url, ''))
  })
  return { page, asked, button: page.getByRole('button') }
}

const isLater = (path: string) => /relay|icon|qr|connected|publicClient/i.test(path)

test('before a click the page requests only its own files: those of the button, then, when idle, the dialogs', async () => {
  const { page, asked, button } = await open()
  const dialogs = page.waitForRequest('**/Dialogs.js')
  await page.goto(site.url)
  await dialogs
  await page.waitForLoadState('networkidle')
  expect(asked.filter((path) => !files.has(path))).toEqual(['/'])
  expect(asked.filter(isLater)).toEqual([])
  await expect.poll(() => page.evaluate(readStarts)).toEqual({ hasButton: true, isAfterLoad: true })

  const before = asked.length
  await button.click()
  await page.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(asked.slice(before).filter((path) => /Dialogs|[/]en[.]js/.test(path))).toEqual([])
  expect(asked.filter((path) => !files.has(path))).toEqual(['/'])
})

test('behavior: disconnected where nothing was connected: the code of a connection is not loaded', async () => {
  const { page, asked, button } = await open()
  await page.goto(site.url)
  await button.waitFor()
  await page.evaluate('kit.disconnect().then(() => fetch("/")).then(() => {})')
  expect(asked.filter(isLater)).toEqual([])
})

/** Reads when the dialogs' file was requested. */
function readStarts() {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const dialogs = performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/Dialogs.js'))
  const isAfterLoad = navigation && dialogs && dialogs.startTime >= navigation.loadEventStart
  return { hasButton: document.querySelector('button') !== null, isAfterLoad }
}

test('where data is saved, the page loads the dialogs with the click', async () => {
  const { page, asked, button } = await open()
  await page.addInitScript('Object.defineProperty(navigator, "connection", { value: { saveData: true } })')
  await page.goto(site.url)
  await button.waitFor()
  await page.waitForLoadState('networkidle')
  const scripts = asked.filter((path) => files.has(path))
  expect(asked.filter((path) => !files.has(path))).toEqual(['/'])
  expect(scripts).toContain('/index.js')
  expect(scripts.filter((path) => path.includes('Dialogs') || isLater(path))).toEqual([])

  await button.click()
  await page.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(asked.filter((path) => !files.has(path))).toEqual(['/'])
})

test('behavior: the dialogs cannot be loaded: the button is busy during a second request, and the next press tries again', async () => {
  const { page, button } = await open()
  await page.addInitScript('Object.defineProperty(navigator, "connection", { value: { saveData: true } })')
  await page.goto(site.url)
  await page.waitForLoadState('networkidle')
  const logged = page.waitForEvent('console', (message) => message.text().includes('dynamically imported module'))
  const requests: Route[] = []
  await page.route('**/Dialogs.js', (route) => void requests.push(route))
  await button.click()
  for (const count of [1, 2]) {
    await expect.poll(() => requests.length).toBe(count)
    expect(await button.getAttribute('aria-busy')).toBe('true')
    await requests.at(-1)?.abort()
  }
  await logged
  await expect.poll(() => button.getAttribute('aria-busy')).toBeNull()
  await page.unrouteAll()
  await button.click()
  await page.getByRole('dialog').waitFor()
})

test('behavior: the request for the dialogs is lost once: the press opens them', async () => {
  const { page, button } = await open()
  await page.addInitScript('Object.defineProperty(navigator, "connection", { value: { saveData: true } })')
  await page.goto(site.url)
  await page.waitForLoadState('networkidle')
  await page.route('**/Dialogs.js', (route) => route.abort(), { times: 1 })
  await button.click()
  await page.getByRole('dialog').waitFor()
})

/** Announces a wallet with a connected account. Runs in the page, before its own scripts. */
function announceWallet(account: string) {
  const answers: Record<string, unknown> = {
    eth_chainId: '0x38',
    eth_accounts: [account],
    eth_requestAccounts: [account],
  }
  const provider = {
    on: () => {},
    removeListener: () => {},
    request: async ({ method }: { method: string }) => answers[method],
  }
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'MetaMask', rdns: 'io.metamask', icon: '' }
  const announce = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
  window.addEventListener('eip6963:requestProvider', announce)
}

test('behavior: the account’s dialogs load once a wallet is asked, also if their request is lost once', async () => {
  const { page, asked, button } = await open()
  await page.addInitScript(announceWallet, account)
  await page.goto(site.url)
  await button.click()
  const row = page.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true })
  await row.waitFor()
  await page.waitForLoadState('networkidle')
  expect(asked).not.toContain('/accountDialogs.js')
  await page.route('**/accountDialogs.js', (route) => route.abort(), { times: 1 })
  const lost = page.waitForEvent('requestfailed')
  await row.click()
  await lost
  await page.getByRole('button', { name: /0xd8…6045/ }).click()
  await page.getByRole('dialog', { name: 'Account' }).waitFor()
})

test('the style sheet of the dialogs is put into the page once, and stays', async () => {
  const { page, button } = await open()
  await page.goto(site.url)
  const read = () =>
    page.evaluate(() => {
      const sheets = [...document.querySelectorAll('style')].filter((it) => it.textContent.includes('.wk-dialog'))
      const isFirst = sheets.map((it) => it.matches('.first'))
      for (const it of sheets) it.classList.add('first')
      return isFirst
    })
  await expect.poll(read).toContain(false)
  for (const _ of [1, 2]) {
    await button.click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await read()).toEqual([true])
  }
})

test('behavior: reloaded while connected: no frame shows "Connect Wallet"', async () => {
  const { page, button } = await open()
  await page.addInitScript(announceWallet, account)
  await page.addInitScript(() => {
    const seen = new Set<string>()
    const look = () => {
      seen.add(document.querySelector('button')?.textContent ?? '')
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    Object.assign(window, { seen })
  })
  await page.goto(site.url)
  await button.click()
  await page.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true }).click()
  const address = page.getByRole('button', { name: /0xd8…6045/ })
  await address.waitFor()

  await page.reload()
  await address.and(page.locator(':enabled')).waitFor()
  const seen = (await page.evaluate('[...seen]')) as string[]
  expect(seen.filter((text) => text.includes('Connect'))).toEqual([])
})
