// @vitest-environment node
import { type Browser, type BrowserContextOptions, chromium, devices, type Page } from '@playwright/test'
import jsQR from 'jsqr'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findBrowser } from '../../../../scripts/lib/browser.ts'
import { runAnvil } from '../../../../scripts/vitest/runAnvil.ts'
import { buildPage } from '../../test/buildPage.ts'
import { createAuthServer } from '../../test/createAuthServer.ts'
import { createRelayServer, type RelayServer } from '../../test/createRelayServer.ts'
import { createRelayWallet } from '../../test/createRelayWallet.ts'
import { servePage } from '../../test/servePage.ts'

process.env.DISABLE_GLOBAL_CORE = 'true'

const receiver = '0x000000000000000000000000000000000000dEaD'

let browser: Browser
let files: ReadonlyMap<string, string>
let site: Awaited<ReturnType<typeof servePage>>
let relay: RelayServer
let chain: Awaited<ReturnType<typeof runAnvil>>

beforeAll(async () => {
  const source = `
    import { createElement } from 'react'
    import { createRoot } from 'react-dom/client'
    import { ConnectButton, WalletKitProvider } from '@lineage/wallet-kit'
    import { createWalletKit } from '@lineage/wallet-kit/core'
    import { siweAuthentication } from '@lineage/wallet-kit/siwe'
    import { defaultWallets, injectedConnector, walletConnectConnector } from '@lineage/wallet-kit/wallets'
    import { http } from 'viem'
    import { bsc, mainnet } from 'viem/chains'
    const { rpcUrl, uriTimeout, signsIn, oneApproval, ...rest } = window.settings
    const isEarlier = location.search === '?earlier'
    // As in earlier versions, with the client's own storage.
    const load = async () => {
      const { EthereumProvider } = await import('@walletconnect/ethereum-provider')
      return { EthereumProvider: { init: ({ storage, ...options }) => EthereumProvider.init(options) } }
    }
    const connectors = [injectedConnector(), walletConnectConnector({ uriTimeout, ...(isEarlier && { load }) })]
    const chains = [bsc, mainnet].map((chain) => ({ ...chain, contracts: {} }))
    const groups = defaultWallets()
    if (oneApproval)
      for (const group of groups)
        group.wallets = group.wallets.map((it) => ({ ...it, connectCapabilities: ['signInWithEthereum'] }))
    window.kit = createWalletKit({
      appName: 'Test page', projectId: 'test', ...rest, chains,
      ...(signsIn && { authentication: { adapter: siweAuthentication({ baseUrl: '/auth' }), required: true } }),
      transports: { [bsc.id]: http(rpcUrl), [mainnet.id]: http(rpcUrl) },
      wallets: uriTimeout === undefined && !isEarlier
        ? groups
        : groups.map((group) => ({ ...group, wallets: group.wallets.map((it) => ({ ...it, connectors })) })),
    })
    createRoot(document.getElementById('root')).render(
      createElement(WalletKitProvider, { kit: window.kit }, createElement(ConnectButton)),
    )
  `
  // The dialogs of the earlier client are never opened.
  files = await buildPage(source, { instead: { '@reown/appkit/core': 'zustand' } })
  ;[browser, relay, chain] = await Promise.all([
    findBrowser().then((options) => chromium.launch(options)),
    createRelayServer(),
    runAnvil(),
  ])
  site = await servePage(files, createAuthServer(chain.url))
})
afterAll(async () => {
  await Promise.all([browser?.close(), relay?.close()])
  await chain?.stop()
  site?.close()
})

/** The verify host of the relay client answers here as on the internet. */
const verifyPage = `<script>
  const seal = (it) => btoa(JSON.stringify(it)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')
  const id = new URLSearchParams(location.search).get('id')
  const attestation = [seal({ alg: 'ES256', typ: 'JWT' }), seal({ id }), 'AAAA'].join('.')
  parent.postMessage(JSON.stringify({ type: 'verify_attestation', attestation }), '*')
</script>`

/** Lets the page ask for a signature, and the wallet sign it. */
async function sign(page: Page, wallet: Awaited<ReturnType<typeof createWallet>>): Promise<void> {
  const signing = page.evaluate(
    `kit.provider.request({ method: 'personal_sign', params: ['0x6869', '${wallet.addresses[0]}'] })`,
  )
  await until(() => expect(wallet.requests).toHaveLength(1))
  await wallet.answer(wallet.requests[0] as never)
  expect(await signing).toMatch(/^0x[0-9a-f]{130}$/)
}

async function open({
  settings = {},
  context: contextOptions = {},
  script = '',
}: {
  settings?: Record<string, unknown>
  context?: BrowserContextOptions
  /** Runs on each page first. */
  script?: string
} = {}) {
  const context = await browser.newContext(contextOptions)
  onTestFinished(() => context.close())
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const asked: string[] = []
  await context.route('**/*', (route) => {
    const url = new URL(route.request().url())
    asked.push(url.origin === site.url ? url.pathname : url.origin)
    if (url.hostname === 'verify.walletconnect.org')
      return route.fulfill({ contentType: 'text/html', body: verifyPage })
    return [site.url, chain.url].includes(url.origin) ? route.continue() : route.abort()
  })
  await context.addInitScript((settings) => Object.assign(window, { settings }), {
    relayUrl: relay.url,
    rpcUrl: chain.url,
    ...settings,
  })
  await context.addInitScript(script)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error.stack)))
  onTestFinished(() => expect(errors).toEqual([]))
  page.on('websocket', (socket) => asked.push(new URL(socket.url()).origin))
  await page.goto(site.url)
  const dialog = page.getByRole('dialog')
  return {
    page,
    asked,
    errors,
    dialog,
    pick: async (wallet: string) => {
      await page.getByRole('button', { name: 'Connect Wallet' }).click()
      await dialog.getByRole('button', { name: wallet, exact: true }).click()
    },
    status: () => page.evaluate('kit.getState().status'),
    state: () => page.evaluate('kit.getState()') as Promise<{ address?: string; chainId?: number; status: string }>,
  }
}

async function createWallet(chainIds = [56], signsIn = false) {
  const wallet = await createRelayWallet({ relayUrl: relay.url, rpcUrl: chain.url, chainIds, signsIn })
  onTestFinished(() => wallet.close())
  return wallet
}

/** Reads the QR code on the screen like a phone's camera, once it differs from `previous`. */
async function scan(page: Page, previous?: string): Promise<string> {
  let text: string | undefined
  await until(async () => {
    const code = page.getByRole('img', { name: /^QR code/ })
    const picture = await code.screenshot({ timeout: 60_000 })
    const { data, width, height } = PNG.sync.read(picture)
    text = jsQR(new Uint8ClampedArray(data), width, height)?.data
    if (!text) throw new Error(`No code can be read: data:image/png;base64,${picture.toString('base64')}`)
    if (text === previous) throw new Error(`The code has not changed: ${text}`)
  })
  return text as unknown as string
}

/** Waits until `check` does not throw. */
const until = (check: () => Promise<void> | void) => expect.poll(async () => [await check()]).toHaveLength(1)

/** Opens a page that is connected to a wallet, which scanned its code. */
async function openConnected(chainIds = [56], status = 'connected', settings = {}) {
  const [opened, wallet] = await Promise.all([open({ settings }), createWallet(chainIds)])
  await opened.pick('WalletConnect')
  await wallet.approve(await wallet.scan(await scan(opened.page)))
  await until(async () => expect(await opened.status()).toBe(status))
  return { ...opened, wallet }
}

test('nothing is loaded or contacted before a wallet is picked; then a code that a wallet reads', async () => {
  const [{ page, dialog, asked, pick, state }, wallet] = await Promise.all([open(), createWallet()])
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await dialog.getByRole('button', { name: 'Rainbow', exact: true }).waitFor()
  const client = [...files].find(([, code]) => code.includes('wc_sessionPropose'))?.[0]
  expect(client).toBeDefined()
  expect(client).not.toBe('/index.js')
  expect(asked.filter((it) => it === client || it.includes('://'))).toEqual([])
  await page.keyboard.press('Escape')

  await pick('Rainbow')
  await dialog.getByRole('heading', { name: 'Scan with Rainbow' }).waitFor()
  const code = new URL(await scan(page))
  expect(code.href).toMatch(/^https:\/\/rnbwapp\.com\/wc\?uri=wc%3A/)
  expect(asked.filter((it) => it.includes('://')).sort()).toEqual(
    expect.arrayContaining(['https://verify.walletconnect.org', relay.url]),
  )
  expect(asked.filter((it) => /:\/\/(pulse|api|rpc)\./.test(it))).toEqual([])
  await wallet.approve(await wallet.scan(code.searchParams.get('uri') ?? ''))
  await dialog.waitFor({ state: 'hidden' })
  expect(await state()).toMatchObject({ status: 'connected', address: wallet.addresses[0], chainId: 56 })
})

test('signs, sends a transaction, and follows the wallet to another account and chain', async () => {
  const { page, wallet, state } = await openConnected([56, 1])
  await sign(page, wallet)

  const sending = page.evaluate(`(async () => {
    const { account, writeContract, ...client } = await kit.getWalletClient()
    return client.sendTransaction({ account, to: '${receiver}', value: 7n, chain: client.chain })
  })()`)
  await until(() => expect(wallet.requests).toHaveLength(2))
  await wallet.answer(wallet.requests[1] as never)
  const hash = await sending
  expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
  const receipt = page.evaluate(
    `kit.getPublicClient().then((client) => client.waitForTransactionReceipt({ hash: '${hash}' })).then((it) => it.status)`,
  )
  expect(await receipt).toBe('success')

  await wallet.emit('accountsChanged', [`eip155:56:${wallet.addresses[1]}`])
  await until(async () => expect((await state()).address).toBe(wallet.addresses[1]))
  await wallet.emit('chainChanged', 1, 1)
  await until(async () => expect((await state()).chainId).toBe(1))
})

test('behavior: declined in the wallet, a new code by itself', async () => {
  const [{ page, dialog, pick, status }, wallet] = await Promise.all([open(), createWallet()])
  await pick('WalletConnect')
  await dialog.getByRole('heading', { name: 'Scan with your phone' }).waitFor()
  const first = await scan(page)
  await wallet.reject(await wallet.scan(first))
  const second = await scan(page, first)
  await dialog.getByText('The request was declined. Here is a new code.', { exact: true }).waitFor()
  await wallet.approve(await wallet.scan(second))
  await until(async () => expect(await status()).toBe('connected'))
})

test('behavior: closed, approved late, and tried again', async () => {
  const [{ page, dialog, pick, status }, wallet] = await Promise.all([open(), createWallet()])
  await pick('WalletConnect')
  const first = await scan(page)
  const proposal = await wallet.scan(first)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await pick('WalletConnect')
  const second = await scan(page, first)
  await until(() => expect(wallet.wallet.core.pairing.pairings.getAll()).toHaveLength(0))
  await expect(wallet.approve(proposal)).rejects.toThrow()
  expect(await status()).toBe('connecting')
  await wallet.approve(await wallet.scan(second))
  await until(async () => expect(await status()).toBe('connected'))
  expect(Object.keys(wallet.wallet.getActiveSessions())).toHaveLength(1)
})

test('a reload restores the session; one that the wallet ended meanwhile is gone', async () => {
  const { page, wallet, status, state } = await openConnected()
  await page.reload()
  await until(async () => expect(await status()).toBe('connected'))
  expect((await state()).address).toBe(wallet.addresses[0])
  const open = relay.open()
  await page.goto('about:blank')
  await until(() => expect(relay.open()).toBe(open - 1))
  await wallet.disconnect()
  await page.goto(site.url)
  await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
  await until(async () => expect(await status()).toBe('disconnected'))
})

test('an update of the kit keeps the session that the client itself stored', async () => {
  const [{ page, pick, status, state }, wallet] = await Promise.all([open(), createWallet()])
  await page.goto(`${site.url}/?earlier`)
  await pick('WalletConnect')
  await wallet.approve(await wallet.scan(await scan(page)))
  await until(async () => expect(await status()).toBe('connected'))
  await page.goto(site.url)
  await until(async () => expect(await state()).toMatchObject({ status: 'connected', address: wallet.addresses[0] }))
  await sign(page, wallet)
})

describe('a reload while the code is open', () => {
  /** Opens a page that shows a code, and a wallet that has scanned it. */
  async function openScanned(script = '') {
    const [opened, wallet] = await Promise.all([open({ script }), createWallet()])
    await opened.pick('WalletConnect')
    return { ...opened, wallet, proposal: await wallet.scan(await scan(opened.page)) }
  }
  const sessionsOf = ({ wallet }: Awaited<ReturnType<typeof createWallet>>) => Object.keys(wallet.getActiveSessions())

  test('the wallet approves afterwards: the page is connected, also on the next load', async () => {
    const { page, wallet, proposal, status, state } = await openScanned()
    await page.reload()
    await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
    expect(await status()).toBe('disconnected')
    await wallet.approve(proposal)
    await until(async () => expect(await state()).toMatchObject({ status: 'connected', address: wallet.addresses[0] }))
    await sign(page, wallet)
    await page.reload()
    await until(async () => expect(await status()).toBe('connected'))
    expect(sessionsOf(wallet)).toHaveLength(1)
  })

  test('the wallet approves while there is no page: the next one is connected', async () => {
    const { page, wallet, proposal, status } = await openScanned()
    const open = relay.open()
    await page.goto('about:blank')
    await until(() => expect(relay.open()).toBe(open - 1))
    const approving = wallet.approve(proposal)
    await page.goto(site.url)
    await approving
    await until(async () => expect(await status()).toBe('connected'))
    await sign(page, wallet)
  })

  test.each(['while the next page waits', 'while there is no page'])(
    'behavior: rejected in the wallet %s: the dialog says so, and Retry shows another code',
    async (time) => {
      const { page, wallet, proposal, status, dialog } = await openScanned()
      if (time === 'while there is no page') {
        const open = relay.open()
        await page.goto('about:blank')
        await until(() => expect(relay.open()).toBe(open - 1))
        await wallet.reject(proposal)
        await page.goto(site.url)
      } else {
        await page.reload()
        await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
        await wallet.reject(proposal)
      }
      await dialog.getByRole('heading', { name: 'Not connected' }).waitFor()
      await dialog.getByRole('button', { name: 'Retry' }).click()
      await wallet.approve(await wallet.scan(await scan(page)))
      await until(async () => expect(await status()).toBe('connected'))
      await page.reload()
      await until(async () => expect(await status()).toBe('connected'))
    },
  )

  describe('one approval to connect and to sign in', () => {
    /** Opens a page that shows a code, and a wallet that has scanned it. */
    async function openAsked() {
      const settings = { signsIn: true, oneApproval: true }
      const [opened, wallet] = await Promise.all([open({ settings }), createWallet([56], true)])
      await opened.pick('WalletConnect')
      return { ...opened, wallet, asked: await wallet.scanToSignIn(await scan(opened.page)) }
    }

    test.each(['while the next page waits', 'while there is no page'])(
      'behavior: approved %s: it is connected, and the button leads to the signature',
      async (time) => {
        const { page, wallet, asked, state } = await openAsked()
        const open = relay.open()
        if (time === 'while there is no page') {
          await page.goto('about:blank')
          await until(() => expect(relay.open()).toBe(open - 1))
          await wallet.approveSignIn(asked)
          await page.goto(site.url)
        } else {
          await page.reload()
          await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
          await until(() => expect(relay.open()).toBe(open))
          await wallet.approveSignIn(asked)
        }
        await until(async () =>
          expect(await state()).toMatchObject({ status: 'unauthenticated', address: wallet.addresses[0] }),
        )
        await page.getByRole('button', { name: 'Verify your account' }).click()
        await page.getByRole('button', { name: 'Sign message' }).click()
        await until(() => expect(wallet.requests).toHaveLength(1))
        await wallet.answer(wallet.requests[0] as never)
        await until(async () => expect((await state()).status).toBe('connected'))
        await page.reload()
        await until(async () => expect((await state()).status).toBe('connected'))
        expect(sessionsOf(wallet)).toHaveLength(1)
      },
    )

    test('behavior: a message that cannot be decoded arrives first: the approval still counts', async () => {
      const { page, wallet, asked, state } = await openAsked()
      const open = relay.open()
      await page.reload()
      await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
      await until(() => expect(relay.open()).toBe(open))
      const readWaiting = () =>
        page.evaluate(`(async () => {
          const [{ client }] = globalThis[Symbol.for('@lineage/wallet-kit/relay-clients')].values()
          const { core, auth } = await client
          const [{ topic }] = auth.pairingTopics.getAll()
          const { events } = core.relayer
          if (events.listenerCount('relayer_message') === 0) return false
          events.emit('relayer_message', { topic, message: btoa('\\x01' + '\\0'.repeat(80)), publishedAt: Date.now() })
          return true
        })()`)
      await until(async () => expect(await readWaiting()).toBe(true))
      await wallet.approveSignIn(asked)
      await until(async () =>
        expect(await state()).toMatchObject({ status: 'unauthenticated', address: wallet.addresses[0] }),
      )
    })

    test('behavior: rejected while the next page waits: the dialog says so', async () => {
      const { page, wallet, asked, dialog } = await openAsked()
      await page.reload()
      await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
      await wallet.rejectSignIn(asked)
      await dialog.getByRole('heading', { name: 'Not connected' }).waitFor()
    })
  })

  test('behavior: the wallet rejects another request of the pairing: its answer to the code still counts', async () => {
    const { page, wallet, proposal, status } = await openScanned()
    await page.reload()
    await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
    const { core } = wallet.wallet
    const topic = proposal.params.pairingTopic
    const rejection = { id: proposal.id + 1, jsonrpc: '2.0', error: { code: 5000, message: 'User rejected.' } } as const
    await core.relayer.publish(topic, (await core.crypto.encode(topic, rejection)) ?? '')
    await wallet.approve(proposal)
    await until(async () => expect(await status()).toBe('connected'))
    expect(await page.evaluate('kit.getState().dialog.name')).toBe('none')
  })

  test('behavior: a wallet was connected before, whose session has ended: the page is connected anew', async () => {
    const { page, wallet, status, pick } = await openConnected()
    await page.evaluate('connection = localStorage["walletKit.v1.connection"]')
    await page.evaluate('kit.disconnect()')
    await until(() => expect(sessionsOf(wallet)).toEqual([]))
    await pick('WalletConnect')
    const proposal = await wallet.scan(await scan(page))
    await page.evaluate('localStorage["walletKit.v1.connection"] = connection')
    await page.reload()
    await until(async () => expect(await status()).toBe('disconnected'))
    await wallet.approve(proposal)
    await until(async () => expect(await status()).toBe('connected'))
    await sign(page, wallet)
  })

  test('behavior: another code is asked for: the wallet cannot approve the first one any more', async () => {
    const { page, wallet, proposal, status, pick } = await openScanned()
    await page.reload()
    await pick('WalletConnect')
    const second = await scan(page)
    await until(() => expect(wallet.wallet.core.pairing.pairings.getAll()).toHaveLength(0))
    await expect(wallet.approve(proposal)).rejects.toThrow()
    await wallet.approve(await wallet.scan(second))
    await until(async () => expect(await status()).toBe('connected'))
    expect(sessionsOf(wallet)).toHaveLength(1)
  })

  test('behavior: the code was closed before, or has expired: nothing is loaded or contacted', async () => {
    const { page, pick, asked } = await openScanned()
    const relayOf = () => asked.filter((it) => it === relay.url)
    await page.keyboard.press('Escape')
    await until(() => expect(asked).toContain(relay.url))
    const reload = async () => {
      await page.clock.install()
      asked.length = 0
      await page.reload()
      await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
      await page.evaluate('kit.reconnect()')
      expect(relayOf()).toEqual([])
    }
    await reload()
    await pick('WalletConnect')
    await scan(page)
    await page.evaluate(`{
      const session = JSON.parse(localStorage['walletKit.v1.session'])
      session.pairing.expiry = Date.now()
      localStorage['walletKit.v1.session'] = JSON.stringify(session)
    }`)
    await reload()
  })

  /** Reloads the page, and lets it wait for the script of the client, or of the relay's code, which loads it. */
  async function reloadWithoutClient(page: Page, script = 'relayClient') {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(`**/${script}.js`, (route) => released.then(() => route.fallback()))
    const asked = page.waitForRequest(`**/${script}.js`)
    await page.reload()
    await asked
    return { release }
  }
  const locks = (page: Page) =>
    page.evaluate('navigator.locks.query().then(({ held }) => held.filter(({ name }) => /^walletKit/.test(name)))')
  async function openTab({ page, errors }: Pick<Awaited<ReturnType<typeof open>>, 'page' | 'errors'>) {
    const tab = await page.context().newPage()
    tab.on('pageerror', (error) => errors.push(String(error.stack)))
    await tab.goto(site.url)
    await tab.getByRole('button', { name: 'Connect Wallet' }).waitFor()
    return tab
  }

  test('behavior: disconnected while the client loads: the lock is free, and a session of the code is ended', async () => {
    const { page, wallet, proposal, status } = await openScanned()
    await page.evaluate('session = localStorage["walletKit.v1.session"]')
    await wallet.approve(proposal)
    await until(async () => expect(await status()).toBe('connected'))
    // The page ended before it used the session.
    await page.evaluate(`{
      localStorage['walletKit.v1.session'] = session
      delete localStorage['walletKit.v1.connection']
    }`)
    const { release } = await reloadWithoutClient(page)
    expect(await locks(page)).toHaveLength(1)
    await page.evaluate('kit.disconnect()')
    await until(async () => expect(await locks(page)).toEqual([]))
    release()
    await until(() => expect(wallet.deleted).toHaveLength(1))
    expect(await status()).toBe('disconnected')
  })

  const readPairing = (page: Page) => page.evaluate('JSON.parse(localStorage["walletKit.v1.session"]).pairing')
  const pairingsOf = ({ wallet }: Awaited<ReturnType<typeof createWallet>>) => wallet.core.pairing.pairings.getAll()

  test('behavior: the last wallet, an extension, is restored: the code is withdrawn', async () => {
    const account = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
    const { page, wallet, proposal, state } = await openScanned(`{
      const answers = { eth_chainId: '0x38', eth_accounts: ['${account}'] }
      const provider = { on() {}, removeListener() {}, request: async ({ method }) => answers[method] ?? null }
      const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'Acme', rdns: 'example.acme', icon: 'data:image/svg+xml,' }
      const detail = Object.freeze({ info, provider })
      addEventListener('eip6963:requestProvider', () =>
        dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
      )
    }`)
    const connection = {
      walletId: 'example.acme',
      kind: 'injected',
      rdns: 'example.acme',
      address: account,
      chainId: 56,
    }
    await page.evaluate((text) => localStorage.setItem('walletKit.v1.connection', text), JSON.stringify(connection))
    await page.reload()
    await until(() => expect(pairingsOf(wallet)).toEqual([]))
    await expect(wallet.approve(proposal)).rejects.toThrow()
    expect(await readPairing(page)).toBeUndefined()
    expect(await state()).toMatchObject({ status: 'connected', address: account })
  })

  test('behavior: the kit is destroyed while it waits: the next one gets the answer', async () => {
    const { page, wallet, proposal, status } = await openScanned()
    const [open, connections] = [relay.open(), relay.connections()]
    await page.reload()
    await until(async () => expect(await locks(page)).toHaveLength(1))
    // The connection of the page before may still be open.
    await until(() => expect([relay.open(), relay.connections()]).toEqual([open, connections + 1]))
    await page.evaluate('kit.destroy()')
    await until(() => expect(relay.open()).toBe(open - 1))
    await page.reload()
    await wallet.approve(proposal)
    await until(async () => expect(await status()).toBe('connected'))
    await sign(page, wallet)
  })

  test('behavior: the stored code ends later than any code, because the clock was changed: withdrawn', async () => {
    const { page, wallet, status } = await openScanned()
    await page.evaluate(() => {
      const session = JSON.parse(localStorage['walletKit.v1.session'])
      session.pairing.expiry = Date.now() + 3_600_000
      localStorage['walletKit.v1.session'] = JSON.stringify(session)
    })
    await page.reload()
    await until(() => expect(pairingsOf(wallet)).toEqual([]))
    expect(await readPairing(page)).toBeUndefined()
    expect(await status()).toBe('disconnected')
  })

  test('behavior: the client does not load here: another tab is connected, and stays so when it loads', async () => {
    const { page, wallet, proposal, errors } = await openScanned()
    await page.addInitScript('settings.uriTimeout = 500')
    const { release } = await reloadWithoutClient(page)
    const second = await openTab({ page, errors })
    const approving = wallet.approve(proposal)
    await until(async () => expect(await second.evaluate('kit.getState().status')).toBe('connected'))
    await approving
    const open = relay.open()
    release()
    await until(() => expect(relay.open()).toBe(open + 1))
    await sign(second, wallet)
    expect(wallet.deleted).toEqual([])
  })

  test('behavior: a page without TLS, which has no locks: another tab leaves the code to the first one', async () => {
    const { page, wallet, proposal, status, errors } = await openScanned(
      `Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined })`,
    )
    const second = await openTab({ page, errors })
    await second.evaluate('kit.reconnect()')
    await until(async () => expect(await second.evaluate('kit.getState().attempt')).toBeUndefined())
    await wallet.approve(proposal)
    await until(async () => expect(await status()).toBe('connected'))
    await sign(page, wallet)
  })

  test.each([
    ['client', 'relayClient'],
    ['relay’s code', 'createRelay'],
  ])('behavior: approved and disconnected while the %s loads: the session is ended', async (_, script) => {
    const { page, wallet, proposal, status } = await openScanned()
    const open = relay.open()
    const { release } = await reloadWithoutClient(page, script)
    await until(() => expect(relay.open()).toBe(open - 1))
    const approving = wallet.approve(proposal)
    approving.catch(() => {})
    await until(() => expect(sessionsOf(wallet)).toHaveLength(1))
    await page.evaluate('kit.disconnect()')
    release()
    await until(() => expect(sessionsOf(wallet)).toEqual([]))
    expect(await status()).toBe('disconnected')
  })

  test('behavior: another tab, opened meanwhile, leaves the code to the first one', async () => {
    const { page, wallet, proposal, status, errors } = await openScanned()
    const second = await openTab({ page, errors })
    await second.getByRole('button', { name: 'Connect Wallet' }).click()
    await second.getByRole('dialog').getByRole('button', { name: 'WalletConnect', exact: true }).click()
    await scan(second)
    await second.keyboard.press('Escape')
    await wallet.approve(proposal)
    await until(async () => expect(await status()).toBe('connected'))
    await sign(page, wallet)
    expect(sessionsOf(wallet)).toHaveLength(1)
  })

  test('behavior: another tab connects another wallet meanwhile: a late answer ends only its own session', async () => {
    const [{ page, wallet, proposal, errors }, other] = await Promise.all([openScanned(), createWallet()])
    await page.reload()
    await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
    const second = await openTab({ page, errors })
    const uri = await second.evaluate(
      `new Promise((onUri) => { kit.connect({ walletId: 'walletConnect', onUri }).catch(() => {}) })`,
    )
    await other.approve(await other.scan(String(uri)))
    await until(async () => expect(await second.evaluate('kit.getState().status')).toBe('connected'))
    await wallet.approve(proposal)
    await until(() => expect(wallet.deleted).toHaveLength(1))
    await sign(second, other)
    expect(sessionsOf(other)).toHaveLength(1)
  })
})

test('behavior: a code of another tab is shown anew: the session of this tab survives a reload', async () => {
  const [first, wallet] = await Promise.all([open(), createWallet()])
  await first.page.clock.install()
  await first.pick('WalletConnect')
  const code = await scan(first.page)
  const page = await first.page.context().newPage()
  await page.goto(site.url)
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'WalletConnect', exact: true }).click()
  await wallet.approve(await wallet.scan(await scan(page)))
  const status = () => page.evaluate('kit.getState().status')
  await until(async () => expect(await status()).toBe('connected'))
  await first.page.clock.fastForward(301_000)
  await scan(first.page, code)
  await page.reload()
  await until(async () => expect(await status()).toBe('connected'))
  await sign(page, wallet)
})

describe('two tabs', () => {
  /** Opens a connected page in two tabs. The relay sends each message to one of them only. */
  async function openTwo() {
    const first = await openConnected([56, 1])
    const page = await first.page.context().newPage()
    page.on('pageerror', (error) => first.errors.push(String(error.stack)))
    await page.goto(site.url)
    const read = () => page.evaluate('kit.getState()') as ReturnType<typeof first.state>
    await until(async () => expect((await read()).status).toBe('connected'))
    return { ...first, tabs: [first, { page, state: read }] }
  }

  test('behavior: each gets the answers to its own requests', async () => {
    const { wallet, tabs } = await openTwo()
    for (const { page } of tabs) {
      await sign(page, wallet)
      wallet.requests.length = 0
    }
  })

  test('behavior: both follow the wallet to another account and chain, and to the end of the session', async () => {
    const { wallet, tabs } = await openTwo()
    const all = (expected: object) =>
      until(async () => {
        for (const { state } of tabs) expect(await state()).toMatchObject(expected)
      })
    await wallet.emit('accountsChanged', [wallet.addresses[1]])
    await all({ address: wallet.addresses[1] })
    await wallet.emit('chainChanged', 1, 1)
    await all({ chainId: 1 })
    await wallet.grant([56])
    await all({ chainId: 56 })
    await wallet.disconnect()
    await all({ status: 'disconnected' })
  })

  test('behavior: a second tab connects another wallet in place of the session: the first one goes on with that', async () => {
    const [{ page, wallet, tabs }, other] = await Promise.all([openTwo(), createWallet()])
    await page.evaluate('window.provider = kit.provider')
    const uri = await tabs[1]?.page.evaluate(
      `new Promise((onUri) => { kit.connect({ walletId: 'walletConnect', onUri }).catch(() => {}) })`,
    )
    await other.approve(await other.scan(String(uri)))
    await until(() => expect(wallet.deleted).toHaveLength(1))
    await page.waitForFunction('kit.provider && kit.provider !== window.provider')
    for (const { page } of tabs) {
      await sign(page, other)
      other.requests.length = 0
    }
    await page.reload()
    await until(async () => expect((await tabs[0]?.state())?.status).toBe('connected'))
    await sign(page, other)
  })

  test('behavior: a request is open in one tab, and the other one disconnects: it is rejected at once', async () => {
    const { page, wallet, tabs } = await openTwo()
    const asked = page.evaluate(
      `kit.provider.request({ method: 'personal_sign', params: ['0x', '${wallet.addresses[0]}'] }).catch(({ name }) => name)`,
    )
    await until(() => expect(wallet.requests).toHaveLength(1))
    await tabs[1]?.page.evaluate('kit.disconnect()')
    expect(await asked).toBe('AbortedError')
    for (const { state } of tabs) await until(async () => expect((await state()).status).toBe('disconnected'))
  })
})

test('behavior: the relay refuses connections: one is opened at a time', async () => {
  const away = await createRelayServer()
  await away.close()
  const script = `
    window.sockets = []
    window.most = 0
    window.WebSocket = class extends WebSocket {
      constructor(...given) {
        super(...given)
        sockets.push(this)
        most = Math.max(most, sockets.filter(({ readyState }) => readyState === 0).length)
      }
    }`
  const { page } = await open({ script, settings: { relayUrl: away.url, uriTimeout: 300 } })
  const connecting = page.evaluate(`kit.connect({ walletId: 'walletConnect' })`)
  await expect(connecting).rejects.toThrow('The relay cannot be reached from here.')
  // The next ones are opened after a pause, also for requests that wait meanwhile.
  await page.evaluate(`(async () => {
    const [{ client }] = globalThis[Symbol.for('@lineage/wallet-kit/relay-clients')].values()
    const { relayer } = (await client).core
    for (const topic of ['a', 'b', 'c']) relayer.subscribe(topic).catch(() => {})
  })()`)
  await until(async () => expect(await page.evaluate('sockets.length')).toBeGreaterThan(3))
  expect(await page.evaluate('most')).toBe(1)
})

test('behavior: relay unreachable: shows an error; Retry works once it is back', async () => {
  const away = await createRelayServer()
  await away.close()
  const { page, dialog, pick } = await open({ settings: { relayUrl: away.url, uriTimeout: 1_000 } })
  await pick('WalletConnect')
  await dialog.getByText('relay unreachable').filter({ visible: true }).first().waitFor()
  expect(await dialog.getByRole('button', { name: 'MetaMask', exact: true }).isEnabled()).toBe(true)
  const back = await createRelayServer(Number(new URL(away.url).port))
  onTestFinished(() => back.close())
  await until(async () => {
    const retry = dialog.getByRole('button', { name: 'Retry' })
    if (await retry.isVisible()) await retry.click()
    await page.getByRole('img', { name: /^QR code/ }).waitFor({ timeout: 500 })
  })
  expect(await scan(page)).toMatch(/^wc:/)
})

test('copies the pairing link, and offers the wallet’s download', async () => {
  const { page, dialog, pick } = await open()
  await pick('Rainbow')
  const code = await scan(page)
  await dialog.getByRole('button', { name: 'Copy Link' }).click()
  await dialog.getByRole('button', { name: 'Copied' }).waitFor()
  expect(new URL(code).searchParams.get('uri')).toBe(await page.evaluate('navigator.clipboard.readText()'))
  await dialog.getByText('Don’t have Rainbow?').waitFor()
  await dialog.getByRole('button', { name: 'Get Rainbow' }).click()
  await dialog.getByRole('heading', { name: 'Get Rainbow' }).waitFor()
})

test('on a phone: no code, a link to the app, and other ways when it does not open', async () => {
  const { page, dialog, pick, status } = await open({ context: devices['iPhone 15'] as BrowserContextOptions })
  const wallet = await createWallet()
  await pick('Rainbow')
  const link = dialog.getByRole('link', { name: 'Open Rainbow' })
  const href = (await link.getAttribute('href')) ?? ''
  expect(href).toMatch(/^rainbow:\/\/wc\?uri=wc%3A/)
  expect(await page.getByRole('img', { name: /^QR code/ }).count()).toBe(0)
  // The tap on the row has already opened the link.
  await until(async () =>
    expect(JSON.parse(String(await page.evaluate('localStorage.WALLETCONNECT_DEEPLINK_CHOICE')))).toEqual({
      href: 'rainbow://wc',
      name: 'Rainbow',
    }),
  )
  await dialog.getByText('Rainbow did not open?').waitFor()
  await dialog.getByRole('link', { name: /App Store/ }).waitFor()
  await dialog.getByRole('button', { name: 'Copy Link' }).waitFor()
  await wallet.approve(await wallet.scan(new URL(href).searchParams.get('uri') ?? ''))
  await until(async () => expect(await status()).toBe('connected'))
})

test('signing in: a rejection shows no error, a signature creates a session that a reload restores', async () => {
  const { page, dialog, wallet, status } = await openConnected([56], 'unauthenticated', { signsIn: true })
  const asked = async (count: number) => {
    await expect.poll(() => wallet.requests.length).toBe(count)
    return wallet.requests[count - 1] as (typeof wallet.requests)[number]
  }
  await dialog.getByRole('heading', { name: 'Verify your account' }).waitFor()
  await dialog.getByRole('button', { name: 'Sign message' }).click()
  await wallet.refuse(await asked(1))
  const again = dialog.getByRole('button', { name: 'Sign message' })
  await again.waitFor()
  expect(await dialog.textContent()).not.toMatch(/error|wrong|reject/i)

  await again.click()
  const request = await asked(2)
  const { method, params } = request.params.request
  const [address] = wallet.addresses
  expect(method).toBe('personal_sign')
  const text = Buffer.from(params[0].slice(2), 'hex').toString()
  expect(text).toContain(
    `${site.url.slice('http://'.length)} wants you to sign in with your Ethereum account:\n${address}`,
  )
  await wallet.answer(request)
  await dialog.waitFor({ state: 'detached' })
  expect(await page.evaluate('kit.getState().session')).toMatchObject({ address, chainId: 56 })

  await page.reload()
  await until(async () => expect(await status()).toBe('connected'))
  expect(await page.evaluate('kit.getState().session')).toMatchObject({ address })
  expect(wallet.requests).toHaveLength(2)
})

test.each([
  ['knows session authentication: one approval', true],
  ['does not: it is asked to connect, then to sign', false],
])(
  'signing in while connecting, with a wallet that %s',
  async (_, signsIn) => {
    const [{ page, dialog, pick, status }, wallet] = await Promise.all([
      open({ settings: { signsIn: true, oneApproval: true } }),
      createWallet([56], signsIn),
    ])
    await pick('WalletConnect')
    const code = await scan(page)
    if (signsIn) await wallet.approveSignIn(await wallet.scanToSignIn(code))
    else {
      await wallet.approve(await wallet.scan(code))
      await dialog.getByRole('button', { name: 'Sign message' }).click()
      await until(() => expect(wallet.requests).toHaveLength(1))
      await wallet.answer(wallet.requests[0] as never)
    }
    await dialog.waitFor({ state: 'detached' })
    expect(await status()).toBe('connected')
    expect(await page.evaluate('kit.getState().session')).toMatchObject({ address: wallet.addresses[0], chainId: 56 })
    expect(wallet.requests).toHaveLength(signsIn ? 0 : 1)

    await page.reload()
    await until(async () => expect(await status()).toBe('connected'))
  },
  30_000,
)

describe('the page gets no error of the relay client', () => {
  type Opened = Awaited<ReturnType<typeof open>> & {
    relay: RelayServer
    wallet: Awaited<ReturnType<typeof createRelayWallet>>
    refused: Set<string>
    /** Lets time pass, also that of the library's timers. */
    pass: (minutes: number) => Promise<void>
    connect: () => Promise<void>
    /** Asks the wallet to sign, and returns at once. */
    ask: () => Promise<void>
  }

  /** Opens a page with a relay and a wallet of its own. */
  async function openAlone(script = ''): Promise<Opened> {
    const refused = new Set<string>()
    const relay = await createRelayServer(0, { refuses: (method) => refused.has(method) })
    onTestFinished(() => relay.close())
    const opened = await open({ settings: { relayUrl: relay.url }, script })
    const { page } = opened
    const wallet = await createRelayWallet({ relayUrl: relay.url })
    onTestFinished(() => wallet.close())
    return {
      ...opened,
      ...{ relay, wallet, refused },
      pass: async (minutes) => {
        for (let half = 0; half < minutes * 2; half++) {
          await page.clock.fastForward(30_000)
          await page.evaluate(
            'new Promise((resolve) => { const it = new MessageChannel(); it.port1.onmessage = resolve; it.port2.postMessage(0) })',
          )
        }
      },
      connect: async () => {
        await opened.pick('WalletConnect')
        await wallet.approve(await wallet.scan(await scan(page)))
        await until(async () => expect(await opened.status()).toBe('connected'))
      },
      ask: () =>
        page.evaluate(`void kit.provider.request({ method: 'personal_sign', params: ['0x', '${wallet.addresses[0]}'] })
          .catch((error) => { window.refusal = error.name })`) as Promise<void>,
    }
  }

  const subscribing = ['irn_subscribe', 'irn_batchSubscribe', 'irn_unsubscribe', 'irn_publish', 'irn_batchPublish']

  test.each<[string, (opened: Opened) => Promise<void>]>([
    [
      'the code expires, also the next one',
      async ({ page, pick }) => {
        await pick('WalletConnect')
        const first = await scan(page)
        await page.clock.fastForward(301_000)
        const second = await scan(page, first)
        await page.clock.fastForward(301_000)
        await scan(page, second)
      },
    ],
    [
      'the dialog is closed, and the code expires afterwards',
      async ({ page, pick, pass }) => {
        await pick('WalletConnect')
        await scan(page)
        await page.keyboard.press('Escape')
        await pass(12)
      },
    ],
    [
      'the wallet approves after the dialog was closed',
      async ({ page, pick, pass, wallet }) => {
        await pick('WalletConnect')
        const proposal = await wallet.scan(await scan(page))
        await page.keyboard.press('Escape')
        await wallet.approve(proposal).catch(() => {})
        await pass(6)
      },
    ],
    [
      'the relay refuses proposals',
      async ({ dialog, pick, pass, refused }) => {
        for (const method of ['wc_proposeSession', 'irn_publish']) refused.add(method)
        await pick('WalletConnect')
        await dialog.getByText('relay unreachable').filter({ visible: true }).first().waitFor()
        await pass(6)
      },
    ],
    [
      'the relay refuses everything in a session',
      async ({ page, connect, ask, refused, pass }) => {
        await connect()
        for (const method of subscribing) refused.add(method)
        await ask()
        await pass(2)
        await page.evaluate('kit.disconnect()')
        await pass(6)
      },
    ],
    [
      'the connection closes while a code is shown',
      async ({ page, pick, relay, pass }) => {
        await pick('WalletConnect')
        await scan(page)
        relay.drop()
        await pass(1)
        relay.drop(1011)
        await pass(6)
      },
    ],
    [
      'the relay goes away during a request',
      async ({ page, connect, ask, relay, pass }) => {
        await connect()
        await relay.close()
        await ask()
        await pass(3)
        await page.evaluate('kit.disconnect()')
        await pass(6)
      },
    ],
    [
      'the relay closes the connection for good',
      async ({ connect, ask, relay, wallet, pass }) => {
        await connect()
        // The library of the wallet, which runs in this process, would throw.
        await wallet.close()
        relay.drop(3000)
        await ask()
        await pass(6)
      },
    ],
    [
      'the relay closes a connection that the client has left',
      async ({ page, connect }) => {
        await connect()
        // The client removes its listeners when it opens another connection.
        await page.evaluate(`
          const [, core] = Object.entries(window).find(([name]) => /^_walletConnectCore_.*(?<!_count)$/.test(name))
          const { events } = core.relayer.provider
          events.removeAllListeners('error')
          events.emit('error', new Error('WebSocket connection closed'))
        `)
      },
    ],
    [
      'the relay sends messages without content',
      async ({ connect, ask, relay, wallet, pass }) => {
        await connect()
        await wallet.close()
        const message = { id: 1, jsonrpc: '2.0', method: 'irn_subscription' }
        for (const it of [{}, [], { id: 1 }, message, { ...message, params: {} }, { ...message, params: { data: {} } }])
          relay.send(JSON.stringify(it))
        await ask()
        await pass(1)
      },
    ],
    [
      'the wallet ends the session during a request',
      async ({ connect, ask, wallet, pass, status }) => {
        await connect()
        await ask()
        await wallet.disconnect()
        await until(async () => expect(await status()).toBe('disconnected'))
        await pass(6)
      },
    ],
    [
      'the page ends the session during a request',
      async ({ page, connect, ask, pass }) => {
        await connect()
        await ask()
        await page.evaluate('kit.disconnect()')
        await pass(6)
      },
    ],
  ])(
    'behavior: %s',
    async (_, act) => {
      const opened = await openAlone()
      await opened.page.clock.install()
      await act(opened)
    },
    60_000,
  )

  test('behavior: errors of the page itself are still reported', async () => {
    const { page, errors, connect } = await openAlone()
    await connect()
    await page.evaluate('void Promise.reject(new Error("mine"))')
    await until(() => expect(errors.splice(0)).toEqual([expect.stringContaining('mine')]))
  })

  test.each([
    [
      'is forbidden',
      `for (const name of ['indexedDB', 'localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { get: () => { throw new DOMException('Denied', 'SecurityError') } })`,
    ],
    ['is full', 'IDBObjectStore.prototype.put = () => { throw new DOMException("Full", "QuotaExceededError") }'],
    [
      'is lost after a second',
      `setTimeout(() => {
        IDBDatabase.prototype.transaction = () => { throw new DOMException("Connection lost", "UnknownError") }
      }, 1_000)`,
    ],
  ])('behavior: the storage %s: connects and signs', async (_, script) => {
    const { page, connect, ask, wallet } = await openAlone(script)
    await connect()
    await ask()
    await until(() => expect(wallet.requests).toHaveLength(1))
    await wallet.answer(wallet.requests[0] as never)
    expect(await page.evaluate('window.refusal')).toBeUndefined()
  })
})
