// @vitest-environment node
import type { Browser } from '@playwright/test'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildPage } from '../../test/buildPage.ts'
import { launchBrowser } from '../../test/launchBrowser.ts'

const app = 'https://app.example'

let browser: Browser
let files: ReadonlyMap<string, string>
beforeAll(async () => {
  files = await buildPage(`
    import { createWalletKit, toWalletKitError } from '@lineage/wallet-kit/core'
    import { defaultWallets } from '@lineage/wallet-kit/wallets'
    import { custom } from 'viem'
    import { bsc } from 'viem/chains'
    const kit = createWalletKit({
      appName: 'App', chains: [bsc], wallets: defaultWallets({ loadCoinbase: () => import('@coinbase/wallet-sdk') }),
      transports: { [bsc.id]: custom({ request: async () => null }) },
    })
    void kit.openConnectDialog()
    document.querySelector('button').onclick = () =>
      kit.connect({ walletId: 'coinbase' }).catch((thrown) => { document.title = toWalletKitError(thrown).shortMessage })
    document.title = 'ready'
  `)
  browser = await launchBrowser()
})

/** Returns the files that only the SDK has. */
const sdkFiles = () => [...files].filter(([, code]) => code.includes('keys.coinbase.com')).map(([path]) => path)

async function open({ withSdk = true } = {}) {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const asked: string[] = []
  await context.route('**/*', (route) => {
    const url = new URL(route.request().url())
    asked.push(url.origin === app ? url.pathname : url.origin)
    if (!withSdk && sdkFiles().includes(url.pathname)) return route.fulfill({ status: 404 })
    const file = url.origin === app ? files.get(url.pathname) : ''
    if (file !== undefined) return route.fulfill({ contentType: 'text/javascript', body: file })
    const body = '<!doctype html><button>Connect</button><script type="module" src="/index.js"></script>'
    return route.fulfill({ contentType: 'text/html', body })
  })
  const page = await context.newPage()
  await page.goto(app)
  await page.waitForFunction('document.title === "ready"')
  return { context, page, asked }
}

test('loads the SDK when the wallet is picked, and opens Coinbase', async () => {
  const { context, page, asked } = await open()
  expect(sdkFiles()).not.toEqual([])
  expect(asked.filter((path) => sdkFiles().includes(path) || path.startsWith('https:'))).toEqual([])
  const popup = context.waitForEvent('page')
  await page.getByRole('button').click()
  expect(new URL((await popup).url()).origin).toBe('https://keys.coinbase.com')
  expect(asked).toEqual(expect.arrayContaining(sdkFiles()))
  expect(asked.filter((path) => path.startsWith('https:'))).toEqual(['https://keys.coinbase.com'])
})

test('behavior: the SDK cannot be fetched: the error says so', async () => {
  const { page } = await open({ withSdk: false })
  await page.getByRole('button').click()
  await page.waitForFunction('document.title !== "ready"')
  expect(await page.title()).toMatch(/^Failed to fetch dynamically imported module/)
})
