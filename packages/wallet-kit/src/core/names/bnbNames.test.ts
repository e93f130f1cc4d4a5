// @vitest-environment node

import fc from 'fast-check'
import { concat, createClient, type Hex, http, keccak256, stringToBytes, zeroAddress } from 'viem'
import { bsc } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runAnvil } from '../../../../../scripts/vitest/runAnvil.ts'
import { createNameServer } from '../../../test/createNameServer.ts'
import { installNames, offchainResolver, resolver } from '../../../test/installNames.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { createWalletKit } from '../createWalletKit.ts'
import { formatAddress } from '../lib/format.ts'
import { findBnbName, parseName } from './bnbNames.ts'

const alice = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const bob = '0x00000000219ab540356cBB839Cbe05303d7705Fa'

// Computed by hand from ERC-137 and ERC-181, and from the constants in SPACE ID's contracts.
const addrReverse = '0x91d1777781884d03a6757a803996e38de2a42967fb37eeaca72729271025a9e2'
const bnb = '0xdba5666821b22671387fe7ea11d7cc41ede85a5aa67c3e7b3d68ce6a661f389c'
const child = (node: Hex, label: string) => keccak256(concat([node, keccak256(stringToBytes(label))]))
const reverseOf = (address: string) => child(addrReverse, address.slice(2).toLowerCase())

let chain: Awaited<ReturnType<typeof runAnvil>>
let write: Awaited<ReturnType<typeof installNames>>
beforeAll(async () => {
  chain = await runAnvil()
  write = await installNames(chain.url)
})
afterAll(() => chain?.stop())

const createReader = (rpcUrl = chain.url) =>
  createClient({ chain: bsc, transport: http(rpcUrl, { retryCount: 0 }), batch: { multicall: true } })
const find = (address: Hex) => findBnbName(createReader(), address)

/** Sets `name` as the name of `address`, and `owner` as the account of `name`. */
async function claim(address: Hex, name: string, owner: Hex, node = child(bnb, name.split('.')[0] ?? '')) {
  await write('NameRegistry', 'setResolver', [reverseOf(address), resolver])
  await write('NameResolver', 'setName', [reverseOf(address), name])
  await write('NameRegistry', 'setResolver', [node, resolver])
  await write('NameResolver', 'setAddr', [node, owner])
  await write('NameResolver', 'setText', [node, 'avatar', ''])
  return node
}

test('returns the name of an account if the name resolves to the account', async () => {
  const node = await claim(alice, 'alice.bnb', alice)
  expect(await find(alice)).toEqual({ name: 'alice.bnb' })
  await write('NameResolver', 'setText', [node, 'avatar', 'https://a.example/alice.png'])
  expect(await find(alice.toLowerCase() as Hex)).toEqual({ name: 'alice.bnb', avatar: 'https://a.example/alice.png' })
})

test('behavior: a name of another account is dropped', async () => {
  await claim(alice, 'bob.bnb', bob)
  expect(await find(alice)).toEqual({})
})

test('behavior: a name that does not resolve is dropped', async () => {
  const node = await claim(alice, 'alice.bnb', zeroAddress)
  expect(await find(alice)).toEqual({})
  await write('NameRegistry', 'setResolver', [node, zeroAddress])
  expect(await find(alice)).toEqual({})
})

test('behavior: an account without a reverse record', async () => {
  expect(await find(bob)).toEqual({})
})

test.each([
  ['of another kind', 'alice.eth'],
  ['empty', ''],
  ['that reads like an address', '0xd8da6bf26964af9d7eed9e03e53415d37aa96045.bnb'],
  ['with a direction character', 'alice\u202e.bnb'],
  ['of 10,000 characters', `${'a'.repeat(10_000)}.bnb`],
])('behavior: a name %s is rejected', async (_, name) => {
  await claim(alice, name, alice)
  expect(await find(alice)).toEqual({})
})

test('behavior: a name in capitals is normalized', async () => {
  await claim(alice, 'ALICE.bnb', alice, child(bnb, 'alice'))
  expect(await find(alice)).toEqual({ name: 'alice.bnb' })
})

test.each(['ipfs://Qm', 'javascript:alert(1)', 'eip155:1/erc721:0x/1'])(
  'behavior: the avatar %s is dropped',
  async (avatar) => {
    const node = await claim(alice, 'alice.bnb', alice)
    await write('NameResolver', 'setText', [node, 'avatar', avatar])
    expect(await find(alice)).toEqual({ name: 'alice.bnb' })
  },
)

test('behavior: a resolver that is not a contract has no name', async () => {
  await write('NameRegistry', 'setResolver', [reverseOf(alice), bob])
  expect(await find(alice)).toEqual({})
})

test('behavior: CCIP-Read of a resolver is not followed', async () => {
  const server = await createNameServer()
  onTestFinished(() => server.close())
  await write('OffchainResolver', 'setUrl', [`${server.url}/{sender}/{data}`])
  await write('NameRegistry', 'setResolver', [reverseOf(alice), offchainResolver])
  expect(await find(alice)).toEqual({})
  expect(server.requests).toEqual([])
})

test('behavior: a chain without the registry has no names', async () => {
  const other = await runAnvil()
  onTestFinished(() => other.stop())
  const reader = createClient({ chain: { ...bsc, contracts: {} }, transport: http(other.url) })
  expect(await findBnbName(reader, alice)).toEqual({})
})

/** Creates a disconnected kit that reads names from this chain. */
function setupKit({ rpcUrl = chain.url, bnb = true, onFetchRequest = () => {} } = {}) {
  const wallet = { id: 'a', name: 'A', iconUrl: '', iconBackground: '#fff', connectors: [] }
  const kit = createWalletKit({
    appName: 'Test',
    chains: [bsc],
    transports: { [bsc.id]: http(rpcUrl, { retryCount: 0, onFetchRequest }) },
    wallets: [{ groupName: 'Popular', wallets: [wallet] }],
    names: { baseUrl: 'http://127.0.0.1:9', bnb },
    storage: memoryStorage(),
  })
  onTestFinished(() => kit.destroy())
  return kit
}

describe('lookUpAddress', () => {
  test('error: a name without an object is not a name without an account', async () => {
    await expect(setupKit().lookUpAddress('bob.bnb' as never)).rejects.toThrow('Expected { name }')
    await expect(setupKit().lookUpNames([bob] as never)).rejects.toThrow('Invalid address')
  })

  test('returns the account that a name resolves to, also if another one claims the name', async () => {
    await claim(alice, 'bob.bnb', bob)
    const named = { name: 'bob.bnb', address: bob }
    expect(await setupKit().lookUpAddress({ name: 'bob.bnb' })).toEqual(named)
    expect(await setupKit().lookUpAddress({ name: ' BOB.bnb ' })).toEqual(named)
  })

  test.each([
    ['without a record', 'nobody.bnb'],
    ['of another kind', 'vitalik.eth'],
    ['that is only the ending', '.bnb'],
    ['that reads like an address', '0xd8da6bf26964af9d7eed9e03e53415d37aa96045.bnb'],
    ['in mixed scripts', 'аlice.bnb'],
  ])('behavior: a name %s does not resolve', async (_, name) => {
    expect(await setupKit().lookUpAddress({ name })).toBeUndefined()
  })

  test('behavior: an empty record, a resolver that is not a contract, and CCIP-Read do not resolve', async () => {
    const node = await claim(alice, 'alice.bnb', zeroAddress)
    expect(await setupKit().lookUpAddress({ name: 'alice.bnb' })).toBeUndefined()
    for (const records of [bob, offchainResolver]) {
      await write('NameRegistry', 'setResolver', [node, records])
      expect(await setupKit().lookUpAddress({ name: 'alice.bnb' })).toBeUndefined()
    }
  })

  test('error: unreachable node, no source of names, destroyed kit', async () => {
    const name = 'bob.bnb'
    await expect(setupKit({ rpcUrl: 'http://127.0.0.1:9' }).lookUpAddress({ name })).rejects.toMatchObject({
      shortMessage: 'There was an error with the request.',
    })
    await expect(setupKit({ bnb: false }).lookUpAddress({ name })).rejects.toMatchObject({ name: 'ConfigurationError' })
    const kit = setupKit()
    const asked = kit.lookUpAddress({ name })
    kit.destroy()
    await expect(asked).rejects.toMatchObject({ name: 'AbortedError' })
  })
})

describe('lookUpNames', () => {
  const others = Array.from({ length: 100 }, (_, index): Hex => `0x${String(index + 1).padStart(40, '0')}`)

  test('returns names in the order of the addresses, in a few requests, and sets them in the state', async () => {
    await claim(alice, 'alice.bnb', alice)
    let requests = 0
    const kit = setupKit({ onFetchRequest: () => void requests++ })
    const found = await kit.lookUpNames({ addresses: [...others, alice, bob] })
    expect(found).toEqual([...others.map(() => ({})), { name: 'alice.bnb' }, {}])
    expect(requests).toBeLessThan(12)
    expect(kit.getState().names).toEqual({ [alice.toLowerCase()]: { status: 'ready', name: 'alice.bnb' } })
  })

  test('error: unreachable node, no source of names, invalid address', async () => {
    const addresses = [alice] as const
    await expect(setupKit({ rpcUrl: 'http://127.0.0.1:9' }).lookUpNames({ addresses })).rejects.toMatchObject({
      shortMessage: 'There was an error with the request.',
    })
    await expect(setupKit({ bnb: false }).lookUpNames({ addresses })).rejects.toMatchObject({
      name: 'ConfigurationError',
    })
    await expect(setupKit().lookUpNames({ addresses: ['0x12'] })).rejects.toMatchObject({
      shortMessage: 'Invalid address',
    })
  })
})

test('error: unreachable node', async () => {
  await expect(findBnbName(createReader('http://127.0.0.1:9'), alice)).rejects.toThrow()
})

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

test.each([
  ['alice.eth', 'alice.eth'],
  [' Alice.ETH\n', 'alice.eth'],
  ['小明.bnb', '小明.bnb'],
  ['👩‍🚀.bnb', '👩‍🚀.bnb'],
  ['0xbabe.bnb', '0xbabe.bnb'],
  ['oxford.eth', 'oxford.eth'],
  ['0xalice.eth', '0xalice.eth'],
  ['alice', 'alice'],
  [`0x${'1-'.repeat(60)}z.eth`, `0x${'1-'.repeat(60)}z.eth`],
])('%s is shown as %s', (name, shown) => expect(parseName(name)).toBe(shown))

test.each([
  undefined,
  null,
  42,
  {},
  ['alice.eth'],
  '',
  '  ',
  '.',
  'a..b',
  'alice bob.eth',
  'alice\u0000.eth',
  'alice\u202e.eth',
  'vital\u0456k.eth',
  '<b>alice</b>.eth',
  '<img src=x onerror=alert(1)>',
  'a'.repeat(10_000),
])('rejected: %j', (name) => expect(parseName(name)).toBeUndefined())

describe('names that look like an address', () => {
  test.each([
    '0xd8…6045',
    '0xd8...6045',
    '0xd8..45',
    '0xd8.6045',
    '0xd8.ab',
    `0x${'1-'.repeat(60)}1`,
    '0xd8-6045',
    '0xd8-6045.bnb',
    '0xd8\u20186045',
    'oxd8-6045.eth',
    '0XD8-6045',
    '\uff10\uff58d8-6045',
    '0\u0445d8-6045',
    '0x12345678',
    '0xdead',
    address,
    `${address}.eth`,
    `${address.slice(0, 12)}.bnb`,
  ])('rejected: %s', (name) => expect(parseName(name)).toBeUndefined())
})

test('property: a shortened address with any separator and ending is rejected', () => {
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 2, maxLength: 20 })
  const joint = fc.constantFrom('…', '...', '..', '-', '–', '_', '·', ' ', '’', "'")
  const end = fc.constantFrom('', '.eth', '.bnb')
  fc.assert(
    fc.property(hex, joint, hex, end, (a, joint, b, end) => {
      expect(parseName(`0x${a}${joint}${b}${end}`)).toBeUndefined()
    }),
  )
})

test('property: a parsed name is one short normalized line without invisible characters', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.anything(), fc.webUrl()), (value) => {
      const name = parseName(value)
      if (name === undefined) return
      expect([...name].length).toBeLessThanOrEqual(255)
      expect(name).not.toMatch(/[^\P{C}\u200c\u200d]|[\p{Z}<>"&]/u)
      expect(name).not.toBe(formatAddress(address))
      expect(parseName(name)).toBe(name)
    }),
    { numRuns: 500 },
  )
})
