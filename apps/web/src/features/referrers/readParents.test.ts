import { type Address, createClient, fallback, getAddress, type Hex, http, numberToHex, pad, zeroAddress } from 'viem'
import { bsc } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installMulticall3 } from '../../../../../scripts/demo-chain/contract.ts'
import { createRpc } from '../../../../../scripts/demo-chain/rpc.ts'
import { freePort } from '../../../../../scripts/vitest/freePort.ts'
import { type Anvil, runAnvil } from '../../../../../scripts/vitest/runAnvil.ts'
import { readParents, watchNodes } from './checkHops.ts'

const addressAt = (index: number): Address => getAddress(pad(numberToHex(index + 1), { size: 20 }))
const contract = addressAt(999_999)
const parentOf = (view: string, output: number[] = [0]) => ({ contract, view, args: [null], output })
const parent = parentOf('function referrerOf(address) view returns (address)')
const [agreeing, differing, nobody, silent] = [0, 1, 2, 3].map(addressAt) as [Address, Address, Address, Address]
const [expected, other] = [addressAt(50), addressAt(51)]

/** Returns the value stored under the argument; reverts for one member. */
const code = `0x600435${`8073${silent.slice(2)}14602657`}5460005260206000f35b60006000fd` as Hex

let chain: Anvil
beforeAll(async () => {
  chain = await runAnvil()
  const rpc = createRpc(chain.url)
  await installMulticall3(rpc)
  await rpc('anvil_setCode', [contract, code])
  for (const [member, referrer] of [
    [agreeing, expected],
    [differing, other],
    [nobody, zeroAddress],
  ] as const)
    await rpc('anvil_setStorageAt', [contract, pad(member, { size: 32 }), pad(referrer, { size: 32 })])
})
afterAll(() => chain?.stop())

const clientOf = (transport = http(chain.url)) => createClient({ chain: bsc, transport, batch: { multicall: true } })
const links = [agreeing, differing, nobody, silent].map((address) => ({ address, referrer: expected }))

test('behavior: agreeing, differing, without a referrer and unreadable, in one multicall', async () => {
  let calls = 0
  const transport = http(chain.url, { onFetchRequest: () => void calls++ })
  expect(await readParents({ client: clientOf(transport), parent, links })).toEqual([
    [agreeing, { kind: 'agrees' }],
    [differing, { kind: 'differs', referrer: other }],
    [nobody, { kind: 'differs', referrer: null }],
    [silent, { kind: 'unreadable' }],
  ])
  expect(calls).toBe(1)
})

test.each([
  ['an answer in a struct', 'function referrerOf(address) view returns ((address referrer))', [0, 0], 'agrees'],
  ['a view that answers no address', 'function referrerOf(address) view returns (uint256)', [0], 'unreadable'],
  ['a view that is none', 'function (', [0], 'unreadable'],
])('behavior: %s', async (_, text, output, kind) => {
  const parent = parentOf(text, output)
  const [[, hop] = []] = await readParents({ client: clientOf(), parent, links: links.slice(0, 1) })
  expect(hop?.kind).toBe(kind)
})

test('error: a missing contract leaves every hop unreadable', async () => {
  const hops = await readParents({ client: clientOf(), parent: { ...parent, contract: addressAt(7) }, links })
  expect(new Set(hops.map(([, { kind }]) => kind))).toEqual(new Set(['unreadable']))
})

test('behavior: reports when the server answered instead of the nodes', async () => {
  const dead = `http://127.0.0.1:${await freePort()}`
  const once = { retryCount: 0 }
  const behind = clientOf(fallback([http(dead, once), http(chain.url, once)], once) as never)
  const answeredBy = watchNodes(behind, chain.url)
  expect(answeredBy()).toBe('nodes')
  await readParents({ client: behind, parent, links })
  expect(answeredBy()).toBe('server')

  const direct = clientOf(fallback([http(chain.url, once), http(dead, once)], once) as never)
  const directly = watchNodes(direct, dead)
  await readParents({ client: direct, parent, links })
  expect(directly()).toBe('nodes')
  expect(watchNodes(clientOf(), chain.url)()).toBe('server')
})
