// @vitest-environment node
import { type BrowserContextOptions, devices, type Page } from '@playwright/test'
import { expect, onTestFinished, test } from 'vitest'
import { buildPage } from '../../../test/buildPage.ts'
import { launchBrowser } from '../../../test/launchBrowser.ts'
import { servePage } from '../../../test/servePage.ts'

/** An app with its connect button in a modal of Radix, as those of shadcn/ui are, in one that it hides, and beside them. */
const app = `
  import * as Radix from '@radix-ui/react-dialog'
  import { createElement as h, useState } from 'react'
  import { createRoot } from 'react-dom/client'
  import { ConnectButton, WalletKitProvider } from '@lineage/wallet-kit'
  import { createWalletKit } from '@lineage/wallet-kit/core'
  import { announceWallet, createScriptedWallet } from '@lineage/wallet-kit/testing'
  import * as wallets from '@lineage/wallet-kit/wallets'
  import { custom } from 'viem'
  import { bsc } from 'viem/chains'

  const { provider } = createScriptedWallet({})
  announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider })
  const all = Object.entries(wallets).filter(([name]) => name.endsWith('Wallet')).map(([, wallet]) => wallet)
  const node = custom({ request: async ({ method }) => (method === 'eth_getBalance' ? '0x0' : null) }, { retryCount: 0 })
  const kit = window.kit = createWalletKit({
    appName: 'Page', chains: [bsc], transports: { 56: node }, wallets: [{ groupName: 'All', wallets: all.slice(0, 30) }],
  })
  const { isInside, isHidden } = window.settings
  function Cart() {
    const [isOpen, setIsOpen] = useState(false)
    const leave = () => {
      setIsOpen(false)
      void kit.openConnectDialog()
    }
    const content = [h(ConnectButton, { key: 1 }), h('button', { key: 2, onClick: leave }, 'Pay')]
    const modal = isHidden
      ? h('div', { className: 'cart', hidden: !isOpen }, content)
      : h(Radix.Root, { open: isOpen, onOpenChange: setIsOpen },
          h(Radix.Portal, {}, h(Radix.Overlay),
            h(Radix.Content, { className: 'cart', 'aria-describedby': undefined }, h(Radix.Title, {}, 'Cart'), content)))
    return h('main', {}, h('button', { onClick: () => setIsOpen(true) }, 'Open cart'), h('p', { style: { height: 3000 } }), modal)
  }
  const container = isInside ? () => document.querySelector('.cart') : undefined
  createRoot(document.getElementById('root')).render(h(WalletKitProvider, { kit, locale: 'en', container }, h(Cart)))
`

async function openCart(
  settings: { isInside?: boolean; isHidden?: boolean },
  options: BrowserContextOptions = {},
): Promise<Page> {
  const [files, browser] = await Promise.all([buildPage(app), launchBrowser()])
  const site = await servePage(files)
  const context = await browser.newContext(options)
  onTestFinished(async () => {
    await context.close()
    site.close()
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.addInitScript(`window.settings = ${JSON.stringify(settings)}`)
  await page.goto(site.url)
  await page.getByRole('button', { name: 'Open cart' }).click()
  return page
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Connect a Wallet' })
const rowOf = (page: Page) => dialogOf(page).getByRole('button', { name: 'MetaMask', exact: true })
const topOf = async (page: Page) => (await rowOf(page).boundingBox())?.y ?? 0

test('a modal of the app that lets nothing else scroll: the list scrolls by a wheel', async () => {
  const page = await openCart({})
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await dialogOf(page).waitFor()
  const before = await topOf(page)
  await rowOf(page).hover()
  await page.mouse.wheel(0, 200)
  await expect.poll(() => topOf(page)).toBeLessThan(before - 100)
})

test('a modal of the app that lets nothing else scroll: the list scrolls by a finger', async () => {
  const page = await openCart({}, devices['iPhone 15'])
  await page.getByRole('button', { name: 'Connect Wallet' }).tap()
  await dialogOf(page).waitFor()
  const before = await topOf(page)
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove', y: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x: 200, y }] })
  await touch('touchStart', 500)
  for (let y = 480; y > 300; y -= 20) await touch('touchMove', y)
  await expect.poll(() => topOf(page)).toBeLessThan(before - 100)
})

test('a modal of the app that hides what is beside it: screen readers find every wallet', async () => {
  const page = await openCart({})
  await page.keyboard.press('Escape')
  // Rendered when the page is idle, before the modal opens.
  await page.locator('dialog[data-early]').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Open cart' }).click()
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await rowOf(page).waitFor()
  await dialogOf(page).getByRole('button', { name: 'Ambire' }).waitFor()
  await dialogOf(page).getByRole('heading', { name: 'Connect a Wallet' }).waitFor()
})

test('a modal of the app that closes on a press outside: it stays, and gets the focus back', async () => {
  const page = await openCart({})
  const button = page.getByRole('button', { name: 'Connect Wallet' })
  await button.click()
  await dialogOf(page).getByRole('searchbox').click()
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
  expect(await button.evaluate((it) => it === document.activeElement)).toBe(true)
})

test('a modal of the app that hides the button which opened the dialog: the focus goes to the control nearest to it', async () => {
  const page = await openCart({ isInside: true, isHidden: true })
  await page.getByRole('button', { name: 'Pay' }).press('Enter')
  await dialogOf(page).waitFor()
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Open cart')
})

test.each([
  ['removes', false],
  ['hides', true],
])(
  'behavior: the app %s the modal that contains the dialog: it moves to the page, which works after it',
  async (_, isHidden) => {
    const page = await openCart({ isInside: true, isHidden })
    await page.getByRole('button', { name: 'Pay' }).click()
    await rowOf(page).click()
    await page.waitForFunction('window.kit.getState().status === "connected"')
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.mouse.wheel(0, 500)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Open cart' }).click()
    await page.getByRole('button', { name: 'Pay' }).waitFor()
  },
)

test.each([
  ['an open dialog', () => {}],
  ['the dialog that waits', (page: Page) => page.evaluate('kit.closeDialog()')],
])(
  'behavior: a modal of the app empties the container of %s: the next one works, and so does the page',
  async (_, prepare) => {
    const page = await openCart({ isInside: true, isHidden: true })
    await page.evaluate('void kit.openConnectDialog()')
    await dialogOf(page).waitFor()
    await prepare(page)
    await page.locator('.cart > dialog').waitFor({ state: 'attached' })
    await page.evaluate(() => {
      for (const part of document.querySelectorAll('.cart > :is(dialog, style)')) part.remove()
    })
    await page.evaluate('void kit.openConnectDialog()')
    await rowOf(page).click()
    await page.waitForFunction('window.kit.getState().status === "connected"')
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Pay' }).waitFor()
  },
)
