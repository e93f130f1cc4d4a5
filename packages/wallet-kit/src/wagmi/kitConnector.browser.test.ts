// @vitest-environment node
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { createPublicClient, http, recoverMessageAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { bsc } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findBrowser } from '../../../../scripts/lib/browser.ts'
import { runAnvil } from '../../../../scripts/vitest/runAnvil.ts'
import { buildPage } from '../../test/buildPage.ts'
import { createAuthServer } from '../../test/createAuthServer.ts'
import { createRelayServer, type RelayServer } from '../../test/createRelayServer.ts'
import { createRelayWallet } from '../../test/createRelayWallet.ts'
import { servePage } from '../../test/servePage.ts'

process.env.DISABLE_GLOBAL_CORE = 'true'

// The second and third account of anvil, with the keys that its documentation prints.
const keys = [
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
] as const
const accounts = keys.map((key) => privateKeyToAccount(key))
const [address, otherAddress] = accounts.map((account) => account.address)
const receiver = '0x000000000000000000000000000000000000dEaD'

let browser: Browser
let site: Awaited<ReturnType<typeof servePage>>
let chain: Awaited<ReturnType<typeof runAnvil>>
let relay: RelayServer

beforeAll(async () => {
  const files = await buildPage(`
    import { createElement as h, StrictMode } from 'react'
    import { createRoot } from 'react-dom/client'
    import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
    import { ConnectButton, WalletKitProvider } from '@lineage/wallet-kit'
    import { createWalletKit } from '@lineage/wallet-kit/core'
    import { announceWallet, createScriptedWallet } from '@lineage/wallet-kit/testing'
    import { siweAuthentication } from '@lineage/wallet-kit/siwe'
    import { kitConnector } from '@lineage/wallet-kit/wagmi'
    import { defaultWallets, rabbyWallet } from '@lineage/wallet-kit/wallets'
    import * as wagmi from 'wagmi'
    import { http } from 'viem'
    import { bsc, mainnet } from 'viem/chains'
    const { rpcUrl, relayUrl, keys, signsIn } = window.settings
    const authorized = 'walletKit.v1.connection' in localStorage
    const rdns = ['io.metamask', 'io.rabby']
    window.wallets = keys.map((privateKey, index) => {
      const wallet = createScriptedWallet({ privateKey, rpcUrl, authorized, knownChains: [1, 56] })
      announceWallet({ info: { name: rdns[index], rdns: rdns[index] }, provider: wallet.provider })
      return wallet
    })
    const chains = [bsc, mainnet]
    const transports = { [bsc.id]: http(rpcUrl), [mainnet.id]: http(rpcUrl) }
    const kit = window.kit = createWalletKit({
      appName: 'Page', projectId: 'test', relayUrl, chains, transports,
      authentication: signsIn ? { adapter: siweAuthentication({ baseUrl: '/auth' }), required: true } : undefined,
      wallets: [...defaultWallets(), { groupName: 'More', wallets: [rabbyWallet] }],
    })
    const config = window.config = wagmi.createConfig({
      chains, transports, connectors: [kitConnector(kit)], multiInjectedProviderDiscovery: false,
    })
    window.seen = []
    function App() {
      const { status, address, chainId } = wagmi.useConnection()
      const [connector] = wagmi.useConnectors()
      const hooks = {
        connect: [wagmi.useConnect(), { connector }], disconnect: [wagmi.useDisconnect(), {}],
        sign: [wagmi.useSignMessage(), { message: 'Hello' }],
        send: [wagmi.useSendTransaction(), { to: '${receiver}', value: 5n }],
        switch: [wagmi.useSwitchChain(), { chainId: 1 }],
        calls: [wagmi.useSendCalls(), { calls: [{ to: '${receiver}', value: 1n }] }],
      }
      const shown = [status, address, chainId].filter(Boolean).join(' ')
      if (window.seen.at(-1) !== shown) window.seen.push(shown)
      return h('main', {}, h('output', {}, shown), Object.entries(hooks).map(([name, [{ mutate, data, error }, variables]]) =>
        h('p', { key: name }, h('button', { onClick: () => mutate(variables) }, name),
          h('code', { id: name }, error ? error.name : typeof data === 'string' ? data : data ? 'done' : ''))))
    }
    createRoot(document.getElementById('root')).render(h(StrictMode, {},
      h(wagmi.WagmiProvider, { config }, h(QueryClientProvider, { client: new QueryClient() },
        h(WalletKitProvider, { kit }, h(ConnectButton), h(App))))))
  `)
  ;[browser, chain, relay] = await Promise.all([
    findBrowser().then((options) => chromium.launch(options)),
    runAnvil(),
    createRelayServer(),
  ])
  site = await servePage(files, createAuthServer(chain.url))
})
afterAll(async () => {
  await Promise.all([browser?.close(), relay?.close()])
  await chain?.stop()
  site?.close()
})

async function openContext(settings: { signsIn?: boolean } = {}): Promise<BrowserContext> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  await context.route('**/*', (route) => {
    const { origin } = new URL(route.request().url())
    return [site.url, chain.url].includes(origin) ? route.continue() : route.abort()
  })
  await context.addInitScript((settings) => Object.assign(window, { settings }), {
    rpcUrl: chain.url,
    relayUrl: relay.url,
    keys,
    ...settings,
  })
  return context
}

async function openPage(context?: BrowserContext) {
  const page = await (context ?? (await openContext())).newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto(site.url)
  await page.locator('output').waitFor()
  return { page, problems }
}

const shows = (page: Page, text: string) => page.locator('output').getByText(text, { exact: true }).waitFor()
const press = (page: Page, name: string) => page.locator('main').getByRole('button', { name, exact: true }).click()
const result = async (page: Page, name: string) => {
  await page.waitForFunction(`document.getElementById('${name}').textContent`)
  return page.locator(`#${name}`).textContent()
}
const pick = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const questions = (page: Page, method = 'eth_requestAccounts', wallet = 0) =>
  page.evaluate(`wallets[${wallet}].requests.filter((it) => it.method === '${method}').length`)

async function connected(context?: BrowserContext) {
  const opened = await openPage(context)
  await opened.page.evaluate('kit.connect({ walletId: "metaMask" }).then(() => undefined)')
  await shows(opened.page, `connected ${address} 56`)
  return opened
}

describe('over an installed wallet', () => {
  test('wagmi’s connect opens the dialog and resolves with the account, after one question', async () => {
    const { page, problems } = await openPage()
    await press(page, 'connect')
    await pick(page, 'MetaMask')
    await shows(page, `connected ${address} 56`)
    expect(await result(page, 'connect')).toBe('done')
    expect(await questions(page)).toBe(1)
    expect(await questions(page, 'wallet_requestPermissions')).toBe(0)
    expect(problems).toEqual([])
  })

  test('a connection made in the kit’s dialog appears in wagmi without another question', async () => {
    const { page, problems } = await openPage()
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await pick(page, 'MetaMask')
    await shows(page, `connected ${address} 56`)
    expect(await questions(page)).toBe(1)
    expect(problems).toEqual([])
  })

  test('behavior: the dialog is closed: wagmi’s connect is rejected, and can be called again', async () => {
    const { page } = await openPage()
    await press(page, 'connect')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    expect(await result(page, 'connect')).toBe('UserRejectedRequestError')
    await shows(page, 'disconnected')
    await press(page, 'connect')
    await pick(page, 'MetaMask')
    await shows(page, `connected ${address} 56`)
  })

  test('signs and sends', async () => {
    const { page } = await connected()
    await press(page, 'sign')
    const signature = (await result(page, 'sign')) as `0x${string}`
    expect(await recoverMessageAddress({ message: 'Hello', signature })).toBe(address)
    await press(page, 'send')
    const hash = (await result(page, 'send')) as `0x${string}`
    const node = createPublicClient({ chain: bsc, transport: http(chain.url) })
    const { from, to, value } = await node.getTransaction({ hash })
    expect([from.toLowerCase(), to?.toLowerCase(), value]).toEqual([address?.toLowerCase(), receiver.toLowerCase(), 5n])
  })

  test('behavior: the person rejects the request', async () => {
    const { page } = await connected()
    await page.evaluate('wallets[0].setBehaviour("personal_sign", "reject")')
    await press(page, 'sign')
    expect(await result(page, 'sign')).toBe('UserRejectedRequestError')
    await page.evaluate('wallets[0].setBehaviour("wallet_switchEthereumChain", "reject")')
    await press(page, 'switch')
    expect(await result(page, 'switch')).toBe('UserRejectedRequestError')
    await shows(page, `connected ${address} 56`)
  })

  test('follows the account and the chain, from the wallet and from wagmi', async () => {
    const { page } = await connected()
    await page.evaluate(`wallets[0].setAccounts(['${otherAddress}'])`)
    await shows(page, `connected ${otherAddress} 56`)
    await page.evaluate('wallets[0].setChain(1)')
    await shows(page, `connected ${otherAddress} 1`)
    await page.evaluate('wallets[0].setChain(56)')
    await press(page, 'switch')
    await shows(page, `connected ${otherAddress} 1`)
  })

  test('restores the connection after a reload without a question', async () => {
    const { page } = await connected()
    await page.reload()
    await shows(page, `connected ${address} 56`)
    expect(await questions(page)).toBe(0)
    await press(page, 'sign')
    expect(await result(page, 'sign')).toMatch(/^0x[0-9a-f]{130}$/)
    await press(page, 'disconnect')
    await shows(page, 'disconnected')
    await page.reload()
    await page.waitForFunction('seen.at(-1) === "disconnected" && config.state.status === "disconnected"')
    expect(await page.evaluate('kit.getState().status')).toBe('disconnected')
  })

  test('disconnects from either side, and connects again', async () => {
    const { page } = await connected()
    await press(page, 'disconnect')
    await shows(page, 'disconnected')
    expect(await page.evaluate('kit.getState().status')).toBe('disconnected')
    await page.evaluate('kit.connect({ walletId: "metaMask" }).then(() => undefined)')
    await shows(page, `connected ${address} 56`)
    await page.evaluate('kit.disconnect()')
    await shows(page, 'disconnected')
    await press(page, 'connect')
    await pick(page, 'MetaMask')
    await shows(page, `connected ${address} 56`)
    await page.evaluate('wallets[0].lock()')
    await shows(page, 'disconnected')
  })

  test('a second wallet takes the place of the first', async () => {
    const { page } = await connected()
    await page.evaluate('kit.connect({ walletId: "rabby" }).then(() => undefined)')
    await shows(page, `connected ${otherAddress} 56`)
    await press(page, 'sign')
    const signature = (await result(page, 'sign')) as `0x${string}`
    expect(await recoverMessageAddress({ message: 'Hello', signature })).toBe(otherAddress)
    await page.evaluate(`wallets[0].setAccounts(['${receiver}'])`)
    await page.evaluate('wallets[1].setChain(1)')
    await shows(page, `connected ${otherAddress} 1`)
  })

  test('another tab: disconnecting there disconnects here', async () => {
    const context = await openContext()
    const { page } = await connected(context)
    const { page: other } = await openPage(context)
    await shows(other, `connected ${address} 56`)
    await press(other, 'disconnect')
    await shows(page, 'disconnected')
  })

  test('behavior: wagmi is busy while the kit connects: it follows afterwards', async () => {
    const { page } = await openPage()
    await page.waitForFunction('config.state.status === "disconnected"')
    await page.evaluate('config.setState((state) => ({ ...state, status: "connecting" }))')
    await page.evaluate('kit.connect({ walletId: "metaMask" }).then(() => undefined)')
    await page.evaluate('config.setState((state) => ({ ...state, status: "disconnected" }))')
    await shows(page, `connected ${address} 56`)
  })

  test('sends calls', async () => {
    const { page } = await connected()
    await page.evaluate('wallets[0].setBehaviour("wallet_sendCalls", { result: { id: "bundle" } })')
    await press(page, 'calls')
    expect(await result(page, 'calls')).toBe('done')
  })
})

describe('a required sign-in', () => {
  const openSignIn = async () => openPage(await openContext({ signsIn: true }))
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Verify your account' })

  test('wagmi is connected once the person has signed, and after a reload', async () => {
    const { page, problems } = await openSignIn()
    await press(page, 'connect')
    await pick(page, 'MetaMask')
    await dialog(page).waitFor()
    await shows(page, 'connecting')
    await dialog(page).getByRole('button', { name: 'Sign message' }).click()
    await shows(page, `connected ${address} 56`)
    expect(await result(page, 'connect')).toBe('done')

    await page.reload()
    await shows(page, `connected ${address} 56`)
    expect(await questions(page, 'personal_sign')).toBe(0)
    await page.evaluate('kit.signOut()')
    await shows(page, 'disconnected')
    expect(problems).toEqual([])
  })

  test('behavior: the person does not sign: wagmi’s connect is rejected', async () => {
    const { page } = await openSignIn()
    await press(page, 'connect')
    await pick(page, 'MetaMask')
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    expect(await result(page, 'connect')).toBe('UserRejectedRequestError')
    await shows(page, 'disconnected')
    expect(await page.evaluate('kit.getState().status')).toBe('disconnected')
  })

  test('behavior: the account changes: wagmi is disconnected until that one has signed', async () => {
    const { page } = await openSignIn()
    await press(page, 'connect')
    await pick(page, 'MetaMask')
    await dialog(page).getByRole('button', { name: 'Sign message' }).click()
    await shows(page, `connected ${address} 56`)
    await page.evaluate(`wallets[0].setAccounts(['${otherAddress}'])`)
    await shows(page, 'disconnected')
    expect(await page.evaluate('kit.getState().status')).toBe('unauthenticated')
  })
})

describe('over the relay', () => {
  /** Opens a page that is connected to a wallet on another device. */
  async function openConnected(context?: BrowserContext) {
    const wallet = await createRelayWallet({
      relayUrl: relay.url,
      privateKeys: keys,
      chainIds: [56, 1],
      rpcUrl: chain.url,
    })
    onTestFinished(() => wallet.close())
    const { page, problems } = await openPage(context)
    await press(page, 'connect')
    await pick(page, 'WalletConnect')
    const uri = await page.waitForFunction(`/wc:[^"]+/.exec(JSON.stringify(kit.getState().dialog))?.[0]`)
    await wallet.approve(await wallet.scan(String(await uri.jsonValue())))
    await shows(page, `connected ${address} 56`)
    /** Answers the page's next request. */
    const answer = async () => {
      await expect.poll(() => wallet.requests).toHaveLength(1)
      await wallet.answer(wallet.requests.shift() as (typeof wallet.requests)[number])
    }
    return { page, problems, wallet, answer }
  }

  test('after a reload it signs and sends, and shows the account and chain of the wallet until that disconnects', async () => {
    const { page, wallet, answer, problems } = await openConnected()
    await page.reload()
    await shows(page, `connected ${address} 56`)
    await press(page, 'sign')
    await answer()
    const signature = (await result(page, 'sign')) as `0x${string}`
    expect(await recoverMessageAddress({ message: 'Hello', signature })).toBe(address)

    await press(page, 'send')
    await answer()
    const hash = (await result(page, 'send')) as `0x${string}`
    const node = createPublicClient({ chain: bsc, transport: http(chain.url) })
    const { to, value } = await node.getTransaction({ hash })
    expect([to?.toLowerCase(), value]).toEqual([receiver.toLowerCase(), 5n])

    await wallet.emit('accountsChanged', [`eip155:56:${otherAddress}`])
    await shows(page, `connected ${otherAddress} 56`)
    await wallet.emit('chainChanged', 1, 1)
    await shows(page, `connected ${otherAddress} 1`)
    await wallet.disconnect()
    await shows(page, 'disconnected')
    expect(problems).toEqual([])
  })

  test('wagmi’s disconnect ends the session in the wallet, and in another tab', async () => {
    const context = await openContext()
    const { page, wallet } = await openConnected(context)
    const { page: other } = await openPage(context)
    await shows(other, `connected ${address} 56`)
    await press(page, 'disconnect')
    await shows(page, 'disconnected')
    await shows(other, 'disconnected')
    await expect.poll(() => wallet.deleted).toHaveLength(1)
    await page.reload()
    await page.waitForFunction('seen.at(-1) === "disconnected" && config.state.status === "disconnected"')
  })

  test('a second wallet takes its place', async () => {
    const { page, wallet } = await openConnected()
    await page.evaluate('kit.connect({ walletId: "rabby" }).then(() => undefined)')
    await shows(page, `connected ${otherAddress} 56`)
    await press(page, 'sign')
    const signature = (await result(page, 'sign')) as `0x${string}`
    expect(await recoverMessageAddress({ message: 'Hello', signature })).toBe(otherAddress)
    expect(wallet.requests).toEqual([])
  })
})
