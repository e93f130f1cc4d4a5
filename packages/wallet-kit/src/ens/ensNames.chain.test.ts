// @vitest-environment node
import type { ServerResponse } from 'node:http'
import { type Hex, http } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runAnvil } from '../../../../scripts/vitest/runAnvil.ts'
import { createNameServer } from '../../test/createNameServer.ts'
import { installNames } from '../../test/installNames.ts'
import { ensNames } from './ensNames.ts'

const alice = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const bob = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const { signal } = new AbortController()

let chain: Awaited<ReturnType<typeof runAnvil>>
let write: Awaited<ReturnType<typeof installNames>>
beforeAll(async () => {
  chain = await runAnvil()
  write = await installNames(chain.url)
})
afterAll(() => chain?.stop())

const claim = (name: string, leadsTo: Hex = alice) => write('UniversalResolver', 'setName', [alice, name, leadsTo])
const find = (address: Hex, transport = http(chain.url, { retryCount: 0 })) =>
  ensNames({ transport })({ address, signal })

test('returns the name and the avatar of an account, from a URL or a transport', async () => {
  await claim('alice.eth')
  await write('UniversalResolver', 'setAvatar', ['https://a.example/alice.png'])
  const named = { name: 'alice.eth', avatar: 'https://a.example/alice.png' }
  expect(await find(alice)).toEqual(named)
  expect(await ensNames({ transport: chain.url })({ address: alice, signal })).toEqual(named)
})

test.each([
  ['has none', bob, 'alice.eth', alice],
  ['claims that of another account', alice, 'bob.eth', bob],
  ['has one without a normal form', alice, 'alice\u202e.eth', alice],
  ['has one that reads like an address', alice, '0xd8da6bf26964af9d7eed9e03e53415d37aa96045.eth', alice],
] as const)('behavior: no name if the account %s', async (_, address, name, leadsTo) => {
  await claim(name, leadsTo)
  expect(await find(address)).toBeUndefined()
})

test('behavior: reads of many accounts at once are few requests', async () => {
  await claim('alice.eth')
  let requests = 0
  const resolve = ensNames({ transport: http(chain.url, { onFetchRequest: () => void requests++ }) })
  const accounts = Array.from({ length: 50 }, (_, index): Hex => `0x${String(index + 1).padStart(40, '0')}`)
  const found = await Promise.all([alice, ...accounts].map((address) => resolve({ address: address as Hex, signal })))
  expect(found.filter(Boolean)).toHaveLength(1)
  expect(requests).toBeLessThan(accounts.length / 2)
})

test.each(['https://node.example', http('https://node.example')])(
  'error: a node without an object: no other one is asked',
  (node) => {
    expect(() => ensNames(node as never)).toThrow('Expected { transport,ccipRead }')
  },
)

describe('records on another server', () => {
  test('behavior: the server is asked only with `ccipRead`', async () => {
    const server = await createNameServer()
    onTestFinished(() => server.close())
    server.answer({ data: '0x' })
    await claim('alice.eth')
    await write('UniversalResolver', 'setUrl', [`${server.url}/{sender}/{data}`])
    onTestFinished(() => write('UniversalResolver', 'setUrl', ['']))
    expect(await find(alice)).toBeUndefined()
    expect(server.requests).toEqual([])
    const named = await ensNames({ transport: chain.url, ccipRead: true })({ address: alice, signal })
    expect(named?.name).toBe('alice.eth')
    expect(server.requests).toHaveLength(1)
  })

  test('attack: a name that leads to a server again and again', async () => {
    const server = await createNameServer()
    onTestFinished(() => server.close())
    server.answer((response: ServerResponse) => {
      // Ends a lookup that would not end.
      if (server.requests.length > 50) return response.writeHead(500).end()
      return response.setHeader('content-type', 'application/json').end('{"data":"0x01"}')
    })
    await claim('alice.eth')
    await write('UniversalResolver', 'setUrl', [`${server.url}/{sender}/{data}`])
    onTestFinished(() => write('UniversalResolver', 'setUrl', ['']))
    const found = ensNames({ transport: chain.url, ccipRead: true })({ address: alice, signal })
    await expect(found).rejects.toThrow()
    expect(server.requests).toHaveLength(8)
  })
})

test('error: the node cannot be reached', async () => {
  await expect(find(alice, http('http://127.0.0.1:9', { retryCount: 0 }))).rejects.toThrow()
})
