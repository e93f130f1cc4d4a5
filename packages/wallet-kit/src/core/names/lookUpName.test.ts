// @vitest-environment node
import type { ServerResponse } from 'node:http'
import { custom } from 'viem'
import { bsc } from 'viem/chains'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createNameServer } from '../../../test/createNameServer.ts'
import { createScriptedWallet } from '../../testing/createScriptedWallet.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { createWalletKit } from '../createWalletKit.ts'
import { storageKey } from '../lib/storage.ts'
import type { NamesConfig } from '../state/config.ts'
import type { Connector } from '../wallets/wallet.ts'

const alice = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const bob = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const key = alice.toLowerCase()
const minutes = 60_000

let server: Awaited<ReturnType<typeof createNameServer>>
beforeEach(async () => {
  server = await createNameServer()
})
afterEach(() => {
  server.close()
  vi.useRealTimers()
})

/** Creates a kit in Node with one wallet that connects at once. */
async function setup({
  names,
  storage = memoryStorage(),
  isConnected = true,
}: {
  names?: NamesConfig
  storage?: ReturnType<typeof memoryStorage>
  isConnected?: boolean
} = {}) {
  const wallet = createScriptedWallet({ accounts: [alice] })
  const connector: Connector = {
    kind: 'injected',
    isReady: () => true,
    connect: async () => ({ provider: wallet.provider, accounts: [alice], chainId: 56 }),
  }
  const kit = createWalletKit({
    appName: 'Test',
    chains: [bsc],
    transports: { [bsc.id]: custom({ request: async () => null }) },
    wallets: [
      {
        groupName: 'Popular',
        wallets: [{ id: 'a', name: 'A', iconUrl: '', iconBackground: '#fff', connectors: [() => connector] }],
      },
    ],
    names: names ?? { baseUrl: server.url, apiKey: 'secret' },
    storage,
  })
  onTestFinished(() => kit.destroy())
  if (isConnected) await kit.connect({ walletId: 'a' })
  // Names of an earlier page.
  await vi.dynamicImportSettled()
  return { kit, storage, wallet }
}

const requestError = { name: 'WalletKitError', shortMessage: 'There was an error with the request.' }

test('requests the name with the key in its header, and shows the answer', async () => {
  server.answer({ data: 'alice.eth' })
  const { kit } = await setup()
  expect(await kit.lookUpName({ address: alice })).toEqual({ name: 'alice.eth' })
  expect(kit.getState().names).toEqual({ [key]: { status: 'ready', name: 'alice.eth' } })
  expect(server.requests).toHaveLength(1)
  expect(server.requests[0]).toMatchObject({
    url: `/v1/resolve-ens?address=${key}`,
    headers: { 'x-api-key': 'secret', accept: 'application/json' },
  })
})

test('behavior: another header, no key, a trailing slash', async () => {
  const { kit } = await setup({ names: { baseUrl: `${server.url}/names//`, apiKey: 'k', header: 'X-Own' } })
  await kit.lookUpName({ address: alice })
  const { kit: keyless } = await setup({ names: { baseUrl: server.url } })
  await keyless.lookUpName({ address: alice })
  expect(server.requests[0]).toMatchObject({
    url: `/names/v1/resolve-ens?address=${key}`,
    headers: { 'x-own': 'k' },
  })
  expect(server.requests[1]?.headers).not.toHaveProperty('x-api-key')
})

test.each([
  ['the name itself', { data: 'alice.eth' }, { name: 'alice.eth' }],
  ['an answer that wraps it', { data: { data: 'alice.eth' } }, { name: 'alice.eth' }],
  [
    'a name with its avatar',
    { data: 'alice.eth', avatar: 'https://a.example/a.png' },
    { name: 'alice.eth', avatar: 'https://a.example/a.png' },
  ],
  ['an avatar that is a script', { data: 'alice.eth', avatar: 'javascript:alert(1)' }, { name: 'alice.eth' }],
  ['an avatar without a name', { data: null, avatar: 'https://a.example/a.png' }, {}],
  ['none', { data: null }, {}],
  ['none, wrapped', { data: { data: null } }, {}],
  ['nothing at all', {}, {}],
  ['an empty one', { data: '' }, {}],
  ['a number', { data: 42 }, {}],
  ['a list', { data: ['alice.eth'] }, {}],
  ['a name of 10,000 characters', { data: `${'a'.repeat(10_000)}.eth` }, {}],
  ['a direction character', { data: 'alice\u202e.eth' }, {}],
  ['markup', { data: '<img src=x onerror=alert(1)>.eth' }, {}],
  ['a shortened address', { data: '0xd8…6045' }, {}],
])('behavior: the service returns %s', async (_, answer, found) => {
  server.answer(answer)
  const { kit } = await setup()
  expect(await kit.lookUpName({ address: alice })).toEqual(found)
})

const send =
  (status: number, body: string | Buffer, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end(body)

test.each([
  ['404', send(404, '{"data":"alice.eth"}')],
  ['500', send(500, '')],
  ['a page', send(200, '<!doctype html><p>Welcome', { 'content-type': 'text/html' })],
  ['a page that says it is JSON', send(200, '<!doctype html>', { 'content-type': 'application/json' })],
  ['truncated JSON', send(200, '{"data":"ali', { 'content-type': 'application/json' })],
  ['nothing', send(200, '')],
  ['204', send(204, '')],
  ['null', send(200, 'null')],
  ['a list', send(200, '["alice.eth"]')],
  ['bytes that are no text', send(200, Buffer.from([0xff, 0xfe, 0x00, 0x80]))],
  ['a way elsewhere', send(302, '', { location: 'https://elsewhere.example/' })],
  ['a redirect loop', (response: ServerResponse) => response.writeHead(302, { location: '/v1/resolve-ens' }).end()],
  ['a connection that ends', (response: ServerResponse) => response.destroy()],
  [
    'an answer that ends early',
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('{"data":')
      setImmediate(() => response.destroy())
    },
  ],
])('error: the service answers with %s', async (_, answer) => {
  server.answer(answer)
  const { kit, storage } = await setup()
  await expect(kit.lookUpName({ address: alice })).rejects.toMatchObject(requestError)
  expect(kit.getState().names[key]).toMatchObject({ status: 'failed', error: requestError })
  expect(storage.getItem(storageKey('names'))).toBeNull()
  expect(server.requests).toHaveLength(1)
})

test('behavior: JSON with another content type is accepted', async () => {
  server.answer(send(200, '{"data":"alice.eth"}', { 'content-type': 'text/plain' }))
  const { kit } = await setup()
  expect(await kit.lookUpName({ address: alice })).toEqual({ name: 'alice.eth' })
})

test('error: an endless answer is not read to its end', async () => {
  let sent = 0
  server.answer((response: ServerResponse) => {
    const part = ' '.repeat(16_000)
    const write = () => {
      while (!response.destroyed && response.write(part)) sent += part.length
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  })
  const { kit } = await setup()
  await expect(kit.lookUpName({ address: alice })).rejects.toMatchObject(requestError)
  await expect.poll(() => server.closed).toHaveLength(1)
  expect(sent).toBeLessThan(20_000_000)
})

test('error: no answer for 10,000 ms', async () => {
  const asked = new Promise<void>((resolve) => server.answer(() => resolve()))
  const { kit } = await setup()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const lookup = kit.lookUpName({ address: alice })
  const settled = vi.fn()
  lookup.then(settled, settled)
  await asked
  await vi.advanceTimersByTimeAsync(9_900)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(200)
  await expect(lookup).rejects.toMatchObject(requestError)
  vi.useRealTimers()
  await expect.poll(() => server.closed).toHaveLength(1)
})

describe('cache', () => {
  test('a name is requested once in 10 minutes for all pages, also a missing one', async () => {
    server.answer({ data: 'alice.eth' })
    const first = await setup()
    await Promise.all([first.kit.lookUpName({ address: alice }), first.kit.lookUpName({ address: alice })])
    await first.kit.lookUpName({ address: alice })
    server.answer({ data: null })
    await first.kit.lookUpName({ address: bob })
    const second = await setup({ storage: first.storage })
    expect(await second.kit.lookUpName({ address: alice })).toEqual({ name: 'alice.eth' })
    expect(await second.kit.lookUpName({ address: bob })).toEqual({})
    expect(server.requests).toHaveLength(2)
  })

  test('a cached name is shown on the next page before a wallet is connected', async () => {
    server.answer({ data: 'alice.eth' })
    const { kit, storage } = await setup()
    await kit.lookUpName({ address: alice })
    const next = await setup({ storage, isConnected: false })
    expect(next.kit.getState().names).toEqual({ [key]: { status: 'ready', name: 'alice.eth' } })
  })

  test('after 10 minutes it is shown while it is requested again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    server.answer({ data: 'alice.eth' })
    const { kit } = await setup()
    await kit.lookUpName({ address: alice })
    vi.setSystemTime(Date.now() + 10 * minutes)
    const waiting: ServerResponse[] = []
    server.answer((response: ServerResponse) => waiting.push(response))
    const lookup = kit.lookUpName({ address: alice })
    await expect.poll(() => waiting.length).toBe(1)
    expect(kit.getState().names[key]).toEqual({ status: 'loading', name: 'alice.eth' })
    waiting[0]?.end('{"data":"newer.eth"}')
    expect(await lookup).toEqual({ name: 'newer.eth' })
    expect(kit.getState().names[key]).toEqual({ status: 'ready', name: 'newer.eth' })
  })

  test('behavior: the service is unreachable by then: the name stays', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    server.answer({ data: 'alice.eth' })
    const { kit } = await setup()
    await kit.lookUpName({ address: alice })
    vi.setSystemTime(Date.now() + 11 * minutes)
    server.answer(send(503, ''))
    await expect(kit.lookUpName({ address: alice })).rejects.toMatchObject(requestError)
    expect(kit.getState().names[key]).toMatchObject({ status: 'failed', name: 'alice.eth' })
  })

  test('after 180 minutes it is dropped', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    server.answer({ data: 'alice.eth' })
    const { kit, storage } = await setup()
    await kit.lookUpName({ address: alice })
    vi.setSystemTime(Date.now() + 180 * minutes)
    expect((await setup({ storage, isConnected: false })).kit.getState().names).toEqual({})
  })

  test('keeps at most the latest 50', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { kit, storage } = await setup()
    const addresses = Array.from({ length: 55 }, (_, n) => `0x${String(n).padStart(40, '0')}` as const)
    for (const address of addresses) {
      await kit.lookUpName({ address })
      vi.setSystemTime(Date.now() + 1)
    }
    const kept = Object.keys(JSON.parse(storage.getItem(storageKey('names')) ?? '{}'))
    expect(kept.sort()).toEqual(addresses.slice(5))
  })

  const at = Date.now()
  test.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[1]'],
    ['an unknown key', `{"__proto__":{"at":${at},"name":"x"},"bob":{"at":${at}}}`],
    ['no time', `{"${key}":{"name":"x.eth"}}`],
    ['a time in the future', `{"${key}":{"name":"x.eth","at":${at + 1e9}}}`],
    ['an invalid entry', `{"${key}":"x.eth"}`],
  ])('behavior: storage holds %s', async (_, text) => {
    const { kit } = await setup({ storage: memoryStorage({ [storageKey('names')]: text }), isConnected: false })
    expect(kit.getState().names).toEqual({})
  })

  test.each([
    ['a number', 1],
    ['a direction character', 'a\u202eb.eth'],
    ['a line break', 'a\nb'],
    ['10,000 characters', 'a'.repeat(10_000)],
  ])('behavior: storage holds a name that is %s', async (_, name) => {
    const text = JSON.stringify({ [key]: { at: Date.now(), name, avatar: 'javascript:alert(1)' } })
    const { kit } = await setup({ storage: memoryStorage({ [storageKey('names')]: text }), isConnected: false })
    expect(kit.getState().names).toEqual({ [key]: { status: 'ready' } })
  })

  test('an emoji of several code points stays whole', async () => {
    server.answer({ data: '👩‍🚀.eth' })
    const { kit, storage } = await setup()
    await kit.lookUpName({ address: alice })
    const next = await setup({ storage, isConnected: false })
    expect(next.kit.getState().names[key]).toEqual({ status: 'ready', name: '👩‍🚀.eth' })
  })
})

describe('accounts', () => {
  test('behavior: the account changes during a lookup: each account gets its own name', async () => {
    const waiting: ServerResponse[] = []
    server.answer((response: ServerResponse) => waiting.push(response))
    const { kit, wallet } = await setup()
    const lookups = [kit.lookUpName({ address: alice })]
    await expect.poll(() => waiting.length).toBe(1)
    wallet.setAccounts([bob])
    lookups.push(kit.lookUpName({ address: bob }))
    await expect.poll(() => waiting.length).toBe(2)
    waiting[1]?.end('{"data":"bob.eth"}')
    waiting[0]?.end('{"data":"alice.eth"}')
    await Promise.all(lookups)
    expect(kit.getState().names).toEqual({
      [key]: { status: 'ready', name: 'alice.eth' },
      [bob.toLowerCase()]: { status: 'ready', name: 'bob.eth' },
    })
  })

  test('error: no request while no wallet is connected', async () => {
    const { kit } = await setup({ isConnected: false })
    await expect(kit.lookUpName({ address: alice })).rejects.toMatchObject({ name: 'WalletNotAvailableError' })
    expect(server.requests).toEqual([])
  })

  test('error: invalid address, no source of names', async () => {
    const { kit } = await setup()
    await expect(kit.lookUpName({ address: '0x1&data=' as '0x' })).rejects.toMatchObject({
      shortMessage: 'Invalid address',
    })
    expect(server.requests).toEqual([])
  })

  test.each([
    ['disconnecting', 'disconnect'],
    ['destroying the kit', 'destroy'],
  ] as const)('behavior: %s cancels a pending lookup', async (_, end) => {
    server.answer(() => {})
    const { kit, storage } = await setup()
    const lookup = kit.lookUpName({ address: alice })
    const rejected = expect(lookup).rejects.toMatchObject({ name: 'AbortedError' })
    await expect.poll(() => server.requests.length).toBe(1)
    void kit[end]()
    await rejected
    await expect.poll(() => server.closed).toHaveLength(1)
    expect(kit.getState().names[key]?.status).not.toBe('loading')
    expect(storage.getItem(storageKey('names'))).toBeNull()
  })
})

test('error: .bnb names without chain 56', () => {
  expect(() =>
    createWalletKit({
      appName: 'Test',
      chains: [{ ...bsc, id: 97 }],
      transports: { 97: custom({ request: async () => null }) },
      wallets: [
        { groupName: 'P', wallets: [{ id: 'a', name: 'A', iconUrl: '', iconBackground: '#fff', connectors: [] }] },
      ],
      names: { bnb: true },
    }),
  ).toThrow('Names that end in .bnb need chain 56')
})

describe('a source of the app’s own', () => {
  test('is asked first, with the account', async () => {
    const resolve = vi.fn(async () => ({ name: 'Alice.eth', avatar: 'https://a.example/a.png' }))
    const { kit } = await setup({ names: { resolve, baseUrl: server.url } })
    const expected = { name: 'alice.eth', avatar: 'https://a.example/a.png' }
    expect(await kit.lookUpName({ address: alice })).toEqual(expected)
    expect(resolve).toHaveBeenCalledWith({ address: key, signal: expect.any(AbortSignal) })
    expect(server.requests).toEqual([])
  })

  test('answers without a wallet, also after the connection ends', async () => {
    const resolve = vi.fn(async () => ({ name: 'alice.eth' }))
    const { kit } = await setup({ names: { resolve }, isConnected: false })
    expect(await kit.lookUpName({ address: alice })).toEqual({ name: 'alice.eth' })
    await kit.connect({ walletId: 'a' })
    const lookup = kit.lookUpName({ address: bob })
    await kit.disconnect()
    expect(await lookup).toEqual({ name: 'alice.eth' })
  })

  test('is the only one asked without a wallet; the others are asked once one is connected', async () => {
    server.answer({ data: 'alice.eth' })
    const resolve = vi.fn(async () => undefined)
    const { kit } = await setup({ names: { resolve, baseUrl: server.url }, isConnected: false })
    expect(await kit.lookUpName({ address: alice })).toEqual({})
    expect(await kit.lookUpName({ address: alice })).toEqual({})
    expect(resolve).toHaveBeenCalledOnce()
    expect(server.requests).toEqual([])
    await kit.connect({ walletId: 'a' })
    expect(await kit.lookUpName({ address: alice })).toEqual({ name: 'alice.eth' })
    expect(server.requests).toHaveLength(1)
  })

  test('behavior: a wallet connects while it is asked: the others are asked, too', async () => {
    server.answer({ data: 'alice.eth' })
    let answer = () => {}
    const resolve = () =>
      new Promise<undefined>((done) => {
        answer = () => done(undefined)
      })
    const { kit } = await setup({ names: { resolve, baseUrl: server.url }, isConnected: false })
    const before = kit.lookUpName({ address: alice })
    await kit.connect({ walletId: 'a' })
    const after = kit.lookUpName({ address: alice })
    await vi.dynamicImportSettled()
    answer()
    expect(await Promise.all([before, after])).toEqual([{ name: 'alice.eth' }, { name: 'alice.eth' }])
  })

  test('a picture without a name: shown with the name of another source, and kept', async () => {
    server.answer({ data: 'alice.eth' })
    const avatar = 'data:image/png;base64,AA=='
    const { kit, storage } = await setup({ names: { resolve: async () => ({ avatar }), baseUrl: server.url } })
    expect(await kit.lookUpName({ address: alice })).toEqual({ name: 'alice.eth', avatar })
    const { kit: nameless } = await setup({ names: { resolve: async () => ({ avatar }) } })
    expect(await nameless.lookUpName({ address: alice })).toEqual({ avatar })
    expect(storage.getItem(storageKey('names'))).toContain(avatar)
  })

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['no name', { name: null, avatar: null }],
    ['an address as a name', { name: alice }],
    ['a script as a picture', { avatar: 'javascript:alert(1)' }],
    ['text', 'alice.eth'],
  ])('behavior: it answers with %s: the next source is asked', async (_, answer) => {
    server.answer({ data: 'alice.eth' })
    const { kit } = await setup({ names: { resolve: async () => answer as never, baseUrl: server.url } })
    expect(await kit.lookUpName({ address: alice })).toEqual({ name: 'alice.eth' })
  })

  test('behavior: it fails', async () => {
    const resolve = () => {
      throw new Error('away')
    }
    const { kit } = await setup({ names: { resolve } })
    await expect(kit.lookUpName({ address: alice })).rejects.toMatchObject(requestError)
  })

  test('behavior: it does not answer: given up after ten seconds', async () => {
    const { kit } = await setup({ names: { resolve: () => new Promise(() => {}) } })
    vi.useFakeTimers()
    const lookup = expect(kit.lookUpName({ address: alice })).rejects.toMatchObject(requestError)
    await vi.advanceTimersByTimeAsync(10_000)
    await lookup
  })
})
