// @vitest-environment node
import { custom } from 'viem'
import { bsc, mainnet } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createConfig } from 'wagmi'
import { createKeyValueStorage } from '../../test/createKeyValueStorage.ts'
import { createRelayServer, type RelayServer } from '../../test/createRelayServer.ts'
import { createRelayWallet, type RelayWalletOptions } from '../../test/createRelayWallet.ts'
import { createSignInServer } from '../../test/createSignInServer.ts'
import { createWalletKit } from '../core/createWalletKit.ts'
import { toWalletKitError } from '../core/lib/errors.ts'
import type { WalletKitConfig } from '../core/state/config.ts'
import type { WalletKit } from '../core/WalletKit.ts'
import { injectedConnector } from '../core/wallets/injected.ts'
import { createScriptedWallet } from '../testing/createScriptedWallet.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { kitConnector } from '../wagmi/kitConnector.ts'
import type { LoadRelayClient, RelayClient } from './relay/loadRelayClient.ts'
import { type WalletConnectOptions, walletConnectConnector } from './walletConnect.ts'

// Page and wallet share one process here: neither may find the other's client.
process.env.DISABLE_GLOBAL_CORE = 'true'

// Each test creates and encrypts keys, which takes long on a busy machine.

let server: RelayServer
beforeAll(async () => {
  server = await createRelayServer()
})
afterAll(() => server.close())

/** A wallet that needs no relay. */
const onPage = {
  ...{ id: 'onPage', name: 'Wallet on the page', iconUrl: '', iconBackground: '#fff' },
  connectors: [() => ({ ...injectedConnector()({ findProvider } as never, {} as never), kind: 'onPage' })],
}
const findProvider = () => createScriptedWallet().provider

/** Removes all globals of the previous page, like a newly opened page. */
function forgetPage() {
  delete (globalThis as { [key: symbol]: unknown })[Symbol.for('@lineage/wallet-kit/relay-clients')]
}

/** Sets up a page, and the data that survives its reload. */
function setup(options: WalletConnectOptions & Pick<Partial<WalletKitConfig>, 'relayUrl' | 'authentication'> = {}) {
  const relayStorage = createKeyValueStorage()
  const clients: RelayClient[] = []
  const load: LoadRelayClient = async () => {
    const { EthereumProvider } = await import('./relay/relayClient.ts')
    const init: Awaited<ReturnType<LoadRelayClient>>['EthereumProvider']['init'] = async (given) => {
      const provider = await EthereumProvider.init({ ...given, storage: relayStorage })
      clients.push(provider.signer.client)
      return provider
    }
    return { EthereumProvider: { init } }
  }
  const { relayUrl = server.url, authentication, ...rest } = options
  const define = (id: string) => ({
    id,
    name: `Wallet ${id}`,
    iconUrl: '',
    iconBackground: '#fff',
    connectors: [walletConnectConnector({ load, ...rest })],
    ...(authentication && { connectCapabilities: ['signInWithEthereum'] as const }),
  })
  const open = (storage: ReturnType<typeof memoryStorage>) => {
    const node = custom({ request: async ({ method }) => `${method} of the node` })
    const kit = createWalletKit({
      appName: 'Test page',
      appUrl: 'https://page.example',
      projectId: 'test',
      relayUrl,
      chains: [bsc, mainnet],
      transports: { [bsc.id]: node, [mainnet.id]: node },
      wallets: [{ groupName: 'Popular', wallets: [define('relayed'), define('other'), onPage] }],
      storage,
      ...(authentication && { authentication }),
    })
    onTestFinished(() => kit.destroy())
    const step = () => {
      const { dialog } = kit.getState()
      return dialog.name === 'connect' && dialog.step.name === 'connecting' ? dialog.step : undefined
    }
    const uri = () => {
      const shown = step()
      return shown?.phase === 'opening' ? shown.uri : undefined
    }
    return {
      kit,
      step,
      /** Picks a wallet, and resolves with the shown URI once it differs from `previous`. */
      pick: async (walletId = 'relayed') => {
        const opened = kit.openConnectDialog()
        kit.dispatch({ type: 'pick', walletId })
        return { opened, uri: await nextUri() }
      },
      nextUri,
    }
    async function nextUri(previous?: string): Promise<string> {
      let shown: string | undefined
      await until(() => {
        shown = uri()
        if (!shown || shown === previous) throw new Error(`There is no new URI: ${JSON.stringify(step())}`)
      })
      return shown as unknown as string
    }
  }
  const storage = memoryStorage()
  const reload = () => {
    forgetPage()
    return open(storage)
  }
  return {
    ...reload(),
    storage,
    reload,
    openAgain: () => open(storage),
    openBeside: () => open(memoryStorage()),
    clients,
  }
}

async function createWallet(options: Partial<RelayWalletOptions> = {}) {
  const wallet = await createRelayWallet({ relayUrl: server.url, ...options })
  onTestFinished(() => wallet.close())
  return wallet
}

/** Sets up a page that is connected to a wallet. */
async function setupConnected(options: WalletConnectOptions = {}, walletOptions: Partial<RelayWalletOptions> = {}) {
  const [page, wallet] = [setup(options), await createWallet(walletOptions)]
  const { opened, uri } = await page.pick()
  await wallet.approve(await wallet.scan(uri))
  const connection = await opened
  return { ...page, wallet, connection }
}

/** Waits until `check` does not throw. */
const until = (check: () => void, timeout = 15_000) =>
  expect.poll(() => [check()], { interval: 20, timeout }).toHaveLength(1)

describe('before anything is picked', () => {
  test('contacts nothing and does not load the client', async () => {
    const before = server.connections()
    const { kit, clients } = setup()
    await kit.reconnect()
    void kit.openConnectDialog()
    expect(clients).toHaveLength(0)
    expect(server.connections()).toBe(before)
  })

  test('behavior: no project id, unsupported and says why', async () => {
    const kit = createWalletKit({
      appName: 'Test',
      chains: [bsc],
      transports: { [bsc.id]: custom({ request: async () => null }) },
      wallets: [
        {
          groupName: 'Popular',
          wallets: [
            { id: 'w', name: 'W', iconUrl: '', iconBackground: '#fff', connectors: [walletConnectConnector()] },
          ],
        },
      ],
    })
    expect(kit.getState().wallets[0]?.ready).toBe(false)
    await expect(kit.connect({ walletId: 'w' })).rejects.toThrow('No projectId was provided.')
  })
})

describe('connecting', () => {
  test('behavior: approved', async () => {
    const { kit, connection, wallet, clients } = await setupConnected()
    expect(connection).toEqual({ walletId: 'relayed', address: wallet.addresses[0], chainId: 56 })
    expect(await kit.provider?.request({ method: 'eth_chainId' })).toBe('0x38')
    expect(wallet.proposals[0]?.params.proposer.metadata).toMatchObject({
      name: 'Test page',
      url: 'https://page.example',
    })
    expect(clients).toHaveLength(1)
  })

  test('behavior: approved where there is no `navigator`, as in Node 20', async () => {
    vi.stubGlobal('navigator', undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
    const { connection, wallet } = await setupConnected()
    expect(connection?.address).toBe(wallet.addresses[0])
  })

  test('behavior: declined: a new URI follows, and works', async () => {
    const [page, wallet] = [setup(), await createWallet()]
    const { opened, uri } = await page.pick()
    await wallet.reject(await wallet.scan(uri))
    const next = await page.nextUri(uri)
    expect(page.step()).toMatchObject({ phase: 'opening', declined: true })
    await wallet.approve(await wallet.scan(next))
    expect(await opened).toMatchObject({ address: wallet.addresses[0] })
  })

  test('behavior: declined without a dialog: the promise rejects', async () => {
    const [{ kit }, wallet] = [setup(), await createWallet()]
    const connecting = kit.connect({
      walletId: 'relayed',
      onUri: (uri) => void wallet.scan(uri).then((proposal) => wallet.reject(proposal)),
    })
    await expect(connecting).rejects.toMatchObject({ name: 'UserRejectedError' })
  })

  test('behavior: the next page is told whether the dialog showed the code, to say in it that it was declined', async () => {
    const { kit, pick, storage } = setup()
    const isShown = () => JSON.parse(storage.getItem('walletKit.v1.session') ?? '').pairing.isShown
    const ending = new AbortController()
    const { signal } = ending
    await new Promise((onUri) => {
      kit.connect({ walletId: 'relayed', onUri, signal }).catch(() => {})
    })
    expect(isShown()).toBe(false)
    ending.abort()
    await pick()
    expect(isShown()).toBe(true)
  })

  test('behavior: the URI expired after five minutes: a new one follows', async () => {
    const [page, wallet] = [setup(), await createWallet()]
    const { opened, uri } = await page.pick()
    const [client] = page.clients
    for (const { id } of client?.proposal.getAll() ?? []) client?.core.expirer.set(id, 0)
    const next = await page.nextUri(uri)
    expect(page.step()).not.toHaveProperty('declined')
    await wallet.approve(await wallet.scan(next))
    expect(await opened).toMatchObject({ address: wallet.addresses[0] })
  })

  test('behavior: closed, then approved: no session on either side', async () => {
    const [page, wallet] = [setup(), await createWallet()]
    const { opened, uri } = await page.pick()
    const proposal = await wallet.scan(uri)
    page.kit.closeDialog()
    expect(await opened).toBeUndefined()
    const [client] = page.clients
    await until(() => expect(client?.proposal.getAll()).toHaveLength(0))
    await until(() => expect(wallet.wallet.core.pairing.pairings.getAll()).toHaveLength(0))
    await expect(wallet.approve(proposal)).rejects.toThrow()
    expect(Object.keys(wallet.wallet.getActiveSessions())).toHaveLength(0)
    expect(client?.session.getAll()).toHaveLength(0)
    expect(page.kit.getState().status).toBe('disconnected')
  })

  test('behavior: a second attempt right after an aborted one', async () => {
    const [page, wallet] = [setup(), await createWallet()]
    const first = await page.pick()
    page.kit.closeDialog()
    const second = await page.pick()
    expect(second.uri).not.toBe(first.uri)
    await wallet.approve(await wallet.scan(second.uri))
    expect(await second.opened).toMatchObject({ walletId: 'relayed' })
    expect(page.clients).toHaveLength(1)
  })

  test('behavior: another relay wallet picked meanwhile: only that one connects', async () => {
    const [page, wallet] = [setup(), await createWallet()]
    const { uri, opened } = await page.pick()
    page.kit.dispatch({ type: 'pick', walletId: 'other' })
    const next = await page.nextUri(uri)
    await wallet.approve(await wallet.scan(next))
    expect(await opened).toMatchObject({ walletId: 'other' })
    expect(page.clients).toHaveLength(1)
  })

  test('behavior: aborted before there is a URI', async () => {
    const page = setup()
    const opened = page.kit.openConnectDialog()
    page.kit.dispatch({ type: 'pick', walletId: 'relayed' })
    page.kit.closeDialog()
    await opened
    const { uri } = await page.pick()
    await until(() => expect(page.clients[0]?.proposal.getAll()).toHaveLength(1))
    expect(page.clients[0]?.proposal.getAll()[0]?.pairingTopic).toBe(/wc:(.*)@/.exec(uri)?.[1])
  })

  test('behavior: relay unreachable: fails after the time limit, works once it is back', async () => {
    const away = await createRelayServer()
    await away.close()
    const port = Number(new URL(away.url).port)
    const page = setup({ relayUrl: away.url, uriTimeout: 300 })
    void page.kit.openConnectDialog()
    page.kit.dispatch({ type: 'pick', walletId: 'relayed' })
    await until(() => expect(page.step()).toMatchObject({ phase: 'failed', error: { name: 'RelayUnreachableError' } }))
    const back = await createRelayServer(port)
    onTestFinished(() => back.close())
    await until(() => {
      if (page.step()?.phase === 'failed') page.kit.dispatch({ type: 'retry' })
      expect(page.step()).toMatchObject({ phase: 'opening', uri: expect.any(String) })
    })
  })
})

describe('signing in with the approval that connects', () => {
  /** Sets up a page that uses the kit's own sign-in server. */
  async function setupSignIn(walletOptions: Partial<RelayWalletOptions> = { signsIn: true }) {
    const { adapter, calls, codes } = createSignInServer()
    const page = setup({ authentication: { adapter, required: true } })
    return { ...page, calls, codes, wallet: await createWallet(walletOptions) }
  }

  test('a wallet with session authentication: one approval, one message, a relay session that also signs later', async () => {
    const { kit, pick, wallet, calls, reload } = await setupSignIn({ signsIn: true, chainIds: [56, 1] })
    const { opened, uri } = await pick()
    const asked = await wallet.scanToSignIn(uri)
    expect(wallet.proposals).toEqual([])
    await wallet.approveSignIn(asked)
    expect(await opened).toMatchObject({ address: wallet.addresses[0], chainId: 56 })
    const { status, session, dialog } = kit.getState()
    expect({ status, session, dialog }).toMatchObject({
      status: 'connected',
      session: { address: wallet.addresses[0], chainId: 56 },
      dialog: { name: 'none' },
    })
    expect(calls).toEqual(['nonce', 'verify'])
    expect(wallet.requests).toEqual([])

    const signing = kit.provider?.request({ method: 'personal_sign', params: ['0x6869', wallet.addresses[0] as never] })
    await until(() => expect(wallet.requests).toHaveLength(1))
    await wallet.answer(wallet.requests[0] as never)
    expect(await signing).toMatch(/^0x[0-9a-f]{130}$/)
    await kit.switchChain({ chainId: 1 })
    expect(kit.getState().chainId).toBe(1)
    kit.destroy()
    expect(await reload().kit.reconnect()).toMatchObject({ address: wallet.addresses[0] })
  })

  test('behavior: a wallet without session authentication is asked once to connect, then to sign', async () => {
    const { kit, pick, wallet, calls, codes } = await setupSignIn({})
    const { opened, uri } = await pick()
    await wallet.approve(await wallet.scan(uri))
    await until(() => expect(kit.getState()).toMatchObject({ status: 'unauthenticated', signIn: { name: 'idle' } }))
    expect(wallet.proposals).toHaveLength(1)
    const signingIn = kit.signIn()
    await until(() => expect(wallet.requests).toHaveLength(1))
    await wallet.answer(wallet.requests[0] as never)
    expect(await signingIn).toMatchObject({ address: wallet.addresses[0] })
    expect(await opened).toMatchObject({ address: wallet.addresses[0] })
    expect({ status: kit.getState().status, verified: calls.at(-1), codes }).toEqual({
      status: 'connected',
      verified: 'verify',
      codes: [],
    })
  })

  test('behavior: user rejected request: a new code, and the same message', async () => {
    const { kit, pick, nextUri, step, wallet, calls } = await setupSignIn()
    const { opened, uri } = await pick()
    await wallet.rejectSignIn(await wallet.scanToSignIn(uri))
    const next = await nextUri(uri)
    expect(step()).toMatchObject({ phase: 'opening', declined: true })
    await wallet.approveSignIn(await wallet.scanToSignIn(next))
    expect(await opened).toMatchObject({ address: wallet.addresses[0] })
    expect(kit.getState().status).toBe('connected')
    expect(calls).toEqual(['nonce', 'verify'])
  })

  test('behavior: the code expires: the next one connects only', async () => {
    const { kit, pick, nextUri, clients, wallet } = await setupSignIn()
    const { uri } = await pick()
    const [client] = clients
    for (const { id } of client?.proposal.getAll() ?? []) client?.core.expirer.set(id, 0)
    await wallet.approve(await wallet.scan(await nextUri(uri)))
    await until(() => expect(kit.getState().status).toBe('unauthenticated'))
    expect(wallet.authentications).toEqual([])
  })

  test('behavior: closed, then approved: no session on either side', async () => {
    const { kit, pick, clients, wallet, calls } = await setupSignIn()
    const { opened, uri } = await pick()
    const asked = await wallet.scanToSignIn(uri)
    kit.closeDialog()
    expect(await opened).toBeUndefined()
    await wallet.approveSignIn(asked).catch(() => {})
    await until(() => expect(Object.keys(wallet.wallet.getActiveSessions())).toEqual([]))
    expect(clients[0]?.session.getAll()).toEqual([])
    expect(kit.getState().status).toBe('disconnected')
    expect(calls).toEqual(['nonce'])
  })

  const changes: [string, Parameters<Awaited<ReturnType<typeof createWallet>>['approveSignIn']>[1]][] = [
    ['another domain', (payload) => ({ ...payload, domain: 'evil.example' })],
    ['another nonce', (payload) => ({ ...payload, nonce: '12345678' })],
    ['another statement', (payload) => ({ ...payload, statement: `I give everything. ${payload.statement}` })],
    [
      'a resource more',
      ({ resources = [], ...rest }) => ({ ...rest, resources: ['https://evil.example', ...resources] }),
    ],
    ['an expiry', (payload) => ({ ...payload, exp: '2126-01-01T00:00:00.000Z' })],
  ]
  test.each(changes)('error: the wallet signs %s: refused, and it is asked to sign afterwards', async (_, change) => {
    const { kit, pick, wallet, calls } = await setupSignIn()
    const { uri } = await pick()
    await wallet.approveSignIn(await wallet.scanToSignIn(uri), change)
    await until(() => expect(kit.getState().signIn).toMatchObject({ error: { stage: 'mismatch' } }))
    expect(kit.getState().status).toBe('unauthenticated')
    expect(calls).not.toContain('verify')
  })

  test('behavior: the wallet signs for another chain: it is asked to sign afterwards', async () => {
    const { kit, pick, wallet, calls } = await setupSignIn({ signsIn: true, chainIds: [1] })
    const { uri } = await pick()
    await wallet.approveSignIn(await wallet.scanToSignIn(uri))
    await until(() => expect(kit.getState()).toMatchObject({ status: 'unauthenticated', chainId: 1 }))
    expect(kit.getState().signIn).not.toHaveProperty('error')
    expect(calls).not.toContain('verify')
  })

  test('behavior: the wallet writes its account without the checksum: it is asked to sign afterwards', async () => {
    const { kit, pick, wallet, calls } = await setupSignIn()
    const { uri } = await pick()
    await wallet.approveSignIn(await wallet.scanToSignIn(uri), undefined, (address) => address.toLowerCase())
    await until(() => expect(kit.getState().status).toBe('unauthenticated'))
    expect(kit.getState().signIn).not.toHaveProperty('error')
    expect(calls).not.toContain('verify')
  })

  test('behavior: the wallet signs in and approves no session: the next code connects only', async () => {
    const { kit, pick, nextUri, wallet } = await setupSignIn()
    const { uri } = await pick()
    await wallet.approveSignIn(await wallet.scanToSignIn(uri), ({ statement: _, ...payload }) => ({
      ...payload,
      resources: [],
    }))
    await wallet.approve(await wallet.scan(await nextUri(uri)))
    await until(() => expect(kit.getState().status).toBe('unauthenticated'))
  })
})

describe('a relay that refuses or does not answer', () => {
  test('behavior: the relay does not know the project id: fails at once with its reason; a retry works', async () => {
    let known = false
    const strict = await createRelayServer(0, { knows: () => known })
    onTestFinished(() => strict.close())
    const page = setup({ relayUrl: strict.url })
    void page.kit.openConnectDialog()
    page.kit.dispatch({ type: 'pick', walletId: 'relayed' })
    await until(() =>
      expect(page.step()).toMatchObject({
        phase: 'failed',
        error: { name: 'ConfigurationError', details: 'Project not found' },
      }),
    )
    known = true
    page.kit.dispatch({ type: 'retry' })
    await page.nextUri()
  })

  test('behavior: a proposal is never answered: the next attempt does not wait for it', async () => {
    let proposals = 0
    const deaf = await createRelayServer(0, { hears: () => ++proposals > 1 })
    onTestFinished(() => deaf.close())
    const page = setup({ relayUrl: deaf.url })
    const opened = page.kit.openConnectDialog()
    page.kit.dispatch({ type: 'pick', walletId: 'relayed' })
    await until(() => expect(proposals).toBe(1))
    page.kit.closeDialog()
    await opened
    expect((await page.pick()).uri).toMatch(/^wc:/)
  })
})

describe('connected', () => {
  test('signs, and reads through the app’s own node', async () => {
    const { kit, wallet } = await setupConnected()
    const signing = (await kit.getWalletClient()).signMessage({
      account: wallet.addresses[0] as `0x${string}`,
      message: 'hello',
    })
    await until(() => expect(wallet.requests).toHaveLength(1))
    await wallet.answer(wallet.requests[0] as never)
    expect(await signing).toMatch(/^0x[0-9a-f]{130}$/)
    expect(await kit.provider?.request({ method: 'eth_gasPrice' })).toBe('eth_gasPrice of the node')
    await expect(kit.provider?.request({ method: 'wallet_watchAsset' } as never)).rejects.toMatchObject({ code: 4200 })
  })

  test('sends calls and follows them, also after a reload', async () => {
    const methods = ['wallet_sendCalls', 'wallet_getCallsStatus', 'wallet_getCapabilities']
    const { kit, wallet, reload } = await setupConnected({}, { methods })
    const next = async (method: string) => {
      const find = () => wallet.requests.findLast(({ params }) => params.request.method === method)
      await until(() => expect(find()).toBeDefined())
      return find() as never
    }
    const asking = kit.getCapabilities()
    await wallet.answer(await next('wallet_getCapabilities'), { '0x38': { atomic: { status: 'supported' } } })
    expect(await asking).toEqual({ atomic: { status: 'supported' } })

    const calls = [{ to: wallet.addresses[0] as `0x${string}`, value: 1n }] as const
    const sending = kit.sendCalls({ calls, description: 'Pay' })
    await wallet.answer(await next('wallet_sendCalls'), { id: 'bundle' })
    expect(await sending).toEqual({ method: 'wallet_sendCalls', ids: ['bundle'] })
    await wallet.answer(await next('wallet_getCallsStatus'), { status: 100 })
    kit.destroy()
    wallet.requests.length = 0

    const page = reload()
    await page.kit.reconnect()
    expect(page.kit.getState().transactions).toMatchObject([{ callsId: 'bundle', status: 'pending' }])
    const receipts = [{ transactionHash: `0x${'7'.repeat(64)}` }]
    await wallet.answer(await next('wallet_getCallsStatus'), { status: 200, receipts })
    await until(() => expect(page.kit.getState().transactions).toMatchObject([{ status: 'confirmed' }]))
  })

  test('behavior: the wallet granted no lists of calls: one transaction after the other', async () => {
    const { kit, wallet } = await setupConnected()
    expect(await kit.getCapabilities()).toEqual({})
    const calls = [{ to: wallet.addresses[0] as `0x${string}`, value: 1n }] as const
    const sending = kit.sendCalls({ calls, fallback: 'sequential' })
    await until(() => expect(wallet.requests).toHaveLength(1))
    const hash = `0x${'8'.repeat(64)}`
    await wallet.answer(wallet.requests[0] as never, hash)
    expect(await sending).toEqual({ method: 'eth_sendTransaction', ids: [hash] })
  })

  test('behavior: request declined, a plain object with code 5000', async () => {
    const { kit, wallet } = await setupConnected()
    const asked = kit.provider?.request({ method: 'personal_sign', params: ['0x00', wallet.addresses[0] as never] })
    asked?.catch(() => {})
    await until(() => expect(wallet.requests).toHaveLength(1))
    await wallet.refuse(wallet.requests[0] as never)
    expect(toWalletKitError(await asked?.catch((error) => error)).name).toBe('UserRejectedError')
  })

  test('behavior: request never answered', async () => {
    const { kit, wallet } = await setupConnected({ requestTimeout: 200 })
    const asked = kit.provider?.request({ method: 'personal_sign', params: ['0x00', wallet.addresses[0] as never] })
    await expect(asked).rejects.toMatchObject({ name: 'WalletNotAvailableError', reason: 'noAnswer' })
  })

  test('behavior: the page disconnects during a request: it is rejected at once', async () => {
    const { kit, wallet } = await setupConnected()
    const asked = kit.provider?.request({ method: 'personal_sign', params: ['0x00', wallet.addresses[0] as never] })
    asked?.catch(() => {})
    await until(() => expect(wallet.requests).toHaveLength(1))
    await kit.disconnect()
    await expect(asked).rejects.toMatchObject({ name: 'AbortedError', shortMessage: 'The wallet was disconnected.' })
  })

  test('the wallet changes account and chain: one event each', async () => {
    const { kit, wallet } = await setupConnected({}, { chainIds: [56, 1] })
    const received: unknown[] = []
    kit.provider?.on('accountsChanged', (accounts) => received.push(accounts))
    kit.provider?.on('chainChanged', (chainId) => received.push(chainId))
    await wallet.emit('accountsChanged', [`eip155:56:${wallet.addresses[1]}`])
    await until(() => expect(kit.getState().address).toBe(wallet.addresses[1]))
    await wallet.emit('chainChanged', 1, 1)
    await until(() => expect(kit.getState().chainId).toBe(1))
    expect(received).toEqual([[wallet.addresses[1], wallet.addresses[0]], '0x1'])
  })

  test('switches to an approved chain without asking', async () => {
    const { kit, wallet } = await setupConnected({}, { chainIds: [56, 1] })
    await kit.switchChain({ chainId: 1 })
    expect(kit.getState().chainId).toBe(1)
    expect(wallet.requests).toHaveLength(0)
  })

  test('behavior: a wallet that does not switch chains for an app: this is known before it is asked', async () => {
    const { kit, wallet, reload } = await setupConnected({}, { switchesChains: false })
    const canSwitch = (kit: WalletKit) => [56, 1].map((id) => kit.getState().connector?.canSwitchTo?.(id))
    expect(canSwitch(kit)).toEqual([true, false])
    await expect(kit.switchChain({ chainId: 1 })).rejects.toMatchObject({ name: 'ChainError', reason: 'unsupported' })
    expect(wallet.requests).toHaveLength(0)
    await wallet.grant([56, 1])
    await until(() => expect(canSwitch(kit)).toEqual([true, true]))
    kit.destroy()
    const { kit: next } = reload()
    await next.reconnect()
    expect(canSwitch(next)).toEqual([true, true])
  })

  test('behavior: agreed to switch without approving an account there: no switch', async () => {
    const { kit, wallet } = await setupConnected()
    const switching = kit.switchChain({ chainId: 1 }).catch(toWalletKitError)
    await until(() => expect(wallet.requests).toHaveLength(1))
    await wallet.answer(wallet.requests[0] as never, null)
    expect(await switching).toMatchObject({ name: 'ChainError', reason: 'notApproved' })
    expect(kit.getState()).toMatchObject({ chainId: 56, address: wallet.addresses[0] })
  })

  describe('a wallet with another account on each chain', () => {
    async function setupAccounts() {
      const setup = await setupConnected({}, { chainIds: [56, 1], accountsOn: { 56: [0], 1: [1] } })
      const shown = new Set<string>()
      const show = () => {
        const { chainId, address } = setup.kit.getState()
        shown.add(`${chainId} ${setup.wallet.addresses.indexOf(address as `0x${string}`)}`)
      }
      show()
      setup.kit.subscribe(show)
      return { ...setup, shown }
    }

    test('the page switches: shows and signs with the account of the chain, also after a reload', async () => {
      const { kit, wallet, shown, reload } = await setupAccounts()
      await kit.switchChain({ chainId: 1 })
      expect([...shown]).toEqual(['56 0', '1 1'])
      const [other, account] = wallet.addresses as [`0x${string}`, `0x${string}`]
      const { signMessage } = await kit.getWalletClient()
      await expect(signMessage({ account: other, message: 'hello' })).rejects.toMatchObject({
        cause: expect.objectContaining({ code: 4100 }),
      })
      signMessage({ message: 'hello' }).catch(() => {})
      await until(() => expect(wallet.requests).toHaveLength(1))
      expect(wallet.requests[0]?.params).toMatchObject({
        chainId: 'eip155:1',
        request: { params: [expect.any(String), account] },
      })
      kit.destroy()
      expect(await reload().kit.reconnect()).toEqual({ walletId: 'relayed', address: account, chainId: 1 })
    })

    test('the wallet switches, then ends its approval of that chain', async () => {
      const { kit, wallet, shown } = await setupAccounts()
      await wallet.emit('chainChanged', 1, 1)
      await until(() => expect(kit.getState().chainId).toBe(1))
      await wallet.grant([56])
      await until(() => expect(kit.getState().chainId).toBe(56))
      expect([...shown]).toEqual(['56 0', '1 1'])
    })

    test('wagmi follows', async () => {
      const { kit, wallet } = await setupAccounts()
      const transports = { [bsc.id]: custom({ request: async () => null }) }
      const { connectors } = createConfig({ chains: [bsc], transports, connectors: [kitConnector(kit)] })
      await kit.switchChain({ chainId: 1 })
      expect(await connectors[0]?.getAccounts()).toEqual([wallet.addresses[1]])
      expect(await connectors[0]?.getChainId()).toBe(1)
    })
  })

  test('switches to a chain that the wallet adds to the session', async () => {
    const { kit, wallet } = await setupConnected()
    const switching = kit.switchChain({ chainId: 1 })
    await until(() => expect(wallet.requests).toHaveLength(1))
    await wallet.answer(wallet.requests[0] as never, null)
    await wallet.grant([56, 1])
    await switching
    expect(kit.getState()).toMatchObject({ chainId: 1, address: wallet.addresses[0] })
  })

  test('the wallet disconnects', async () => {
    const { kit, wallet } = await setupConnected()
    await wallet.disconnect()
    await until(() => expect(kit.getState().status).toBe('disconnected'))
  })

  test('behavior: the wallet withdraws its accounts, and approves one later: connected again, also after a reload', async () => {
    const { kit, wallet, reload } = await setupConnected()
    const untilStatus = (kit: WalletKit, status: string) => until(() => expect(kit.getState().status).toBe(status))
    await wallet.grant([])
    await untilStatus(kit, 'disconnected')
    await wallet.grant([56])
    await untilStatus(kit, 'connected')
    await wallet.grant([])
    await untilStatus(kit, 'disconnected')
    const open = server.open()
    kit.destroy()
    await until(() => expect(server.open()).toBe(open - 1))
    const { kit: next } = reload()
    void next.reconnect()
    await until(() => expect(server.open()).toBe(open))
    await wallet.grant([56])
    await untilStatus(next, 'connected')
    expect(next.getState().address).toBe(wallet.addresses[0])
  })

  test('the page disconnects: forgotten at once, and the wallet is notified', async () => {
    const { kit, wallet, clients } = await setupConnected()
    await kit.disconnect()
    expect(kit.getState().status).toBe('disconnected')
    await until(() => expect(wallet.deleted).toHaveLength(1))
    await until(() => expect(clients[0]?.session.getAll()).toHaveLength(0))
  })

  test('behavior: the relay is unreachable while disconnecting: the session is forgotten', async () => {
    const own = await createRelayServer()
    const page = setup({ relayUrl: own.url })
    const wallet = await createWallet({ relayUrl: own.url })
    const { opened, uri } = await page.pick()
    await wallet.approve(await wallet.scan(uri))
    await opened
    await own.close()
    await page.kit.disconnect()
    expect(page.kit.getState().status).toBe('disconnected')
    await until(() => expect(page.clients[0]?.session.getAll()).toHaveLength(0))
  })

  test('connecting another wallet ends the first session', async () => {
    const { kit, pick, wallet } = await setupConnected()
    const second = await createWallet()
    await kit.disconnect()
    const { opened, uri } = await pick('other')
    await second.approve(await second.scan(uri))
    expect(await opened).toMatchObject({ walletId: 'other' })
    await until(() => expect(wallet.deleted).toHaveLength(1))
  })

  test('connecting a wallet on the page ends the session, also one that is not restored yet', async () => {
    const { kit, wallet, reload } = await setupConnected()
    expect(await kit.connect({ walletId: 'onPage' })).toMatchObject({ walletId: 'onPage' })
    await until(() => expect(wallet.deleted).toHaveLength(1))
    expect(kit.getState()).toMatchObject({ status: 'connected', walletId: 'onPage' })

    const page = reload()
    const { opened, uri } = await page.pick()
    await wallet.approve(await wallet.scan(uri))
    await opened
    page.kit.destroy()
    const next = reload()
    await next.kit.connect({ walletId: 'onPage' })
    await until(() => expect(wallet.deleted).toHaveLength(2))
    expect(next.kit.getState()).toMatchObject({ status: 'connected', walletId: 'onPage' })
  })

  test('behavior: the page ends the session, or the wallet: its topic is not stored any more', async () => {
    const { kit, pick, wallet, storage } = await setupConnected()
    const topic = () => JSON.parse(storage.getItem('walletKit.v1.session') ?? '').topic
    expect(topic()).toBe(wallet.topic())
    await kit.disconnect()
    await until(() => expect(topic()).toBeUndefined())
    const { opened, uri } = await pick()
    await wallet.approve(await wallet.scan(uri))
    await opened
    expect(topic()).toBeDefined()
    await wallet.disconnect()
    await until(() => expect(topic()).toBeUndefined())
  })

  test('behavior: another wallet approves no account: the session stays', async () => {
    const { kit, wallet } = await setupConnected()
    const second = await createWallet()
    const uris: string[] = []
    const connecting = kit.connect({ walletId: 'other', onUri: (uri) => uris.push(uri) })
    connecting.catch(() => {})
    await until(() => expect(uris).toHaveLength(1))
    const { id } = await second.scan(uris[0] ?? '')
    const eip155 = { chains: ['eip155:56'], accounts: ['eip155:56:0x1'], methods: ['personal_sign'], events: [] }
    await second.wallet.approveSession({ id, namespaces: { eip155 } })
    await expect(connecting).rejects.toMatchObject({ name: 'WalletNotAvailableError', reason: 'noAccount' })
    expect(kit.getState()).toMatchObject({ status: 'connected', walletId: 'relayed' })
    const signing = kit.provider?.request({ method: 'personal_sign', params: ['0x6869', wallet.addresses[0]] } as never)
    await until(() => expect(wallet.requests).toHaveLength(1))
    await wallet.answer(wallet.requests[0] as never)
    expect(await signing).toMatch(/^0x/)
    expect(wallet.deleted).toEqual([])
  })

  test('behavior: another wallet is cancelled after its approval: the page is not connected to an ended session', async () => {
    let session: Promise<undefined> = Promise.resolve(undefined)
    const adapter = {
      getNonce: async () => 'nonce0001',
      createMessage: () => 'message',
      verify: async () => Promise.reject(new Error('unused')),
      getSession: () => session,
    }
    const page = setup({ authentication: { adapter, required: true } })
    const [wallet, second] = [await createWallet(), await createWallet()]
    const connect = async (walletId: string, to: typeof wallet, signal?: AbortSignal) => {
      const uris: string[] = []
      const connecting = page.kit.connect({ walletId, onUri: (uri) => uris.push(uri), ...(signal && { signal }) })
      connecting.catch(() => {})
      await until(() => expect(uris).toHaveLength(1))
      await to.approve(await to.scan(uris[0] ?? ''))
      return { connecting }
    }
    await (await connect('relayed', wallet)).connecting
    const controller = new AbortController()
    session = new Promise(() => {})
    const { connecting } = await connect('other', second, controller.signal)
    await until(() => expect(page.clients[0]?.session.keys).toEqual([second.topic()]))
    controller.abort()
    await expect(connecting).rejects.toMatchObject({ name: 'AbortedError' })
    await until(() => expect(second.deleted).toHaveLength(1))
    await until(() => expect(page.kit.getState().status).toBe('disconnected'))
  })
})

describe('after a reload', () => {
  test('is stored under the key of earlier versions, so that an update of the kit keeps the session', async () => {
    const { storage } = await setupConnected()
    expect(storage.getItem('walletKit.v1.session')).toContain('"topic"')
    expect(storage.getItem('walletKit.v1.connection')).toContain('"walletConnect"')
  })

  test('restores the session with its account and chain', async () => {
    const { kit, wallet, reload } = await setupConnected({}, { chainIds: [56, 1] })
    await wallet.emit('accountsChanged', [wallet.addresses[1]])
    await until(() => expect(kit.getState().address).toBe(wallet.addresses[1]))
    await kit.switchChain({ chainId: 1 })
    kit.destroy()
    const page = reload()
    const connection = await page.kit.reconnect()
    expect(connection).toEqual({ walletId: 'relayed', address: wallet.addresses[1], chainId: 1 })
  })

  test('behavior: another tab has stored its session for another wallet: not shown under the name of the last one', async () => {
    const { kit, storage, reload } = await setupConnected()
    kit.destroy()
    const connection = storage.getItem('walletKit.v1.connection') ?? ''
    storage.setItem('walletKit.v1.connection', connection.replace('"relayed"', '"other"'))
    expect(await reload().kit.reconnect()).toBeUndefined()
  })

  test('behavior: an earlier version stored the session, without the wallet: restored', async () => {
    const { kit, storage, reload, wallet } = await setupConnected()
    kit.destroy()
    const { walletId, ...session } = JSON.parse(storage.getItem('walletKit.v1.session') ?? '')
    expect(walletId).toBe('relayed')
    storage.setItem('walletKit.v1.session', JSON.stringify(session))
    expect(await reload().kit.reconnect()).toMatchObject({ address: wallet.addresses[0] })
  })

  test('the wallet disconnected while the page was closed', async () => {
    const { kit, wallet, reload } = await setupConnected()
    const before = server.open()
    kit.destroy()
    await until(() => expect(server.open()).toBe(before - 1))
    await wallet.disconnect()
    const page = reload()
    expect(await page.kit.reconnect()).toBeDefined()
    await until(() => expect(page.kit.getState().status).toBe('disconnected'))
  })

  test('restores a session with namespaces by chain', async () => {
    const { kit, wallet, reload } = await setupConnected({}, { chainIds: [56, 1], approvesByChain: true })
    await kit.switchChain({ chainId: 1 })
    kit.destroy()
    const page = reload()
    expect(await page.kit.reconnect()).toEqual({ walletId: 'relayed', address: wallet.addresses[0], chainId: 1 })
    expect(wallet.deleted).toHaveLength(0)
  })

  test('behavior: the wallet reports an unapproved chain: it is shown once an account is approved there', async () => {
    const { kit, wallet, reload } = await setupConnected()
    const open = server.open()
    kit.destroy()
    await until(() => expect(server.open()).toBe(open - 1))
    const page = reload()
    await page.kit.reconnect()
    await wallet.emit('chainChanged', 1)
    await wallet.emit('accountsChanged', [`eip155:56:${wallet.addresses[1]}`])
    await until(() => expect(page.kit.getState().address).toBe(wallet.addresses[1]))
    expect(page.kit.getState().chainId).toBe(56)
    await wallet.grant([56, 1])
    await until(() => expect(page.kit.getState().chainId).toBe(1))
    expect(page.kit.getState().address).toBe(wallet.addresses[1])
    expect(wallet.requests).toHaveLength(0)
  })
})

describe('two kits on one page', () => {
  /** Sets up two kits that pair at the same time, each with its own wallet. */
  async function setupTwo() {
    const own = await createRelayServer()
    onTestFinished(() => own.close())
    const one = setup({ relayUrl: own.url })
    const two = one.openBeside()
    const pages = [one, two] as const
    const wallets = await Promise.all([createWallet({ relayUrl: own.url }), createWallet({ relayUrl: own.url })])
    const picked = await Promise.all(pages.map((page) => page.pick()))
    for (const [index, { uri, opened }] of picked.entries()) {
      const wallet = wallets[index] as (typeof wallets)[0]
      await wallet.approve(await wallet.scan(uri))
      await opened
    }
    return { one, two, wallets, clients: one.clients, own }
  }

  test('one client; each kit gets only the events of its own wallet', async () => {
    const { one, two, wallets, clients, own } = await setupTwo()
    expect(clients).toHaveLength(1)
    expect(own.open()).toBe(3)
    const [first, second] = wallets
    await first.emit('accountsChanged', [first.addresses[1]])
    await until(() => expect(one.kit.getState().address).toBe(first.addresses[1]))
    expect(two.kit.getState().address).toBe(second.addresses[0])
    const signing = two.kit.provider?.request({
      method: 'personal_sign',
      params: ['0x00', second.addresses[0] as never],
    })
    await until(() => expect(second.requests).toHaveLength(1))
    await second.answer(second.requests[0] as never)
    expect(await signing).toMatch(/^0x/)
    expect(first.requests).toHaveLength(0)
    await first.disconnect()
    await until(() => expect(one.kit.getState().status).toBe('disconnected'))
    expect(two.kit.getState().status).toBe('connected')
  })

  test('behavior: one is destroyed, the other continues; without kits the client disconnects', async () => {
    const { one, two, wallets, clients, own } = await setupTwo()
    one.kit.destroy()
    const [, second] = wallets
    await second.emit('accountsChanged', [second.addresses[1]])
    await until(() => expect(two.kit.getState().address).toBe(second.addresses[1]))
    two.kit.destroy()
    await until(() => expect(own.open()).toBe(2))
    expect(countListeners(clients[0])).toBe(0)
  })

  test('behavior: the kit is destroyed while the client connects: no connection is left', async () => {
    const knows = () => {
      page.kit.destroy()
      return true
    }
    const own = await createRelayServer(0, { knows })
    onTestFinished(() => own.close())
    const page = setup({ relayUrl: own.url })
    void page.kit.openConnectDialog()
    page.kit.dispatch({ type: 'pick', walletId: 'relayed' })
    await until(() => expect(own.connections()).toBe(1))
    await until(() => expect(own.open()).toBe(0))
  })

  test('behavior: a later kit reuses the client', async () => {
    const { kit, wallet, openAgain, clients } = await setupConnected()
    const open = server.open()
    kit.destroy()
    await until(() => expect(server.open()).toBe(open - 1))
    const page = openAgain()
    expect(await page.kit.reconnect()).toMatchObject({ address: wallet.addresses[0] })
    expect(clients).toHaveLength(1)
    await wallet.emit('accountsChanged', [wallet.addresses[1]])
    await until(() => expect(page.kit.getState().address).toBe(wallet.addresses[1]))
  })

  test('behavior: a kit that connects leaves the session of another one, which is not on the page', async () => {
    const { kit, wallet, reload, openBeside } = await setupConnected()
    kit.destroy()
    const [other, second] = [openBeside(), await createWallet()]
    const { opened, uri } = await other.pick()
    await second.approve(await second.scan(uri))
    await opened
    expect(await reload().kit.reconnect()).toMatchObject({ address: wallet.addresses[0] })
    expect(wallet.deleted).toEqual([])
  })

  test('behavior: aborted attempts leave no listener', async () => {
    const page = setup()
    const counts: number[] = []
    for (let attempt = 0; attempt < 3; attempt++) {
      await page.pick()
      page.kit.closeDialog()
      await until(() => expect(page.clients[0]?.proposal.getAll()).toHaveLength(0))
      counts.push(countListeners(page.clients[0]))
    }
    expect([...new Set(counts)]).toHaveLength(1)
  })
})

/** Counts the listeners on a client. */
function countListeners(client: RelayClient | undefined): number {
  const { events } = client as unknown as {
    events: { eventNames: () => string[]; listenerCount: (name: string) => number }
  }
  return events.eventNames().reduce((sum, name) => sum + events.listenerCount(name), 0)
}
