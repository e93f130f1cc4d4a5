// @vitest-environment node
import type { Browser, Page } from '@playwright/test'
import { type Address, createWalletClient, encodeDeployData, getAddress, type Hex, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { bsc } from 'viem/chains'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { runAnvil } from '../../../../scripts/vitest/runAnvil.ts'
import { buildPage } from '../../test/buildPage.ts'
import { contractWallets } from '../../test/contractWallets.ts'
import { createAuthServer } from '../../test/createAuthServer.ts'
import { launchBrowser } from '../../test/launchBrowser.ts'
import { servePage } from '../../test/servePage.ts'

const app = 'https://app.example'
const address = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const signature = `0x${'a'.repeat(130)}`

let browser: Browser
let files: ReadonlyMap<string, string>
beforeAll(async () => {
  files = await buildPage(`
    import { createWalletKit } from '@lineage/wallet-kit/core'
    import { siweAuthentication } from '@lineage/wallet-kit/siwe'
    import { defaultWallets, safeConnector } from '@lineage/wallet-kit/wallets'
    import { custom } from 'viem'
    import { bsc } from 'viem/chains'
    const own = { ...defaultWallets()[0].wallets[0], connectors: [safeConnector({ origins: [window.safeOrigin] })] }
    window.kit = createWalletKit({
      appName: 'App', chains: [bsc],
      wallets: window.safeOrigin ? [{ groupName: 'Popular', wallets: [own] }] : defaultWallets(),
      transports: { [bsc.id]: custom({ request: async () => null }) },
      ...(window.safeOrigin && { authentication: { adapter: siweAuthentication({ baseUrl: '/auth' }), required: true } }),
    })
    window.restored = window.kit.reconnect()
  `)
  browser = await launchBrowser()
})

/** Creates the surrounding page, which answers like Safe's, unless it is told to be silent. */
const parentPage = (
  reply: string,
  src = `${app}/`,
) => `<!doctype html><iframe src="${src}" title="App"></iframe><script>
  window.questions = []
  addEventListener('message', async ({ source, origin, data }) => {
    if (!data?.method) return
    questions.push({ method: data.method, origin })
    const answer = await { ${reply} }[data.method]
    if (answer) source.postMessage({ id: data.id, success: true, version: '9.1.0', data: answer }, origin)
  })
</script>`
const answers = `
  getSafeInfo: { safeAddress: '${address}', chainId: 56, threshold: 1, owners: [], isReadOnly: false },
  rpcCall: { offChainSigning: true },
  signMessage: { messageHash: '0x1', signature: '${signature}' },`

async function open(around: string, reply: string): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.route('**/*', (route) => {
    const url = new URL(route.request().url())
    if (url.origin !== app) return route.fulfill({ contentType: 'text/html', body: parentPage(reply) })
    const file = files.get(url.pathname)
    if (file !== undefined) return route.fulfill({ contentType: 'text/javascript', body: file })
    return route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><script type="module" src="/index.js"></script>',
    })
  })
  await page.goto(around)
  return page
}

/** Runs in the page of the app. */
async function inApp<T>(page: Page, run: string): Promise<T> {
  const frame = page.frame({ url: `${app}/` }) ?? page.mainFrame()
  await frame.waitForFunction('window.restored')
  return frame.evaluate(run) as Promise<T>
}

test('in a frame of Safe: connects by itself and signs', async () => {
  const page = await open('https://app.safe.global/apps', answers)
  expect(await inApp(page, 'restored')).toEqual({ walletId: 'safe', address, chainId: 56 })
  const sign = `kit.provider.request({ method: 'personal_sign', params: ['0x68', '${address}'] })`
  expect(await inApp(page, sign)).toBe(signature)
  expect(await page.evaluate('questions')).toEqual(
    ['getSafeInfo', 'rpcCall', 'signMessage'].map((method) => ({ method, origin: app })),
  )
})

test('behavior: a page of another origin speaks the protocol: it is not even asked, and Safe is not listed', async () => {
  const page = await open('https://evil.example/', answers)
  expect(await inApp(page, 'restored.then((it) => it ?? null)')).toBeNull()
  expect(await inApp(page, 'kit.getState().wallets.map(({ id }) => id)')).not.toContain('safe')
  expect(await page.evaluate('questions')).toEqual([])
})

test('behavior: a page of Safe’s origin that is no Safe', async () => {
  const page = await open('https://app.safe.global/apps', '')
  expect(await inApp(page, 'restored.then((it) => it ?? null)')).toBeNull()
  expect(await inApp(page, 'kit.getState().status')).toBe('disconnected')
})

test('alone in its window: nothing happens, and Safe is not listed', async () => {
  const page = await open(`${app}/`, answers)
  expect(await inApp(page, 'restored.then((it) => it ?? null)')).toBeNull()
  expect(await inApp(page, 'kit.getState().wallets.map(({ id }) => id)')).not.toContain('safe')
})

test('signing in: the Safe’s contract verifies the signature on chain; the session is valid in this frame only', async () => {
  const chain = await runAnvil()
  onTestFinished(chain.stop)
  const owner = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
  const node = createWalletClient({ account: owner, chain: bsc, transport: http(chain.url) })
  const abi = parseAbi(['constructor(address owner)'])
  const data = encodeDeployData({ abi, bytecode: contractWallets.wallet, args: [owner.address] })
  const { contractAddress } = await node.sendTransactionSync({ data })
  const site = await servePage(files, createAuthServer(chain.url))
  onTestFinished(site.close)

  // For the browser this is another site than the surrounding page, although both are on this machine.
  const own = site.url.replace('127.0.0.1', 'localhost')
  const reply = `getSafeInfo: { safeAddress: '${contractAddress}', chainId: 56 }, rpcCall: {},
    signMessage: data.params && signInSafe(data.params.message).then((signature) => ({ signature }))`
  const headers = { 'content-type': 'text/html' }
  const safe = await servePage(new Map(), async () => new Response(parentPage(reply, `${own}/`), { headers }))
  onTestFinished(safe.close)
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  await context.addInitScript((origin) => Object.assign(window, { safeOrigin: origin }), safe.url)
  await context.exposeFunction('signInSafe', (raw: Hex) => owner.signMessage({ message: { raw } }))
  const page = await context.newPage()
  const sessionIn = async (kitPage: Page) => {
    await kitPage.goto(kitPage === page ? safe.url : own)
    const frame = kitPage.frame({ url: `${own}/` }) ?? kitPage.mainFrame()
    await frame.waitForFunction('window.restored')
    return frame
  }

  const frame = await sessionIn(page)
  await frame.waitForFunction('window.kit.getState().status === "unauthenticated"')
  expect(await frame.evaluate('kit.signIn()')).toMatchObject({ address: getAddress(contractAddress as Address) })
  const [cookie] = (await context.cookies()).filter(({ name }) => name === 'siwe-session')
  expect(cookie).toMatchObject({ sameSite: 'None', secure: true, httpOnly: true, domain: 'localhost' })
  expect(cookie?.partitionKey).toBeDefined()

  const later = await sessionIn(page)
  await later.waitForFunction('window.kit.getState().status === "connected"')
  // In a window of its own, the app does not know the Safe.
  const alone = await context.newPage()
  await sessionIn(alone)
  expect(await alone.evaluate('fetch("/auth/session").then((it) => it.json())')).toBeNull()
  expect(await later.evaluate('fetch("/auth/session").then((it) => it.json())')).toMatchObject({ chainId: 56 })
})
