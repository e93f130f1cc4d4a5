// @vitest-environment node
import { expect, onTestFinished, test } from 'vitest'
import { buildPage } from '../../test/buildPage.ts'
import { launchBrowser } from '../../test/launchBrowser.ts'
import { servePage } from '../../test/servePage.ts'

/** Builds an app with a kit of its own. Its element has the name of the folder that the app is loaded from. */
const buildApp = () =>
  buildPage(`
    import { createElement } from 'react'
    import { createRoot } from 'react-dom/client'
    import { ConnectButton, WalletKitProvider } from '@lineage/wallet-kit'
    import { createWalletKit } from '@lineage/wallet-kit/core'
    import { announceWallet, createScriptedWallet } from '@lineage/wallet-kit/testing'
    import { defaultWallets } from '@lineage/wallet-kit/wallets'
    import { custom } from 'viem'
    import { bsc } from 'viem/chains'
    if (!window.wallet) {
      window.wallet = createScriptedWallet()
      announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider: window.wallet.provider })
    }
    const kit = createWalletKit({
      appName: 'Page', chains: [bsc], wallets: defaultWallets(),
      transports: { [bsc.id]: custom({ request: async () => null }) },
    })
    const provider = createElement(WalletKitProvider, { kit, locale: 'en' }, createElement(ConnectButton))
    createRoot(document.getElementById(import.meta.url.split('/').at(-2))).render(provider)
  `)

test('two copies of the kit on one page: what happens in one shows in the other at once', async () => {
  const [files, browser] = await Promise.all([buildApp(), launchBrowser()])
  const copyIn = (folder: string) => [...files].map(([path, code]) => [`/${folder}${path}`, code] as const)
  const html = `<!doctype html><title>Page</title><div id="one"></div><div id="two"></div>
    <script type="module" src="/one/index.js"></script><script type="module" src="/two/index.js"></script>`
  const site = await servePage(new Map([...copyIn('one'), ...copyIn('two')]), (request) =>
    new URL(request.url).pathname === '/page'
      ? Promise.resolve(new Response(html, { headers: { 'content-type': 'text/html' } }))
      : undefined,
  )
  const page = await browser.newPage()
  onTestFinished(async () => {
    await page.close()
    site.close()
  })
  const problems: unknown[] = []
  page.on('pageerror', (error) => problems.push(error))
  await page.goto(`${site.url}/page`)
  const [here, there] = [page.locator('#one'), page.locator('#two')]

  await here.getByRole('button', { name: 'Connect Wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true }).click()
  await here.getByRole('button', { name: '0xd8…6045' }).waitFor()
  await there.getByRole('button', { name: '0xd8…6045' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await here.getByRole('button', { name: 'Connect Wallet' }).waitFor()
  await there.getByRole('button', { name: 'Connect Wallet' }).waitFor()
  expect(problems).toEqual([])
})
