// @vitest-environment node
import { type BrowserContextOptions, devices } from '@playwright/test'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildPage } from '../../test/buildPage.ts'
import { launchBrowser } from '../../test/launchBrowser.ts'

/** A page of two islands, each with a root, a provider and a language of its own, which share one kit. */
const source = `
  import { createElement, StrictMode } from 'react'
  import { createRoot } from 'react-dom/client'
  import { ConnectButton, WalletKitProvider } from '@lineage/wallet-kit'
  import { createWalletKit } from '@lineage/wallet-kit/core'
  import { announceWallet, createScriptedWallet } from '@lineage/wallet-kit/testing'
  import { defaultWallets } from '@lineage/wallet-kit/wallets'
  import { custom } from 'viem'
  import { bsc } from 'viem/chains'
  announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask', uuid: 'page' }, provider: createScriptedWallet().provider })
  const kit = window.kit = createWalletKit({
    appName: 'Page', chains: [bsc], wallets: defaultWallets(),
    transports: { [bsc.id]: custom({ request: async () => null }) },
  })
  window.roots = ['en', 'de'].map((locale) => {
    const root = createRoot(document.getElementById(locale))
    const island = createElement(WalletKitProvider, { kit, locale }, createElement(ConnectButton))
    root.render(window.isStrict ? createElement(StrictMode, {}, island) : island)
    return root
  })
`

async function openPage(isStrict: boolean, context: BrowserContextOptions = {}) {
  const files = await buildPage(source, { mode: isStrict ? 'development' : 'production' })
  const opened = await (await launchBrowser()).newContext(context)
  onTestFinished(() => opened.close())
  const page = await opened.newPage()
  page.setDefaultTimeout(6_000)
  const problems: string[] = []
  page.on('console', (it) => ['error', 'warning'].includes(it.type()) && problems.push(it.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.route('https://app.example/**', (route) => {
    const file = files.get(new URL(route.request().url()).pathname)
    const html = '<!doctype html><html lang="en"><title>Page</title><body><div id="en"></div><div id="de"></div>'
    return file === undefined
      ? route.fulfill({ contentType: 'text/html', body: `${html}<script type="module" src="/index.js"></script>` })
      : route.fulfill({ contentType: 'text/javascript', body: file })
  })
  await page.addInitScript(`window.isStrict = ${isStrict}`)
  await page.goto('https://app.example/')
  return { page, problems }
}

describe.each([
  ['two islands with one kit', false],
  ['two islands with one kit in strict mode', true],
])('%s', (_, isStrict) => {
  test('behavior: one dialog opens, whichever button is pressed, in the language of the first', async () => {
    const { page, problems } = await openPage(isStrict)
    const dialog = page.locator('dialog[open]')
    for (const name of ['Connect Wallet', 'Wallet verbinden']) {
      await page.getByRole('button', { name }).click()
      await page.getByRole('dialog', { name: 'Connect a Wallet' }).waitFor()
      expect(await dialog.count()).toBe(1)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    expect(await page.evaluate('document.adoptedStyleSheets.length')).toBe(0)
    await page.getByRole('button', { name: 'Wallet verbinden' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'MetaMask' }).click()
    const account = page.getByRole('button', { name: /0xd8…6045/ })
    await expect.poll(() => account.count()).toBe(2)
    await account.last().click()
    await page.getByRole('dialog', { name: 'Account' }).waitFor()
    expect(await dialog.count()).toBe(1)
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
    expect(problems).toEqual([])
  })

  test('behavior: when the first is unmounted, the second draws the open dialog, and the next one', async () => {
    // On a phone, where Back closes a dialog.
    const { page, problems } = await openPage(isStrict, devices['Pixel 7'])
    const dialog = page.locator('dialog[open]')
    await page.getByRole('button', { name: 'Wallet verbinden' }).click()
    await page.getByRole('dialog', { name: 'Connect a Wallet' }).waitFor()
    await page.evaluate('window.roots[0].unmount()')
    await page.getByRole('dialog', { name: 'Wallet verbinden' }).waitFor()
    expect(await dialog.count()).toBe(1)
    expect(await page.evaluate('kit.getState().dialog.name')).toBe('connect')
    await expect.poll(() => page.evaluate('history.state?.openLayers')).toBe(1)
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.evaluate('[document.adoptedStyleSheets.length, kit.getState().dialog.name]')).toEqual([0, 'none'])
    await page.getByRole('button', { name: 'Wallet verbinden' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'MetaMask' }).click()
    await page.getByRole('button', { name: /0xd8…6045/ }).waitFor()
    expect(problems).toEqual([])
  })
})
