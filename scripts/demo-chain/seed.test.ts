import { createPublicClient, createWalletClient, http, parseAbi, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { bsc } from 'viem/chains'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Anvil, runAnvil } from '../vitest/runAnvil.ts'
import { demoChainArguments } from './anvil.ts'
import { planCommunity } from './community.ts'
import { communityAbi, demoConfig, multicall3Address } from './contract.ts'
import { type CountedCommunity, countCommunity } from './countCommunity.ts'
import { demoAccounts } from './demoAccounts.ts'
import { startNewMembers } from './live.ts'
import { createRpc } from './rpc.ts'
import { type SeededChain, seedDemoChain } from './seed.ts'

const now = Math.floor(Date.now() / 1000)
const plan = planCommunity(now)
const progress: number[] = []
let chain: Anvil
let seeded: SeededChain
let counted: CountedCommunity

beforeAll(async () => {
  chain = await runAnvil(demoChainArguments(now))
  const onProgress = ({ done, total }: { done: number; total: number }) => progress.push(done / total)
  seeded = await seedDemoChain({ rpcUrl: chain.url, now, onProgress })
  counted = await countCommunity({ rpcUrl: chain.url, contract: seeded.contract, fromBlock: seeded.startBlock })
})
afterAll(() => chain?.stop())

const client = () => createPublicClient({ chain: bsc, transport: http(chain.url), pollingInterval: 100 })
const contract = () => ({ address: seeded.contract, abi: communityAbi }) as const

test('behavior: the raw logs have the figures of the plan', () => {
  expect(counted).toMatchObject(plan.expected)
})

test('behavior: every edge of the plan is on chain, and referrerOf agrees for every member', async () => {
  expect([...plan.edges].every(([member, referrer]) => counted.referrerOf(member) === referrer.toLowerCase())).toBe(
    true,
  )
  const members = [...plan.edges.keys()]
  const answers = await client().multicall({
    allowFailure: false,
    batchSize: 32_768,
    contracts: members.map((member) => ({ ...contract(), functionName: 'referrerOf', args: [member] }) as const),
  })
  expect(members.filter((member, index) => answers[index] !== plan.edges.get(member))).toEqual([])
})

test('behavior: irregular binds leave referrerOf as it was', async () => {
  const { cycle, self, duplicate } = plan.interesting
  const read = (member: typeof cycle) =>
    client().readContract({ ...contract(), functionName: 'referrerOf', args: [member] })
  expect(await read(cycle)).toBe(zeroAddress)
  expect(await read(self)).toBe(zeroAddress)
  expect(await read(duplicate)).toBe(plan.edges.get(duplicate))
})

test('behavior: progress goes from 0 to 1 and never back', () => {
  expect(progress[0]).toBe(0)
  expect(progress.at(-1)).toBe(1)
  expect(progress).toEqual([...progress].sort((a, b) => a - b))
})

test('behavior: the seeded chain names its first and last block', async () => {
  const { transactions } = await client().getBlock({ blockNumber: BigInt(seeded.startBlock) })
  const receipts = await Promise.all(transactions.map((hash) => client().getTransactionReceipt({ hash })))
  expect(receipts.map(({ contractAddress }) => contractAddress?.toLowerCase())).toContain(seeded.contract.toLowerCase())
  expect(seeded.endBlock - seeded.startBlock).toBe(plan.blocks.length)
  expect(seeded.endBlock).toBeLessThanOrEqual(800)
})

test('behavior: after the seeding the chain makes blocks at the real time', async () => {
  const newest = async () => (await client().getBlock()).number
  await expect.poll(newest).toBeGreaterThan(seeded.endBlock)
  const block = await client().getBlock()
  // A busy machine makes blocks late. Seeded blocks are hours apart.
  expect(Math.abs(Number(block.timestamp) - Date.now() / 1000)).toBeLessThan(60)
})

test('behavior: reads at one of the last blocks are answered', async () => {
  const blockNumber = (await client().getBlockNumber()) - 4n
  const args = [plan.interesting.duplicate] as const
  const referrer = await client().readContract({ ...contract(), functionName: 'referrerOf', args, blockNumber })
  expect(referrer).toBe(plan.edges.get(plan.interesting.duplicate))
})

test('behavior: Multicall3 answers aggregate3 with failures allowed, and getEthBalance', async () => {
  const [owner, missing, balance] = await client().multicall({
    contracts: [
      { ...contract(), functionName: 'owner' },
      {
        address: seeded.contract,
        abi: parseAbi(['function nothing() view returns (uint256)']),
        functionName: 'nothing',
      },
      {
        address: multicall3Address,
        abi: parseAbi(['function getEthBalance(address) view returns (uint256)']),
        functionName: 'getEthBalance',
        args: [demoAccounts[3]?.address ?? zeroAddress],
      },
    ],
  })
  expect(owner.status).toBe('success')
  expect(missing.status).toBe('failure')
  expect(balance.result).toBe(10_000n * 10n ** 18n)
})

test('behavior: an unbound account can bind, and each refused bind has its own error', async () => {
  const [leader, , , unbound] = demoAccounts.map(({ privateKey }) => privateKeyToAccount(privateKey))
  if (!leader || !unbound) throw new Error('Too few demo accounts.')
  const attempt = (account: typeof leader, referrer: typeof seeded.contract) =>
    client().simulateContract({ ...contract(), functionName: 'bind', args: [referrer], account })
  await expect(attempt(leader, plan.interesting.star)).rejects.toThrow('AlreadyBound')
  await expect(attempt(unbound, unbound.address)).rejects.toThrow('SelfReferral')
  await expect(attempt(unbound, plan.interesting.placeholder)).rejects.toThrow('ReferrerNotBound')
  await expect(attempt(unbound, zeroAddress)).rejects.toThrow('EmptyReferrer')

  const wallet = createWalletClient({ account: unbound, chain: bsc, transport: http(chain.url) })
  const hash = await wallet.writeContract({ ...contract(), functionName: 'bind', args: [plan.interesting.star] })
  expect((await client().waitForTransactionReceipt({ hash })).status).toBe('success')
  const after = await countCommunity({ rpcUrl: chain.url, contract: seeded.contract, fromBlock: seeded.startBlock })
  expect(after.referrerOf(unbound.address)).toBe(plan.interesting.star.toLowerCase())
  expect(after.members).toBe(counted.members + 1)
})

test('error: record is called by another account than the owner', async () => {
  const account = demoAccounts[0]?.address ?? zeroAddress
  const attempt = client().simulateContract({ ...contract(), functionName: 'record', args: [[]], account })
  await expect(attempt).rejects.toThrow('NotOwner')
})

test('behavior: new members join until the limit, and not after a stop', async () => {
  const { contract: address, interesting } = seeded
  const count = () => countCommunity({ rpcUrl: chain.url, contract: address, fromBlock: seeded.startBlock })
  const before = (await count()).members
  const options = { rpcUrl: chain.url, contract: address, interesting, everySeconds: 0.02 }
  const stop = startNewMembers({ ...options, seed: 1, limit: 3 })
  await expect.poll(async () => (await count()).members).toBe(before + 3)
  startNewMembers({ ...options, seed: 2 })()
  await createRpc(chain.url)('evm_mine')
  await createRpc(chain.url)('evm_mine')
  expect((await count()).members).toBe(before + 3)
  stop()
})

test('error: the chain already has blocks', async () => {
  await expect(seedDemoChain({ rpcUrl: chain.url, now })).rejects.toThrow('has blocks already')
})

test('error: a genesis block that is too new, with instructions', async () => {
  const other = await runAnvil()
  await expect(seedDemoChain({ rpcUrl: other.url, now })).rejects.toThrow('start anvil with a timestamp')
  await other.stop()
})

test('behavior: the chain is on this machine only, even where the environment names another address', async () => {
  vi.stubEnv('ANVIL_IP_ADDR', '203.0.113.1')
  const other = await runAnvil(demoChainArguments(now)).finally(() => vi.unstubAllEnvs())
  expect(new URL(other.url).hostname).toBe('127.0.0.1')
  await other.stop()
})

test('error: a cancelled seeding ends with the reason', async () => {
  const other = await runAnvil(demoChainArguments(now))
  const cancel = new AbortController()
  const onProgress = ({ done }: { done: number }) => done === 5 && cancel.abort(new Error('stopped by the test'))
  await expect(seedDemoChain({ rpcUrl: other.url, now, onProgress, signal: cancel.signal })).rejects.toThrow(
    'stopped by the test',
  )
  await other.stop()
})

test('behavior: the configuration names the contract and survives JSON', () => {
  const config = demoConfig(seeded)
  expect(JSON.parse(JSON.stringify(config))).toEqual(config)
  expect(config.communities[0]).toMatchObject({ id: 'demo', address: seeded.contract, startBlock: seeded.startBlock })
})
