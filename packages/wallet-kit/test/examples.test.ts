import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium, type Locator, type Page, type WebSocketRoute } from '@playwright/test'
import { type Hex, recoverMessageAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { serveFolder } from '../../../scripts/bench/serveFolder.ts'
import { findBrowser } from '../../../scripts/lib/browser.ts'
import { examples, installExamples, listExamples } from '../../../scripts/lib/installExamples.ts'
import { runAnvil } from '../../../scripts/vitest/runAnvil.ts'
import { createAuthServer } from './createAuthServer.ts'
import { createRelayServer, type RelayServer } from './createRelayServer.ts'
import { buildWallet, environment, startExample } from './exampleApps.ts'
import { servePage } from './servePage.ts'

const run = promisify(execFile)

// The second account of anvil, with the key that its documentation prints.
const privateKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const { address } = privateKeyToAccount(privateKey)

let browser: Browser
let chain: Awaited<ReturnType<typeof runAnvil>>
let relay: RelayServer
let wallet: string

beforeAll(async () => {
  await installExamples()
  ;[browser, chain, relay, wallet] = await Promise.all([
    findBrowser().then((options) => chromium.launch(options)),
    runAnvil(),
    createRelayServer(),
    buildWallet(privateKey),
  ])
})
afterAll(async () => {
  await Promise.all([browser?.close(), relay?.close()])
  await chain?.stop()
})

const settings = () => ({
  VITE_RPC_URL: chain.url,
  VITE_PROJECT_ID: 'test',
  NEXT_PUBLIC_RPC_URL: chain.url,
  RPC_URL: chain.url,
  NEXT_PUBLIC_PROJECT_ID: 'test',
  SESSION_SECRET: 'only-for-this-test-0123456789abcdef',
})

/** Opens an address with the wallet on the page. Records the page's requests to other hosts, and its errors. */
async function openPage(url: string) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' })
  onTestFinished(() => context.close())
  context.setDefaultTimeout(60_000)
  await context.addInitScript(wallet)
  const asked: URL[] = []
  await context.route('**/*', (route) => {
    const asks = new URL(route.request().url())
    asked.push(asks)
    return ['localhost', '127.0.0.1'].includes(asks.hostname) ? route.continue() : route.abort()
  })
  await context.routeWebSocket(/^wss:/, (socket) => {
    asked.push(new URL(socket.url()))
    connectToRelay(socket)
  })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  await page.goto(url)
  const others = () =>
    [...new Set(asked.map(({ origin }) => origin))].filter((origin) => origin !== new URL(url).origin)
  return { page, problems, asked, others }
}

/** Forwards the messages between a page and the public relay to this test's relay. */
function connectToRelay(route: WebSocketRoute): void {
  const socket = new WebSocket(`${relay.url}${new URL(route.url()).search}`)
  const opened = new Promise((resolve) => socket.addEventListener('open', resolve))
  socket.addEventListener('message', ({ data }) => route.send(data))
  route.onMessage((message) => void opened.then(() => socket.send(String(message))))
  route.onClose(() => socket.close())
}

type App = {
  name: string
  /** Tries out what only this app has, before connecting. */
  tryFirst?: (page: Page) => Promise<void>
  connect: (page: Page) => Promise<void>
  shown: string
}

const builds = new Map<string, Promise<unknown>>()
/** Builds an example, once. */
function buildExample(name: string): Promise<unknown> {
  const cwd = join(examples, name)
  const env = { ...environment, ...settings(), AUTH_URL: '/auth', VITE_AUTH_URL: '/auth' }
  const built = builds.get(name) ?? run('pnpm', ['build'], { cwd, env })
  builds.set(name, built)
  return built
}

const dialog = (page: Page) => page.getByRole('dialog')
async function connectInDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await dialog(page).getByRole('button', { name: 'MetaMask', exact: true }).click()
}
async function signInAfterConnecting(page: Page): Promise<void> {
  await connectInDialog(page)
  await dialog(page).getByRole('button', { name: 'Sign message' }).click()
}
const isTakenOver = (button: Locator): Promise<boolean> =>
  button.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__reactProps')))
const short = `${address.slice(0, 4)}…${address.slice(-4)}`

/** Switches the colour scheme with the app's button. The kit's button and dialog must take the colours of its theme. */
async function switchScheme(page: Page): Promise<void> {
  const background = (it: Locator) => it.evaluate((element) => getComputedStyle(element).backgroundColor)
  const expectColours = async (colours: { button: string; paper: string }) => {
    const button = page.getByRole('button', { name: 'Connect Wallet' })
    // The colour of a button changes over some frames.
    await expect.poll(() => background(button)).toBe(colours.button)
    await button.click()
    await expect.poll(() => background(page.locator('.wk-paper'))).toBe(colours.paper)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  }
  await expectColours({ button: 'rgb(91, 63, 214)', paper: 'rgb(255, 255, 255)' })
  await page.getByRole('button', { name: 'Dark' }).click()
  await expectColours({ button: 'rgb(183, 165, 255)', paper: 'rgb(18, 18, 18)' })
}

/** Apps that sign in when they know the path of a server. */
const signingIn = ['webpack', 'esbuild', 'parcel', 'vite-react18']
const apps: App[] = [
  { name: 'vite-mui', tryFirst: switchScheme, connect: connectInDialog, shown: short },
  ...['vite-react18', 'vite-tailwind', 'vite-mantine', 'wagmi', 'webpack', 'esbuild', 'parcel'].map((name) => ({
    name,
    connect: connectInDialog,
    shown: short,
  })),
  {
    name: 'plain-typescript',
    connect: (page) => page.getByRole('button', { name: 'Connect MetaMask' }).click(),
    shown: address,
  },
]

/** Connects, checks again after a reload, and signs. Fails on a request to another host, and on any error. */
async function tryOut(url: string, { tryFirst, connect, shown }: Omit<App, 'name'>): Promise<void> {
  const { page, problems, others } = await openPage(url)
  await page.getByRole('heading').waitFor()
  await page.waitForLoadState('networkidle')
  expect(others(), 'hosts asked before the first click').toEqual([])
  await tryFirst?.(page)
  await connect(page)
  const sign = page.getByRole('button', { name: 'Sign a message' })
  const isConnected = () => expect.poll(() => sign.isEnabled()).toBe(true)
  // The address is shown before the server has answered the sign-in, and a reload would end it.
  await isConnected()
  await page.getByText(shown).first().waitFor()
  await page.reload()
  await isConnected()
  await page.getByText(shown).first().waitFor()

  await sign.click()
  const signature = page.locator('output').getByText(/^0x[0-9a-f]{130}$/)
  expect(await recoverMessageAddress({ message: 'Hello', signature: (await signature.textContent()) as Hex })).toBe(
    address,
  )
  expect(others().filter((origin) => origin !== chain.url)).toEqual([])
  expect(problems).toEqual([])
}

test('every example is tested here', () => {
  expect(listExamples().toSorted()).toEqual([...apps.map(({ name }) => name), 'next', 'node', 'jest'].toSorted())
})

describe.each(apps)('$name', ({ name, ...app }) => {
  test('builds', () => buildExample(name))

  // Before the next test: some bundlers replace the build while they serve the app.
  test.runIf(signingIn.includes(name))('built: signs in, is signed in after a reload, and signs', async () => {
    await buildExample(name)
    const folder = join(examples, name, 'dist')
    const readBuilt = (file: string) => readFileSync(join(folder, file), 'utf8')
    const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
    const files = new Map(scripts.map((file) => [`/${file}`, readBuilt(file)]))
    const site = await servePage(files, createAuthServer(chain.url), readBuilt('index.html'))
    onTestFinished(site.close)
    await tryOut(site.url, { connect: signInAfterConnecting, shown: short })
  })

  test('connects, is connected after a reload, and signs', async () => {
    await tryOut(await startExample(name, 'dev', settings()), app)
  })
})

describe('next', () => {
  const app = {
    connect: async (page: Page) => {
      // A press of the server's button, before React has taken it over, is lost.
      await expect.poll(() => isTakenOver(page.getByRole('button', { name: 'Connect Wallet' }))).toBe(true)
      await signInAfterConnecting(page)
      await page.getByText(`The server knows ${address}.`).waitFor()
    },
    shown: short,
  }

  test('in development: signs in, is signed in after a reload, and signs', async () => {
    const url = await startExample('next', 'dev', settings())
    // Next.js compiles the path at its first request, for up to a minute on a busy machine.
    await fetch(`${url}/auth/session`)
    await tryOut(url, app)
  })

  test('built: signs in, is signed in after a reload, and signs', async () => {
    await buildExample('next')
    await tryOut(await startExample('next', 'start', settings()), app)
  })
})

test('jest: compiles, and its test passes', () => buildExample('jest'))

test('node: imports and requires', async () => {
  const cwd = join(examples, 'node')
  await buildExample('node')
  const { stdout, stderr } = await run('pnpm', ['--silent', 'dev'], { cwd })
  expect(stdout).toContain('Signed in: 0x')
  expect(stdout).toContain('1.23')
  expect(stderr).toBe('')
})

test('behavior: the relay is neither loaded nor contacted before the click; then its one file is loaded, and a QR code shown', async () => {
  await buildExample('vite-react18')
  const folder = join(examples, 'vite-react18/dist')
  const scripts = readdirSync(join(folder, 'assets')).filter((file) => file.endsWith('.js'))
  const codes = new Map(scripts.map((file) => [`/assets/${file}`, readFileSync(join(folder, 'assets', file), 'utf8')]))
  const client = [...codes].filter(([, code]) => code.includes('wc_sessionSettle')).map(([name]) => name)
  expect(client).toHaveLength(1)
  // The dialogs that the client would open are custom elements.
  for (const [, code] of codes) expect(code).not.toMatch(/customElements|w3m-modal|createAppKit=\w+\.createAppKit/)

  const site = await serveFolder(folder)
  onTestFinished(() => site.close())
  const { page, asked, others } = await openPage(`${site.url}/index.html`)
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  const row = dialog(page).getByRole('button', { name: 'WalletConnect', exact: true })
  await row.waitFor()
  await page.waitForLoadState('networkidle')
  expect(others()).toEqual([])
  const before = asked.splice(0).map(({ pathname }) => pathname)
  expect(before).not.toContain(client[0])

  await row.click()
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  const loaded = asked.map(({ pathname }) => pathname).filter((path) => codes.has(path) && !before.includes(path))
  expect(loaded.filter((path) => (codes.get(path)?.length ?? 0) > 100_000)).toEqual(client)
  expect(new Set(others())).toEqual(new Set(['wss://relay.walletconnect.org', 'https://verify.walletconnect.org']))
})
