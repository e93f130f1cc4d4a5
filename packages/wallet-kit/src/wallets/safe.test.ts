import fc from 'fast-check'
import { custom } from 'viem'
import { bsc } from 'viem/chains'
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createWalletKit } from '../core/createWalletKit.ts'
import { announceWallet } from '../testing/announceWallet.ts'
import { createScriptedWallet } from '../testing/createScriptedWallet.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { safeConnector } from './safe.ts'
import { metaMaskWallet, safeWallet } from './table.ts'

const address = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const other = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const safeTxHash = `0x${'5'.repeat(64)}`
const txHash = `0x${'7'.repeat(64)}`
const safeOrigin = 'https://app.safe.global'

type Question = { id: string; method: string; params: unknown; env: { sdkVersion: string } }
type Reply = (params: never) => unknown

const good: Record<string, Reply> = {
  getSafeInfo: () => ({ safeAddress: address.toLowerCase(), chainId: 56, threshold: 1, owners: [], isReadOnly: false }),
  signMessage: () => ({ messageHash: '0x1', signature: '0xaa' }),
  signTypedMessage: () => ({ messageHash: '0x1', signature: '0xbb' }),
  sendTransactions: () => ({ safeTxHash }),
  getTxBySafeTxHash: () => ({ txHash }),
  rpcCall: (params) => ({ asked: params }),
}

/**
 * Creates a surrounding page with scripted answers. `undefined` does not answer; a thrown error is a refusal with
 * that reason.
 */
function frame(answers: Record<string, Reply> = {}, { origin = safeOrigin } = {}) {
  const questions: (Question & { targetOrigin: string })[] = []
  const parent = {
    postMessage: (question: Question, targetOrigin: string) => {
      questions.push({ ...structuredClone(question), targetOrigin })
      queueMicrotask(() => {
        const { id, method, params } = question
        try {
          const data = { ...good, ...answers }[method]?.(params as never)
          if (data !== undefined) say({ id, success: true, version: '9.1.0', data })
        } catch (thrown) {
          say({ id, success: false, version: '9.1.0', error: thrown })
        }
      })
    },
  }
  const say = (data: unknown, from: { source?: unknown; origin?: string } = {}) => {
    const event = new MessageEvent('message', { data, origin: from.origin ?? origin })
    Object.defineProperty(event, 'source', { value: 'source' in from ? from.source : parent })
    window.dispatchEvent(event)
  }
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window)
  return { questions, say }
}

function createKit({ storage = memoryStorage(), connectors = safeWallet.connectors } = {}) {
  const kit = createWalletKit({
    appName: 'Test',
    chains: [bsc],
    transports: { [bsc.id]: custom({ request: async () => null }) },
    wallets: [{ groupName: 'Popular', wallets: [{ ...safeWallet, connectors }, metaMaskWallet] }],
    storage,
  })
  onTestFinished(() => kit.destroy())
  return kit
}
const listed = (kit = createKit()) => kit.getState().wallets.map(({ id }) => id)

async function connected(answers: Record<string, Reply> = {}) {
  const parent = frame(answers)
  const kit = createKit()
  await kit.reconnect()
  const request = (method: string, params?: unknown) => kit.provider?.request({ method, params } as never)
  return { ...parent, kit, request }
}

beforeAll(() => Promise.all([import('./openSafe.ts'), import('../core/connection/connected.ts')]))
afterEach(() => vi.useRealTimers())

describe('a page that a Safe frames', () => {
  test('connects by itself and is listed', async () => {
    frame()
    const kit = createKit()
    expect(listed(kit)).not.toContain('safe')
    expect(await kit.reconnect()).toEqual({ walletId: 'safe', address, chainId: 56 })
    expect(kit.getState()).toMatchObject({ status: 'connected', walletId: 'safe', isSupportedChain: true })
    expect(listed(kit)).toContain('safe')
  })

  test('connects to the Safe before the stored wallet, which stays stored', async () => {
    const stored = JSON.stringify({ walletId: 'metaMask', kind: 'injected', address: other, chainId: 56 })
    const storage = memoryStorage({ 'walletKit.v1.connection': stored })
    const { provider, requests } = createScriptedWallet({ authorized: true })
    onTestFinished(announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider }))
    frame()
    expect(await createKit({ storage }).reconnect()).toMatchObject({ walletId: 'safe' })
    expect(requests).toEqual([])
    expect(storage.getItem('walletKit.v1.connection')).toBe(stored)
  })

  test('connects again after the person has disconnected', async () => {
    const { kit } = await connected()
    await kit.disconnect()
    expect(kit.getState().status).toBe('disconnected')
    expect(await kit.connect({ walletId: 'safe' })).toMatchObject({ address })
  })

  test('custom origins, exact and as a pattern', async () => {
    frame({}, { origin: 'https://safe.example' })
    for (const origins of [['https://safe.example'], [/^https:\/\/safe\.(example|test)$/g]])
      expect(await createKit({ connectors: [safeConnector({ origins })] }).reconnect()).toMatchObject({ address })
  })

  test('error: a pattern that matches only a part of the origin', async () => {
    frame({}, { origin: 'https://safe.example.evil' })
    const origins = [/safe\.example/]
    expect(await createKit({ connectors: [safeConnector({ origins })] }).reconnect()).toBeUndefined()
  })

  test('only the first request goes to any origin, later ones to the origin that answered', async () => {
    const { questions, request } = await connected()
    await request('personal_sign', ['0x68', address])
    expect(questions.map(({ method, targetOrigin }) => [method, targetOrigin])).toEqual([
      ['getSafeInfo', '*'],
      ['rpcCall', safeOrigin],
      ['signMessage', safeOrigin],
    ])
    expect(questions[0]?.params).toBeUndefined()
  })
})

describe('a page that no Safe frames', () => {
  test('not framed: Safe is not listed, and connecting says why', async () => {
    const kit = createKit()
    expect(listed(kit)).toEqual(['metaMask'])
    expect(await kit.reconnect()).toBeUndefined()
    await expect(kit.connect({ walletId: 'safe' })).rejects.toMatchObject({
      name: 'WalletNotAvailableError',
      reason: 'notReachable',
      shortMessage: 'This page is not open in Safe. Open it there as an app.',
    })
  })

  test('behavior: the framing page never answers: after two seconds the page goes on, other wallets connect', async () => {
    vi.useFakeTimers()
    frame({ getSafeInfo: () => undefined })
    const kit = createKit()
    const restored = kit.reconnect()
    expect(kit.getState().status).toBe('disconnected')
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await restored).toBeUndefined()
    expect(listed(kit)).toEqual(['metaMask'])
  })

  test('behavior: the person picks a wallet before the framing page answers', async () => {
    frame({ getSafeInfo: () => undefined })
    const { provider } = createScriptedWallet()
    onTestFinished(announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider }))
    const kit = createKit()
    const restored = kit.reconnect()
    expect(await kit.connect({ walletId: 'metaMask' })).toMatchObject({ walletId: 'metaMask' })
    await restored
    expect(kit.getState()).toMatchObject({ status: 'connected', walletId: 'metaMask' })
  })

  test('behavior: the framing page does not answer: the stored wallet is restored', async () => {
    vi.useFakeTimers()
    const stored = JSON.stringify({ walletId: 'metaMask', kind: 'injected', address: other, chainId: 56 })
    const { provider } = createScriptedWallet({ authorized: true })
    onTestFinished(announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider }))
    frame({ getSafeInfo: () => undefined })
    const kit = createKit({ storage: memoryStorage({ 'walletKit.v1.connection': stored }) })
    const restored = kit.reconnect()
    expect(kit.getState()).toMatchObject({ status: 'reconnecting', address: other })
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await restored).toMatchObject({ walletId: 'metaMask' })
  })

  describe('it answers late', () => {
    const info = { safeAddress: address, chainId: 56 }

    test.each([
      ['to the first question', 0],
      ['to a later question, after it has missed the first', 1],
    ])('behavior: %s: connected then', async (_, answered) => {
      vi.useFakeTimers()
      const { questions, say } = frame({ getSafeInfo: () => undefined })
      const kit = createKit()
      const restored = kit.reconnect()
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await restored).toBeUndefined()
      say({ id: questions[answered]?.id, success: true, data: info })
      await vi.advanceTimersByTimeAsync(0)
      expect(kit.getState()).toMatchObject({ status: 'connected', walletId: 'safe', address })
    })

    test('behavior: the stored wallet is restored meanwhile: it stays connected, and the Safe can be picked', async () => {
      vi.useFakeTimers()
      const stored = JSON.stringify({ walletId: 'metaMask', kind: 'injected', address: other, chainId: 56 })
      const { provider } = createScriptedWallet({ authorized: true })
      onTestFinished(announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider }))
      const { questions, say } = frame({ getSafeInfo: () => undefined })
      const kit = createKit({ storage: memoryStorage({ 'walletKit.v1.connection': stored }) })
      const restored = kit.reconnect()
      await vi.advanceTimersByTimeAsync(5_000)
      expect(await restored).toMatchObject({ walletId: 'metaMask' })
      say({ id: questions[0]?.id, success: true, data: info })
      await vi.advanceTimersByTimeAsync(0)
      expect(kit.getState()).toMatchObject({ status: 'connected', walletId: 'metaMask' })
      await kit.disconnect()
      void kit.openConnectDialog()
      expect(listed(kit)).toContain('safe')
      expect(await kit.connect({ walletId: 'safe' })).toMatchObject({ address })
    })

    test('behavior: another tab disconnects the stored wallet meanwhile: it is not restored', async () => {
      vi.useFakeTimers()
      const stored = JSON.stringify({ walletId: 'metaMask', kind: 'injected', address: other, chainId: 56 })
      const { provider } = createScriptedWallet({ authorized: true })
      onTestFinished(announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider }))
      frame({ getSafeInfo: () => undefined })
      const storage = memoryStorage({ 'walletKit.v1.connection': stored })
      const kit = createKit({ storage })
      void kit.reconnect()
      await vi.advanceTimersByTimeAsync(1_000)
      storage.removeItem('walletKit.v1.connection')
      await vi.advanceTimersByTimeAsync(5_000)
      expect(kit.getState().status).toBe('disconnected')
    })

    test('behavior: the stored wallet is locked: the Safe is connected then', async () => {
      vi.useFakeTimers()
      const stored = JSON.stringify({ walletId: 'metaMask', kind: 'injected', address: other, chainId: 56 })
      const { provider } = createScriptedWallet()
      onTestFinished(announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider }))
      const { questions, say } = frame({ getSafeInfo: () => undefined })
      const kit = createKit({ storage: memoryStorage({ 'walletKit.v1.connection': stored }) })
      const restored = kit.reconnect()
      await vi.advanceTimersByTimeAsync(5_000)
      expect(await restored).toBeUndefined()
      say({ id: questions[0]?.id, success: true, data: info })
      await vi.advanceTimersByTimeAsync(0)
      expect(kit.getState()).toMatchObject({ status: 'connected', walletId: 'safe' })
    })

    test('behavior: picked after it has begun to listen: asked at once', async () => {
      vi.useFakeTimers()
      let listens = false
      frame({ getSafeInfo: () => (listens ? info : undefined) })
      const kit = createKit()
      void kit.reconnect()
      await vi.advanceTimersByTimeAsync(7_000)
      listens = true
      expect(await kit.connect({ walletId: 'safe' })).toMatchObject({ address })
    })

    test('behavior: it never answers: no longer asked after a day', async () => {
      vi.useFakeTimers()
      const { questions } = frame({ getSafeInfo: () => undefined })
      void createKit().reconnect()
      await vi.advanceTimersByTimeAsync(86_400_000)
      const asked = questions.length
      await vi.advanceTimersByTimeAsync(10 * 86_400_000)
      expect(questions).toHaveLength(asked)
    })

    test('behavior: the person disconnects meanwhile: it stays disconnected', async () => {
      vi.useFakeTimers()
      const { questions, say } = frame({ getSafeInfo: () => undefined })
      const kit = createKit()
      void kit.reconnect()
      await vi.advanceTimersByTimeAsync(5_000)
      await kit.disconnect()
      say({ id: questions[0]?.id, success: true, data: info })
      await vi.advanceTimersByTimeAsync(0)
      expect(kit.getState().status).toBe('disconnected')
    })

    test('behavior: picked while it is silent: fails after three seconds', async () => {
      vi.useFakeTimers()
      frame({ getSafeInfo: () => undefined })
      const kit = createKit()
      const failed = expect(kit.connect({ walletId: 'safe' })).rejects.toMatchObject({ reason: 'noAnswer' })
      await vi.advanceTimersByTimeAsync(3_000)
      await failed
    })
  })
})

describe('hostile messages', () => {
  const info = { safeAddress: other, chainId: 56 }

  test.each<[string, (id: string) => unknown, { source?: unknown; origin?: string }]>([
    ['another window', (id) => ({ id, success: true, data: info }), { source: {} }],
    ['no window', (id) => ({ id, success: true, data: info }), { source: null }],
    ['another origin', (id) => ({ id, success: true, data: info }), { origin: 'https://evil.example' }],
    [
      'an origin that only begins alike',
      (id) => ({ id, success: true, data: info }),
      { origin: `${safeOrigin}.evil.example` },
    ],
    ['another question', (id) => ({ id: `${id}0`, success: true, data: info }), {}],
    ['no success and no failure', (id) => ({ id, data: info }), {}],
    ['nothing', () => null, {}],
    ['text', (id) => id, {}],
  ])('behavior: %s is passed over', async (_, data, from) => {
    vi.useFakeTimers()
    const { questions, say } = frame({ getSafeInfo: () => undefined })
    const kit = createKit()
    const restored = kit.reconnect()
    await expect.poll(() => questions).toHaveLength(1)
    say(data(questions[0]?.id ?? ''), from)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await restored).toBeUndefined()
  })

  test.each([
    [undefined],
    ['nonsense'],
    [{ safeAddress: 'nonsense', chainId: 56 }],
    [{ safeAddress: other, chainId: 'x' }],
  ])('behavior: a Safe that says of itself %o is none', async (data) => {
    frame({ getSafeInfo: () => data ?? null })
    const kit = createKit()
    expect(await kit.reconnect()).toBeUndefined()
    await expect(kit.connect({ walletId: 'safe' })).rejects.toMatchObject({ reason: 'notReachable' })
  })

  test('behavior: another allowed page does not answer for the Safe', async () => {
    const origins = [safeOrigin, 'https://safe.example']
    const { say, questions } = frame({ signMessage: () => undefined })
    const kit = createKit({ connectors: [safeConnector({ origins })] })
    await kit.reconnect()
    let signature: unknown
    void kit.provider?.request({ method: 'personal_sign', params: ['0x68', address] }).then((it) => (signature = it))
    await expect.poll(() => questions.at(-1)?.method).toBe('signMessage')
    const id = questions.at(-1)?.id
    say({ id, success: true, data: { signature: '0xevil' } }, { origin: 'https://safe.example' })
    say({ id, success: true, data: { signature: '0xaa' } })
    await expect.poll(() => signature).toBe('0xaa')
  })

  test('property: no message breaks a waiting request', async () => {
    const { say, request } = await connected()
    fc.assert(
      fc.property(fc.anything(), (data) => {
        say(data)
      }),
    )
    expect(await request('eth_accounts')).toEqual([address.toLowerCase()])
  })

  test('destroy() ends waiting requests and leaves no listener', async () => {
    const removed = vi.spyOn(window, 'removeEventListener')
    const { kit, questions, request } = await connected({ signMessage: () => undefined })
    const signing = request('personal_sign', ['0x68', address])
    await expect.poll(() => questions.at(-1)?.method).toBe('signMessage')
    removed.mockClear()
    kit.destroy()
    await expect(signing).rejects.toMatchObject({ name: 'AbortedError' })
    expect(removed.mock.calls.some(([type]) => type === 'message')).toBe(true)
  })
})

describe('the Safe as a provider', () => {
  test('accounts and chain', async () => {
    const { request } = await connected()
    expect(await request('eth_accounts')).toEqual([address.toLowerCase()])
    expect(await request('eth_requestAccounts')).toEqual([address.toLowerCase()])
    expect(await request('eth_chainId')).toBe('0x38')
    expect(await request('net_version')).toBe('56')
  })

  test('signs off chain', async () => {
    const { questions, request } = await connected()
    const typedData = { domain: {}, types: {}, primaryType: 'A', message: {} }
    expect(await request('personal_sign', ['0x68', address])).toBe('0xaa')
    expect(await request('eth_sign', [address.toLowerCase(), '0x68'])).toBe('0xaa')
    expect(await request('eth_signTypedData_v4', [address, JSON.stringify(typedData)])).toBe('0xbb')
    expect(await request('eth_signTypedData', [address, typedData])).toBe('0xbb')
    expect(questions.filter(({ method }) => method === 'rpcCall').map(({ params }) => params)).toEqual(
      Array.from({ length: 4 }, () => ({ call: 'safe_setSettings', params: [{ offChainSigning: true }] })),
    )
    expect(questions.at(-1)?.params).toEqual({ typedData })
  })

  test('behavior: a Safe that signs on chain: returns an empty signature', async () => {
    const { request } = await connected({
      rpcCall: () => {
        throw 'unknown setting'
      },
      signMessage: () => ({ safeTxHash }),
    })
    expect(await request('personal_sign', ['0x68', address])).toBe('0x')
  })

  test.each([
    ['personal_sign', ['0x68', other]],
    ['eth_sign', [other, '0x68']],
    ['eth_signTypedData_v4', [other, '{}']],
    ['eth_sendTransaction', [{ from: other, to: other }]],
    ['eth_sendTransaction', [{ from: address, data: '0x60' }]],
    ['eth_sendTransaction', [{ to: other, value: 'much' }]],
    ['personal_sign', undefined],
  ])('behavior: %s with %j is refused without a request', async (method, params) => {
    const { questions, request } = await connected()
    await expect(request(method, params)).rejects.toMatchObject({ code: -32602 })
    expect(questions.some(({ method }) => /sign|send/.test(method))).toBe(false)
  })

  test('behavior: typed data that is not JSON', async () => {
    const { request } = await connected()
    await expect(request('eth_signTypedData_v4', [address, '{'])).rejects.toThrow()
  })

  test('sends a transaction: returns its Safe hash, then the receipt on chain', async () => {
    const receipts: unknown[] = []
    const { questions, request } = await connected({
      rpcCall: ({ params: [hash] }: { params: [string] }) => {
        receipts.push(hash)
        return { transactionHash: hash, hash, status: '0x1' }
      },
    })
    expect(await request('eth_sendTransaction', [{ from: address, to: other, value: '0x10', gas: '0x5208' }])).toBe(
      safeTxHash,
    )
    expect(questions.at(-1)?.params).toEqual({
      txs: [{ to: other, value: '16', data: '0x' }],
      params: { safeTxGas: 21_000 },
    })
    expect(await request('eth_getTransactionReceipt', [safeTxHash])).toEqual({
      transactionHash: safeTxHash,
      hash: txHash,
      status: '0x1',
    })
    expect(await request('eth_getTransactionByHash', [safeTxHash])).toMatchObject({ hash: safeTxHash })
    expect(receipts).toEqual([txHash, txHash])
  })

  test('behavior: not executed yet: no receipt, the transaction is pending', async () => {
    const { request } = await connected({ getTxBySafeTxHash: () => ({ txHash: null }), rpcCall: () => null })
    await request('eth_sendTransaction', [{ from: address, to: other }])
    expect(await request('eth_getTransactionReceipt', [safeTxHash])).toBeNull()
    expect(await request('eth_getTransactionByHash', [safeTxHash])).toMatchObject({
      hash: safeTxHash,
      to: other,
      blockHash: null,
    })
    expect(await request('eth_getTransactionByHash', [txHash])).toBeNull()
  })

  /** Sets up the Safe of several owners, described by `safe`, and a transaction of it that the kit follows. */
  async function followed(safe: { txStatus?: unknown; txHash?: unknown }, receipt: object | null = { status: '0x1' }) {
    const setup = await connected({
      getTxBySafeTxHash: ({ safeTxHash: hash }: { safeTxHash: string }) => {
        if (hash !== safeTxHash) throw 'Not found'
        return { txHash: null, ...safe }
      },
      rpcCall: ({ call, params: [hash] }: { call: string; params: [string] }) =>
        call === 'eth_getTransactionReceipt' && hash === txHash && receipt
          ? { transactionHash: hash, blockNumber: '0x1', logs: [], ...receipt }
          : null,
    })
    await setup.request('eth_sendTransaction', [{ from: address, to: other }])
    setup.kit.addTransaction({ hash: safeTxHash as `0x${string}`, description: 'Bind a referrer' })
    const read = () => setup.kit.getState().transactions[0]
    return {
      ...setup,
      safe,
      read,
      asked: () => setup.questions.filter(({ method }) => method !== 'getSafeInfo').length,
    }
  }

  test('the kit follows a transaction by its Safe hash', async () => {
    const { read } = await followed({ txHash })
    await expect.poll(() => read()).toMatchObject({ hash: safeTxHash, status: 'confirmed' })
  })

  test('sends a list of calls as one transaction, and the kit follows it through its owners', async () => {
    const details: { txStatus: string; txHash?: string } = { txStatus: 'AWAITING_CONFIRMATIONS' }
    const { kit, questions } = await connected({
      getTxBySafeTxHash: () => details,
      rpcCall: ({ call }: { call: string }) =>
        call === 'eth_getTransactionReceipt' ? { status: '0x1', blockNumber: '0x1', transactionHash: txHash } : '0x1',
    })
    expect(await kit.getCapabilities()).toEqual({ atomic: { status: 'supported' } })
    const calls = [
      { to: other, value: 1n },
      { to: other, data: '0x12' },
    ] as const
    const sent = await kit.sendCalls({ calls, description: 'Buy', atomic: 'required' })
    expect(sent).toEqual({ method: 'wallet_sendCalls', ids: [safeTxHash] })
    expect(questions.find(({ method }) => method === 'sendTransactions')?.params).toEqual({
      txs: [
        { to: other, value: '1', data: '0x' },
        { to: other, value: '0', data: '0x12' },
      ],
    })
    const read = () => kit.getState().transactions[0]
    await expect.poll(read).toMatchObject({ hash: safeTxHash, status: 'pending', awaiting: 'owners' })
  })

  test.each([
    ['AWAITING_CONFIRMATIONS', 100],
    ['AWAITING_EXECUTION', 100],
    ['SUCCESS', 200],
    ['CANCELLED', 400],
    ['FAILED', 500],
  ])('tells the status of calls: %s', async (txStatus, status) => {
    const receipt = { status: '0x1', transactionHash: txHash }
    const { request } = await connected({ getTxBySafeTxHash: () => ({ txStatus, txHash }), rpcCall: () => receipt })
    expect(await request('wallet_getCallsStatus', [safeTxHash])).toEqual({
      version: '2.0.0',
      id: safeTxHash,
      chainId: '0x38',
      atomic: true,
      status,
      receipts: [receipt],
    })
  })

  test.each([
    ['of another chain', 'wallet_sendCalls', [{ chainId: '0x1', calls: [{ to: other }] }], 5710],
    ['in a transaction of another chain', 'eth_sendTransaction', [{ chainId: '0x1', to: other }], -32602],
    ['in a transaction of a chain that is none', 'eth_sendTransaction', [{ chainId: 'x', to: other }], -32602],
    ['of another account', 'wallet_sendCalls', [{ from: other, calls: [{ to: other }] }], -32602],
    ['that are none', 'wallet_sendCalls', [{ calls: [] }], -32602],
    ['without a receiver', 'wallet_sendCalls', [{ calls: [{ data: '0x' }] }], -32602],
    ['that it does not know', 'wallet_getCallsStatus', ['0x1'], 5730],
  ])('error: calls %s', async (_, method, params, code) => {
    const { request } = await connected({ getTxBySafeTxHash: () => ({}) })
    await expect(request(method, params)).rejects.toMatchObject({ code })
  })

  test('behavior: a Safe reports no status: times out, and the nonce is not used', async () => {
    vi.useFakeTimers()
    const { questions, read } = await followed({})
    await vi.advanceTimersByTimeAsync(303_000)
    expect(read()).toMatchObject({ status: 'failed', failureReason: 'timeout' })
    expect(JSON.stringify(questions)).not.toContain('eth_getTransactionCount')
  })

  test('behavior: the other owners take three days: pending, then followed by the hash on chain', async () => {
    vi.useFakeTimers()
    const { kit, read, safe } = await followed({ txStatus: 'AWAITING_CONFIRMATIONS' })
    const onSettled = vi.fn()
    kit.onTransactionSettled(onSettled)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(read()).toMatchObject({ hash: safeTxHash, status: 'pending', awaiting: 'owners' })
    vi.setSystemTime(Date.now() + 3 * 86_400_000)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(read()).toMatchObject({ status: 'pending', awaiting: 'owners' })
    safe.txStatus = 'AWAITING_EXECUTION'
    await vi.advanceTimersByTimeAsync(16_000)
    expect(read()).toMatchObject({ status: 'pending', awaiting: 'execution' })
    Object.assign(safe, { txStatus: 'SUCCESS', txHash })
    await vi.advanceTimersByTimeAsync(16_000)
    expect(read()).toMatchObject({ hash: txHash, originalHash: safeTxHash, status: 'confirmed' })
    expect(read()).not.toHaveProperty('awaiting')
    expect(onSettled.mock.calls).toMatchObject([[{ hash: txHash, status: 'confirmed' }, { chainId: 56 }]])
  })

  test('behavior: executed at last, and no receipt: five minutes from then', async () => {
    vi.useFakeTimers()
    const { read, safe } = await followed({ txStatus: 'AWAITING_CONFIRMATIONS' }, null)
    await vi.advanceTimersByTimeAsync(600_000)
    Object.assign(safe, { txStatus: 'SUCCESS', txHash })
    await vi.advanceTimersByTimeAsync(285_000)
    expect(read()).toMatchObject({ hash: txHash, originalHash: safeTxHash, status: 'pending' })
    expect(read()).not.toHaveProperty('awaiting')
    await vi.advanceTimersByTimeAsync(40_000)
    expect(read()).toMatchObject({ hash: txHash, status: 'failed', failureReason: 'timeout' })
  })

  test.each([
    ['CANCELLED', null, { hash: safeTxHash, failureReason: 'cancelled' }],
    ['FAILED', txHash, { hash: txHash, failureReason: 'reverted' }],
    ['FAILED', '0x12', { hash: safeTxHash, failureReason: 'reverted' }],
  ])('behavior: what awaits its owners is %s, with the hash %s', async (txStatus, txHash, then) => {
    vi.useFakeTimers()
    const { read, safe } = await followed({ txStatus: 'AWAITING_CONFIRMATIONS' })
    await vi.advanceTimersByTimeAsync(1_000)
    Object.assign(safe, { txStatus, txHash })
    await vi.advanceTimersByTimeAsync(16_000)
    expect(read()).toMatchObject({ status: 'failed', ...then })
    expect(read()).not.toHaveProperty('awaiting')
  })

  test.each([['constructor'], ['__proto__'], [{}], [null], [7]])(
    'behavior: a Safe that says of it %o says nothing',
    async (txStatus) => {
      vi.useFakeTimers()
      const { read } = await followed({ txStatus })
      await vi.advanceTimersByTimeAsync(303_000)
      expect(read()).toMatchObject({ status: 'failed', failureReason: 'timeout' })
    },
  )

  test.each<[string, (kit: ReturnType<typeof createKit>) => unknown]>([
    ['it is cleared', (kit) => kit.clearTransactions()],
    ['the person disconnects', (kit) => kit.disconnect()],
    ['another wallet is connected', (kit) => kit.connect({ walletId: 'metaMask' })],
    ['the kit is destroyed', (kit) => kit.destroy()],
  ])('behavior: what awaits its owners is asked for no more once %s', async (_, end) => {
    const { provider } = createScriptedWallet()
    onTestFinished(announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider }))
    vi.useFakeTimers()
    const { kit, asked } = await followed({ txStatus: 'AWAITING_CONFIRMATIONS' })
    await vi.advanceTimersByTimeAsync(31_000)
    await end(kit)
    const before = asked()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(asked()).toBe(before)
  })

  test('behavior: connected again: asks the Safe again', async () => {
    vi.useFakeTimers()
    const { kit, read, safe } = await followed({ txStatus: 'AWAITING_CONFIRMATIONS' })
    await vi.advanceTimersByTimeAsync(1_000)
    await kit.disconnect()
    await kit.connect({ walletId: 'safe' })
    expect(read()).toMatchObject({ awaiting: 'owners' })
    Object.assign(safe, { txStatus: 'SUCCESS', txHash })
    await vi.advanceTimersByTimeAsync(16_000)
    expect(read()).toMatchObject({ hash: txHash, status: 'confirmed' })
  })

  test('behavior: a hash unknown to the Safe is read unchanged', async () => {
    const { request } = await connected({
      getTxBySafeTxHash: () => {
        throw 'Not found'
      },
      rpcCall: ({ params: [hash] }: { params: [string] }) => ({ transactionHash: hash }),
    })
    expect(await request('eth_getTransactionReceipt', [txHash])).toEqual({ transactionHash: txHash })
  })

  test.each(['Transaction was rejected', 'User declined', 'Cancelled by the owner'])(
    'behavior: user rejected request: “%s”',
    async (reason) => {
      const { request } = await connected({
        sendTransactions: () => {
          throw reason
        },
      })
      await expect(request('eth_sendTransaction', [{ to: other }])).rejects.toMatchObject({
        code: 4001,
        message: reason,
      })
    },
  )

  test.each([
    ['insufficient funds', 'insufficient funds'],
    [42, 'The Safe returned an unknown error.'],
  ])('behavior: the Safe fails with %o', async (error, message) => {
    const { request } = await connected({
      sendTransactions: () => {
        throw error
      },
    })
    await expect(request('eth_sendTransaction', [{ to: other }])).rejects.toThrow(message)
  })

  test('behavior: a transaction without a hash', async () => {
    const { request } = await connected({ sendTransactions: () => ({}) })
    await expect(request('eth_sendTransaction', [{ to: other }])).rejects.toMatchObject({ code: -32603 })
  })

  test('reads go through the framing page', async () => {
    const { request } = await connected()
    expect(await request('eth_getBalance', [address, 'latest'])).toEqual({
      asked: { call: 'eth_getBalance', params: [address, 'latest'] },
    })
  })

  test('the block number is read from the latest block', async () => {
    const { request } = await connected({ rpcCall: () => ({ number: '0x10' }) })
    expect(await request('eth_blockNumber')).toBe('0x10')
  })

  test('behavior: a read that is never answered ends after ten seconds', async () => {
    const { request } = await connected({ rpcCall: () => undefined })
    vi.useFakeTimers()
    const read = expect(request('eth_gasPrice')).rejects.toMatchObject({ reason: 'noAnswer' })
    await vi.advanceTimersByTimeAsync(10_000)
    await read
  })

  test('behavior: switching the network is rejected with a reason', async () => {
    const { kit, request } = await connected()
    expect([56, 1].map((id) => kit.getState().connector?.canSwitchTo?.(id))).toEqual([true, false])
    expect(await request('wallet_switchEthereumChain', [{ chainId: '0x38' }])).toBeNull()
    await expect(request('wallet_switchEthereumChain', [{ chainId: '0x1' }])).rejects.toMatchObject({
      code: 4200,
      message: 'A Safe is on one network only. Open a Safe of the other network in Safe.',
    })
    await kit.switchChain({ chainId: 56 })
  })

  test.each(['eth_subscribe', 'constructor', '__proto__', 'wallet_addEthereumChain'])(
    'behavior: %s is not supported',
    async (method) => {
      const { request } = await connected()
      await expect(request(method)).rejects.toMatchObject({ code: 4200 })
    },
  )
})
