// @vitest-environment node
import type { Browser, Page } from '@playwright/test'
import { renderToString } from 'react-dom/server'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runAnvil } from '../../../../scripts/vitest/runAnvil.ts'
import { buildPage } from '../../test/buildPage.ts'
import { launchBrowser } from '../../test/launchBrowser.ts'
import { servePage } from '../../test/servePage.ts'
import { createWagmiServerApp } from '../../test/wagmiServerApp.ts'
import { isObserved } from '../core/state/observers.ts'

// The second account of anvil, with the key that its documentation prints.
const privateKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const { address } = privateKeyToAccount(privateKey)

let browser: Browser
let site: Awaited<ReturnType<typeof servePage>>
let chain: Awaited<ReturnType<typeof runAnvil>>

beforeAll(async () => {
  const files = await buildPage(`
    import { hydrateRoot } from 'react-dom/client'
    import { announceWallet } from '/src/testing/announceWallet.ts'
    import { createScriptedWallet } from '/src/testing/createScriptedWallet.ts'
    import { createWagmiServerApp } from '/test/wagmiServerApp.ts'
    const { rpcUrl, privateKey } = window.settings
    const authorized = 'walletKit.v1.connection' in localStorage
    window.wallet = createScriptedWallet({ privateKey, rpcUrl, authorized })
    announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider: window.wallet.provider })
    const { app, kit } = createWagmiServerApp(rpcUrl, document.cookie)
    window.kit = kit
    const root = document.getElementById('root')
    const read = () => root.querySelector('output').textContent
    window.seen = [read()]
    new MutationObserver(() => window.seen.push(read())).observe(root, { subtree: true, characterData: true, childList: true })
    hydrateRoot(root, app)
  `)
  ;[browser, chain] = await Promise.all([launchBrowser(), runAnvil()])
  site = await servePage(files, (request) => (new URL(request.url).pathname === '/' ? render(request) : undefined))
})
afterAll(async () => {
  await chain?.stop()
  site?.close()
})

/** Answers with the page as a server renders it for the cookie of the request. */
async function render(request: Request): Promise<Response> {
  const { app, kit } = createWagmiServerApp(chain.url, request.headers.get('cookie') ?? '')
  const content = renderToString(app)
  expect(isObserved(kit)).toBe(false)
  const html = `<!doctype html><html lang="en"><title>Page</title><div id="root">${content}</div><script type="module" src="/index.js"></script>`
  return new Response(html, { headers: { 'content-type': 'text/html' } })
}

async function openPage() {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  await context.addInitScript((settings) => Object.assign(window, { settings }), { rpcUrl: chain.url, privateKey })
  const page = await context.newPage()
  // A mismatch between server and browser is an error of the page or its console.
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  return { page, problems }
}

/** Opens the page, and returns what the server has rendered of wagmi's connection. */
async function visit(page: Page): Promise<string | undefined> {
  const response = await page.goto(site.url)
  return /<output>(.*?)<\/output>/.exec((await response?.text()) ?? '')?.[1]
}
const shows = (page: Page, text: string) => page.locator('output').getByText(text, { exact: true }).waitFor()

test('a server renders the account from wagmi’s cookie, and the browser takes it over without a question', async () => {
  const { page, problems } = await openPage()
  expect(await visit(page)).toBe('disconnected')
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true }).click()
  await shows(page, `connected ${address}`)

  expect(await visit(page)).toBe(`reconnecting ${address}`)
  await shows(page, `connected ${address}`)
  expect(await page.evaluate('[...new Set(seen)]')).toEqual([`reconnecting ${address}`, `connected ${address}`])
  expect(await page.evaluate('wallet.requests.map(({ method }) => method)')).not.toContain('eth_requestAccounts')

  await page.getByRole('button', { name: 'disconnect' }).click()
  await shows(page, 'disconnected')
  // With a cookie wagmi renders "reconnecting", here without an account.
  expect(await visit(page)).toBe('reconnecting')
  await shows(page, 'disconnected')
  await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
  expect(problems).toEqual([])
})

test('behavior: the kit has no connection any more, but wagmi’s cookie has one', async () => {
  const { page, problems } = await openPage()
  await visit(page)
  await page.evaluate('kit.connect({ walletId: "metaMask" }).then(() => undefined)')
  await shows(page, `connected ${address}`)
  await page.evaluate('localStorage.removeItem("walletKit.v1.connection")')
  expect(await visit(page)).toBe(`reconnecting ${address}`)
  await shows(page, 'disconnected')
  expect(await visit(page)).toBe('reconnecting')
  await shows(page, 'disconnected')
  expect(problems).toEqual([])
})
