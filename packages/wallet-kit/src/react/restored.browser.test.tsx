// @vitest-environment node
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { bsc } from 'viem/chains'
import { expect, onTestFinished, test } from 'vitest'
import { buildPage } from '../../test/buildPage.ts'
import { launchBrowser } from '../../test/launchBrowser.ts'
import { createWalletKit } from '../core/createWalletKit.ts'
import { storageKey } from '../core/lib/storage.ts'
import { defaultWallets } from '../wallets/defaultWallets.ts'
import { ConnectButton } from './ConnectButton/ConnectButton.tsx'
import { WalletKitProvider } from './WalletKitProvider.tsx'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const connection = JSON.stringify({ walletId: 'metaMask', kind: 'injected', rdns: 'io.metamask', address, chainId: 56 })

/** The guide's way to hide the button of a server's page until the page's scripts run, if somebody was connected. */
const recipe = {
  head: `<script>
    try {
      if (localStorage.getItem('walletKit.v1.connection')) document.documentElement.dataset.connected = ''
    } catch {}
  </script>
  <style>[data-connected] .wallet { visibility: hidden }</style>`,
  source: `
    import { createElement as h, useLayoutEffect } from 'react'
    import { hydrateRoot } from 'react-dom/client'
    import { ConnectButton, WalletKitProvider } from '@lineage/wallet-kit'
    import { createWalletKit } from '@lineage/wallet-kit/core'
    import { announceWallet, createScriptedWallet } from '@lineage/wallet-kit/testing'
    import { defaultWallets } from '@lineage/wallet-kit/wallets'
    import { custom } from 'viem'
    import { bsc } from 'viem/chains'
    if (window.hasWallet) {
      const { provider } = createScriptedWallet({ authorized: true })
      announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask', uuid: 'page' }, provider })
    }
    const transports = { [bsc.id]: custom({ request: async () => null }) }
    const kit = createWalletKit({ appName: 'Page', chains: [bsc], transports, wallets: defaultWallets() })
    function Wallet() {
      useLayoutEffect(() => document.documentElement.removeAttribute('data-connected'), [])
      return h('div', { className: 'wallet' }, h(ConnectButton))
    }
    hydrateRoot(document.getElementById('root'), h(WalletKitProvider, { kit }, h(Wallet)))
  `,
}

function renderOnServer(): string {
  const transports = { [bsc.id]: 'https://node.example' }
  const kit = createWalletKit({ appName: 'Page', chains: [bsc], transports, wallets: defaultWallets() })
  const wallet = createElement('div', { className: 'wallet' }, createElement(ConnectButton))
  return renderToString(createElement(WalletKitProvider, { kit }, wallet))
}

/**
 * Opens the page, whose script comes once its HTML was painted. Returns the visible texts of the button with the time of the
 * first frame of each, in their order, and the times of the requests.
 */
async function open(head: string, { stored = connection, hasWallet = true, last = /0xd8/ } = {}) {
  const files = await buildPage(recipe.source)
  const context = await (await launchBrowser()).newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  let start = () => {}
  const painted = new Promise<void>((resolve) => {
    start = resolve
  })
  await page.route('https://app.example/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    const file = files.get(pathname)
    if (pathname === '/index.js') await painted
    return file === undefined
      ? route.fulfill({
          contentType: 'text/html',
          body: `<!doctype html><html lang="en"><head><title>Page</title>${head}</head><body><div id="root">${renderOnServer()}</div><script type="module" src="/index.js"></script>`,
        })
      : route.fulfill({ contentType: 'text/javascript', body: file })
  })
  await page.addInitScript(
    ({ key, stored, hasWallet }) => {
      if (stored) localStorage.setItem(key, stored)
      const seen = new Map<string, number>()
      Object.assign(window, { seen, hasWallet })
      let paints = 0
      const look = () => {
        const button = document.querySelector('button')
        const text = button?.checkVisibility({ visibilityProperty: true }) ? (button.textContent ?? '') : undefined
        if (text !== undefined && !seen.has(text)) seen.set(text, performance.now())
        if (button) Object.assign(window, { paints: ++paints })
        requestAnimationFrame(look)
      }
      look()
    },
    { key: storageKey('connection'), stored, hasWallet },
  )
  await page.goto('https://app.example/', { waitUntil: 'commit' })
  await page.waitForFunction('window.paints > 2')
  start()
  await page.getByRole('button', { name: last }).waitFor()
  await page.waitForFunction("document.querySelector('button').ariaBusy !== 'true'")
  return page.evaluate(() => ({
    seen: [...(window as unknown as { seen: Map<string, number> }).seen],
    requests: performance.getEntriesByType('resource').map(({ name, startTime }) => [name, startTime] as const),
  }))
}

/** Opens the page. Returns the visible texts of the button, in their order. */
const visit = async (...parameters: Parameters<typeof open>) => (await open(...parameters)).seen.map(([text]) => text)

test('behavior: until its scripts run, a server’s page says "Connect Wallet" also to a person who was connected', async () => {
  expect((await visit(''))[0]).toBe('Connect Wallet')
})

test('behavior: with the recipe of the guide, no frame of the page says "Connect Wallet" to a person who was connected', async () => {
  const seen = await visit(recipe.head)
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.join()).not.toContain('Connect')
})

test('behavior: with the recipe, the button is shown at once to others, and in the end without the wallet', async () => {
  const last = /Connect Wallet/
  expect(await visit(recipe.head, { stored: '', last })).toEqual(['Connect Wallet'])
  const seen = await visit(recipe.head, { hasWallet: false, last })
  expect(seen.at(-1)).toBe('Connect Wallet')
  expect(seen[0]).not.toBe('Connect Wallet')
})

test('behavior: the account is painted before the code of a connected wallet is asked for', async () => {
  const { seen, requests } = await open('')
  const paintedAt = seen.find(([text]) => text.includes('0xd8'))?.[1]
  const askedAt = requests.find(([url]) => url.endsWith('/connected.js'))?.[1]
  expect(askedAt).toBeGreaterThan(paintedAt ?? Number.NaN)
})
