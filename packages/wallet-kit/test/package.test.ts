import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBrowser } from '../../../scripts/lib/browser.ts'
import { createRelayServer, type RelayServer } from './createRelayServer.ts'
import { publicTypes, snapshotOf } from './publicTypes.ts'
import { servePage } from './servePage.ts'

const run = promisify(execFile)
const kit = join(import.meta.dirname, '..')
// Inside the kit, so that React, MUI and viem are resolved like an app's.
const host = join(kit, 'reports/host')
const installed = join(host, 'node_modules/@lineage/wallet-kit')

/** A minimal app. */
const page = `
  import { createElement } from 'react'
  import { createRoot } from 'react-dom/client'
  import { ConnectButton, WalletKitProvider } from '@lineage/wallet-kit'
  import { createWalletKit } from '@lineage/wallet-kit/core'
  import { defaultWallets } from '@lineage/wallet-kit/wallets'
  import { http } from 'viem'
  import { bsc } from 'viem/chains'
  const kit = createWalletKit({
    appName: 'Host', projectId: 'test', relayUrl: window.relayUrl, locale: 'en',
    chains: [bsc], transports: { [bsc.id]: http('/rpc') }, wallets: defaultWallets({ loadCoinbase: () => import('@coinbase/wallet-sdk') }),
  })
  createRoot(document.getElementById('root')).render(
    createElement(WalletKitProvider, { kit }, createElement(ConnectButton)),
  )
`

let tarball: string
let browser: Browser
let relay: RelayServer
let files: Map<string, string>
let site: Awaited<ReturnType<typeof servePage>>

beforeAll(async () => {
  rmSync(host, { recursive: true, force: true })
  mkdirSync(installed, { recursive: true })
  const { stdout } = await run('pnpm', ['pack', '--json', '--pack-destination', host], { cwd: kit })
  tarball = JSON.parse(stdout).filename
  await run('tar', ['xzf', tarball, '--strip-components=1', '-C', installed])
  writeFileSync(join(host, 'page.js'), page)
  // Vite's defaults: no alias, condition or plugin.
  const built = await build({
    root: host,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      modulePreload: false,
      rollupOptions: { input: { index: join(host, 'page.js') }, output: { entryFileNames: '[name].js' } },
    },
  })
  const outputs = [built].flat().flatMap((it) => ('output' in it ? it.output : []))
  files = new Map(outputs.flatMap((it) => (it.type === 'chunk' ? [[`/${it.fileName}`, it.code]] : [])))
  ;[site, browser, relay] = await Promise.all([
    servePage(files),
    findBrowser().then((options) => chromium.launch(options)),
    createRelayServer(),
  ])
})
afterAll(async () => {
  await Promise.all([browser?.close(), relay?.close()])
  site?.close()
  rmSync(host, { recursive: true, force: true })
})

test('publint finds nothing', async () => {
  const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true })
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
})

test('a server component may use the components, and a server what has none', () => {
  const isClient = (entry: string) => /^['"]use client['"]/.test(readFileSync(join(installed, 'dist', entry), 'utf8'))
  const entries = readdirSync(join(installed, 'dist')).filter((file) => /^[a-z-]+\.js$/.test(file))
  expect(entries.filter(isClient)).toEqual(['hooks.js', 'index.js'])
  const others = ['core.js', 'siwe.js', 'siwe-server.js', 'testing.js', 'wagmi.js', 'wallets.js']
  expect(entries).toEqual(expect.arrayContaining(others))
})

test('its types are found by every way in which ESM is resolved', async () => {
  const attw = join(kit, 'node_modules/.bin/attw')
  // Exits with an error if it finds a problem.
  await run(attw, [tarball, '--profile', 'esm-only'])
})

test('no wagmi or other kit beneath it; the viem it wants is a range that the README names', () => {
  const described = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const { dependencies, peerDependencies, peerDependenciesMeta } = described
  const needed = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  expect(needed).toEqual(['viem'])
  const names = [...Object.keys(dependencies), ...needed]
  expect(names.filter((name) => /wagmi|rainbowkit|connectkit|appkit|web3modal/.test(name))).toEqual([])
  expect(peerDependencies.viem).toMatch(/^\^2\.\d+\.0$/)
  expect(readFileSync(join(installed, 'README.md'), 'utf8')).toContain(`\`${peerDependencies.viem}\``)
})

test('no source, and every licence with its text', () => {
  expect(readdirSync(installed).sort()).toEqual([
    'CHANGELOG.md',
    'ICONS-LICENSE.txt',
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
  ])
  const texts = readFileSync(join(installed, 'dist/relayClient.LICENSES.txt'), 'utf8').split(`\n${'-'.repeat(80)}\n\n`)
  const names = texts.map((text) => /^(\S+) /.exec(text)?.[1])
  expect(names).toEqual(
    expect.arrayContaining(['@walletconnect/ethereum-provider', '@walletconnect/sign-client', 'es-toolkit', 'viem']),
  )
  expect(new Set(names).size).toBe(names.length)
  for (const text of texts) expect(text.length).toBeGreaterThan(500)
  expect(names.filter((name) => /reown|appkit|lit/.test(name ?? ''))).toEqual([])
})

test('nothing of the relay is loaded or contacted before the click; then its one file alone, to a code', async () => {
  const client = [...files].filter(([, code]) => code.includes('wc_sessionPropose')).map(([name]) => name)
  expect(client).toHaveLength(1)
  // The dialogs that the client would open are custom elements.
  for (const [, code] of files) expect(code).not.toMatch(/customElements|w3m-modal|createAppKit=\w+\.createAppKit/)

  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript((relayUrl) => Object.assign(window, { relayUrl }), relay.url)
  const asked: string[] = []
  await context.route('**/*', (route) => {
    const url = new URL(route.request().url())
    asked.push(url.origin === site.url ? url.pathname : url.origin)
    return url.origin === site.url ? route.continue() : route.abort()
  })
  const page = await context.newPage()
  page.on('websocket', (socket) => asked.push(new URL(socket.url()).origin))
  await page.goto(site.url)
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  const row = page.getByRole('dialog').getByRole('button', { name: 'WalletConnect', exact: true })
  await row.waitFor()
  await page.waitForLoadState('networkidle')
  expect(asked.filter((it) => it.includes('://') || it === client[0])).toEqual([])
  const before = asked.splice(0)

  await row.click()
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  const scripts = asked.filter((it) => files.has(it) && !before.includes(it))
  expect(scripts).toContain(client[0])
  const large = scripts.filter((it) => (files.get(it)?.length ?? 0) > 100_000)
  expect(large).toEqual(client)
  expect(new Set(asked.filter((it) => it.includes('://')))).toEqual(
    new Set([relay.url, 'https://verify.walletconnect.org']),
  )
  await context.close()
})

test('behavior: a release publishes every entry with its types, the texts and the licences', async () => {
  const { stdout } = await run('pnpm', ['publish', '--dry-run', '--no-git-checks', '--json'], { cwd: kit })
  const paths = new Set(JSON.parse(stdout).files.map(({ path }: { path: string }) => `./${path}`))
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  for (const target of Object.values<Record<string, string>>(exports).flatMap((entry) => Object.values(entry)))
    expect(paths, target).toContain(target)
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', 'ICONS-LICENSE.txt', 'dist/relayClient.LICENSES.txt'])
    expect(paths).toContain(`./${file}`)
})

const entries = readdirSync(join(kit, 'src/exports')).filter((file) => !file.includes('.test.'))

// After an intended change: pnpm -F @lineage/wallet-kit test:package -u
test.each(entries)('behavior: the public types of %s are those of the snapshot', async (file) => {
  const entry = join(installed, 'dist', file.replace(/\.ts$/, '.d.ts'))
  await expect(publicTypes(entry)).toMatchFileSnapshot(snapshotOf(entry))
})
