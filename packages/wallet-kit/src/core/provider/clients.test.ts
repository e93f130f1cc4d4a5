import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { fallback, http, parseEther } from 'viem'
import { getBalance, getChainId } from 'viem/actions'
import { bsc } from 'viem/chains'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runAnvil } from '../../../../../scripts/vitest/runAnvil.ts'
import { setupKit } from '../../testing/setupKit.ts'

// The first account of anvil, with the key that its documentation prints.
const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const privateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const receiver = '0x000000000000000000000000000000000000dEaD'

let chain: Awaited<ReturnType<typeof runAnvil>>
beforeAll(async () => {
  chain = await runAnvil()
})
afterAll(() => chain.stop())

// A fresh chain has no multicall contract yet.
const fresh = { ...bsc, contracts: {} }

function setup() {
  const dead = http('http://127.0.0.1:9', { retryCount: 0 })
  return setupKit({
    a: { privateKey, rpcUrl: chain.url },
    chains: [fresh],
    transports: { [fresh.id]: fallback([dead, http(chain.url)]) },
  })
}

test('reads use the nodes of the app, with fallback, and never the wallet', async () => {
  const { kit, a } = setup()
  await kit.connect({ walletId: 'a' })
  const asked = a.requests.length
  expect(await getBalance(kit.getClient(), { address: account })).toBeGreaterThan(parseEther('1000'))
  expect(await (await kit.getPublicClient()).getChainId()).toBe(56)
  expect(a.requests.length).toBe(asked)
})

test('the URL of a node is a transport', async () => {
  const { kit } = setupKit({ chains: [fresh], transports: { [fresh.id]: chain.url } })
  expect(await getBalance(kit.getClient(), { address: account })).toBeGreaterThan(parseEther('1000'))
  expect(await (await kit.getPublicClient()).getChainId()).toBe(56)
  expect(kit.getClient().transport).toMatchObject({ type: 'http', url: chain.url })
})

test('behavior: equal reads at the same time are one request', async () => {
  const asked: string[] = []
  const node = createServer((request, response) => {
    void json(request).then((body) => {
      const { id, method } = body as { id: number; method: string }
      asked.push(method)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x7' }))
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void node.close())
  await once(node, 'listening')
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  const { kit } = setupKit({ chains: [fresh], transports: { [fresh.id]: url } })
  // viem batches these reads; its transport is loaded meanwhile.
  const read = () => getChainId(kit.getClient())
  expect(await Promise.all([read(), read(), read()])).toEqual([7, 7, 7])
  expect(asked).toEqual(['eth_chainId'])
})

test('behavior: no node at the URL: the read fails with viem’s error', async () => {
  const { kit } = setupKit({ chains: [fresh], transports: { [fresh.id]: 'http://127.0.0.1:9' } })
  await expect(getBalance(kit.getClient(), { address: account })).rejects.toThrow('HTTP request failed')
})

test('a transaction of the wallet is watched until it is confirmed', async () => {
  const { kit } = setup()
  await kit.connect({ walletId: 'a' })
  const wallet = await kit.getWalletClient()
  const hash = await wallet.sendTransaction({ account, chain: bsc, to: receiver, value: 1n })
  kit.addTransaction({ hash, description: 'Burn' })
  await expect.poll(() => kit.getState().transactions[0]?.status).toBe('confirmed')
  expect(await getBalance(kit.getClient(), { address: receiver })).toBe(1n)
})

test('the wallet client signs through the wallet', async () => {
  const { kit } = setup()
  await kit.connect({ walletId: 'a' })
  const [wallet, reader] = [await kit.getWalletClient(), await kit.getPublicClient()]
  const signature = await wallet.signMessage({ account, message: 'Hello' })
  expect(await reader.verifyMessage({ address: account, message: 'Hello', signature })).toBe(true)
})
