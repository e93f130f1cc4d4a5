// @vitest-environment node
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findBrowser } from '../../../../scripts/lib/browser.ts'
import { buildPage } from '../../test/buildPage.ts'

const app = 'https://app.example'
const address = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const signature = `0x${'a'.repeat(130)}`

let browser: Browser
let files: Map<string, string>
beforeAll(async () => {
  files = await buildPage(`
    import { createWalletKit } from '@lineage/wallet-kit/core'
    import { defaultWallets } from '@lineage/wallet-kit/wallets'
    import { custom } from 'viem'
    import { bsc } from 'viem/chains'
    window.kit = createWalletKit({
      appName: 'App', chains: [bsc], wallets: defaultWallets(),
      transports: { [bsc.id]: custom({ request: async () => null }) },
    })
    window.restored = window.kit.reconnect()
  `)
  browser = await chromium.launch(await findBrowser())
}, 120_000)
afterAll(() => browser?.close())

/** The page around: it answers as Safe's does, unless told to be silent. */
const parentPage = (reply: string) => `<!doctype html><iframe src="${app}/" title="App"></iframe><script>
  window.questions = []
  addEventListener('message', ({ source, origin, data }) => {
    if (!data?.method) return
    questions.push({ method: data.method, origin })
    const answer = { ${reply} }[data.method]
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
