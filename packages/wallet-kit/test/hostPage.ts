import type { BrowserContextOptions, Page } from '@playwright/test'
import { onTestFinished } from 'vitest'
import { removeNewer } from '../../../scripts/lib/visitorBrowsers.ts'
import { type BuildPageOptions, buildPage } from './buildPage.ts'
import { launchBrowser } from './launchBrowser.ts'

/** Settings of the app around the kit. */
export type HostSettings = {
  /** Configuration of the kit. */
  kit?: object
  /** Options of the provider. */
  provider?: object
  /** Configuration of a second kit. */
  second?: object
  /** Options of the scripted wallet. */
  wallet?: object
  locale?: string
  dir?: 'ltr' | 'rtl'
  /** Options of the kit's own theme. */
  theme?: object
  /** Options of an MUI theme for the kit only. */
  plainTheme?: object
  /** Theme of a part of the app, inside `hostTheme`. */
  innerTheme?: object
  /** The app's MUI theme, which the kit takes. */
  hostTheme?: object
  /** URL of the icon of "Scan Wallet". */
  icon?: string
  /** Renders a field that takes the focus, as soon as there is an account. */
  field?: boolean
  /** Renders parts of the app: a picture of each account, terms below the wallets, and a text while a wallet connects. */
  ownParts?: boolean
  /** Renders the kit in a modal of the app. */
  modal?: boolean
  strict?: boolean
  authentication?: { required?: boolean; options?: object }
  /** `true` if the node never answers requests for the balance. */
  silentNode?: boolean
  /** `true` while the node rejects requests for the balance. */
  failingNode?: boolean
}

export type HostPageOptions = {
  settings?: HostSettings
  headers?: Record<string, string>
  context?: BrowserContextOptions
  /** Runs before the page's own script. */
  init?: string
  html?: string
}

const source = `
  import { createElement as h, StrictMode, useState } from 'react'
  import { createPortal } from 'react-dom'
  import { createRoot } from 'react-dom/client'
  import createCache from '@emotion/cache'
  import { CacheProvider } from '@emotion/react'
  import Dialog from '@mui/material/Dialog'
  import Button from '@mui/material/Button'
  import { createTheme, ThemeProvider, useTheme } from '@mui/material/styles'
  import { ConnectButton, createWalletKitTheme, useWalletConnection, useWalletKitState, WalletKitProvider } from '@lineage/wallet-kit'
  import { createWalletKit } from '@lineage/wallet-kit/core'
  import { themeFromMui } from '@lineage/wallet-kit/mui'
  import { announceWallet, createScriptedWallet } from '@lineage/wallet-kit/testing'
  import { binanceWallet, bitgetWallet, defaultWallets, imTokenWallet, injectedConnector, okxWallet, rabbyWallet, safepalWallet, tokenPocketWallet, trustWallet } from '@lineage/wallet-kit/wallets'
  import { createScriptedAuthentication } from '/src/testing/createScriptedAuthentication.ts'
  import { createScriptedRelay } from '/src/testing/scriptedConnectors.ts'
  import { custom } from 'viem'
  import { bsc, mainnet } from 'viem/chains'

  const s = window.settings
  window.wallet = createScriptedWallet({ knownChains: [1, 56], ...s.wallet })
  const rest = window.announced = announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask', uuid: 'page' }, provider: window.wallet.provider })
  const relay = window.relay = createScriptedRelay({ uris: ['wc:' + 'a'.repeat(64) + '@2?relay-protocol=irn&symKey=' + 'b'.repeat(64)] })
  const scan = { id: 'scan', name: 'Scan Wallet', iconUrl: s.icon ?? 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>', iconBackground: '#fff', downloadUrls: { chrome: 'https://a.example', ios: 'https://i.example', android: 'https://g.example', qrCode: 'https://q.example' }, connectors: [injectedConnector(), relay.connector] }
  const node = custom({ request: async ({ method }) => (s.silentNode ? new Promise(() => {}) : method !== 'eth_getBalance' ? null : s.failingNode ? Promise.reject(new Error('Down')) : '0x1121d33597384000') }, { retryCount: 0 })
  const create = (config) => createWalletKit({
    appName: 'Page', chains: [bsc, mainnet], transports: { 56: node, 1: node },
    wallets: [...defaultWallets(), { groupName: 'More', wallets: [scan, binanceWallet, okxWallet, trustWallet, tokenPocketWallet, safepalWallet, bitgetWallet, imTokenWallet, rabbyWallet] }],
    ...(s.authentication && { authentication: { adapter: createScriptedAuthentication(s.authentication.options), required: s.authentication.required } }),
    ...config,
  })
  const kit = window.kit = create(s.kit)
  const second = window.second = s.second && create(s.second)
  if (s.dir) document.documentElement.dir = s.dir

  function Modal({ children }) {
    const [open, setOpen] = useState(false)
    return h('div', {}, h(Button, { onClick: () => setOpen(true) }, 'Cart'), h(Dialog, { open, onClose: () => setOpen(false), slotProps: { paper: { 'aria-label': 'Cart' } } }, children))
  }
  const ownTheme = s.theme ? createWalletKitTheme(s.theme) : s.plainTheme ? themeFromMui(createTheme(s.plainTheme)) : undefined
  function Provider(props) {
    const muiTheme = useTheme()
    return h(WalletKitProvider, { theme: ownTheme ?? (s.hostTheme && themeFromMui(muiTheme)), ...props })
  }
  const Field = () => (useWalletConnection().address ? h('input', { autoFocus: true, 'aria-label': 'Amount' }) : null)
  const Waiting = () => (useWalletKitState(({ status }) => status) === 'connecting' ? createPortal(h('p', {}, 'Look into your wallet'), document.body) : null)
  const ownParts = s.ownParts && { avatar: () => h('img', { className: 'picture', alt: '' }), disclaimer: h('p', { className: 'terms' }, 'Terms') }
  const provider = (one, label) => h(Provider, { kit: one, locale: s.locale ?? 'en', nonce: window.__nonce__, ...ownParts, ...s.provider },
    h('main', {}, h('p', { translate: 'no' }, 'Text ', h('a', { href: '#before' }, 'Before')), h(ConnectButton, label ? { label } : {}), s.field && h(Field), s.ownParts && h(Waiting), h('p', {}, h('a', { href: '#after' }, 'After'))))
  let page = [h('div', { key: 1 }, provider(kit, s.second ? 'First' : undefined)), second && h('div', { key: 2 }, provider(second, 'Second'))]
  if (s.modal) page = h(Modal, {}, page)
  if (s.innerTheme) page = h(ThemeProvider, { theme: createTheme(s.innerTheme) }, page)
  if (s.hostTheme) page = h(ThemeProvider, { theme: createTheme(s.hostTheme) }, page)
  if (s.modal && window.__nonce__) page = h(CacheProvider, { value: createCache({ key: 'css', nonce: window.__nonce__ }) }, page)
  if (s.strict) page = h(StrictMode, {}, page)
  const root = window.root = createRoot(document.getElementById('root'))
  root.render(page)
`

/** Opens the page of an app in a real browser, built like an app would. */
export async function createHostPages(options: BuildPageOptions = { mode: 'production' }) {
  const files = await buildPage(source, options)
  const browser = await launchBrowser()

  async function open({ settings = {}, headers = {}, context, init = '', html }: HostPageOptions = {}) {
    const opened = await browser.newContext(context)
    onTestFinished(() => opened.close())
    const page = await opened.newPage()
    page.setDefaultTimeout(60_000)
    const problems = listen(page)
    await page.route('https://app.example/**', (route) => {
      const file = files.get(new URL(route.request().url()).pathname)
      return file === undefined
        ? route.fulfill({ contentType: 'text/html', headers, body: html ?? pageOf('') })
        : route.fulfill({ contentType: 'text/javascript', body: file, headers: { 'access-control-allow-origin': '*' } })
    })
    await page.addInitScript(removeNewer)
    await page.addInitScript(`window.settings = ${JSON.stringify(settings)}; ${init}`)
    await page.goto('https://app.example/')
    return { page, problems }
  }
  return { files, browser, open }
}

/** Returns the page's HTML, with the policy's nonce on its script. */
export const pageOf = (attributes: string, before = '') =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Page</title>${before}<body><div id="root"></div><script type="module" src="/index.js" ${attributes}></script>`

/** Collects the errors and console messages of a page. */
function listen(page: Page): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  return problems
}
