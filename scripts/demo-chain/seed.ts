import { type Address, getAddress, type Hash, type Hex, numberToHex } from 'viem'
import { type CommunityPlan, planCommunity } from './community.ts'
import { communityBytecode, encodeRecord, installMulticall3, type RecordEntry } from './contract.ts'
import { demoAccounts, ownerAddress } from './demoAccounts.ts'
import { firstTimestamp, type PlanEntry } from './planBlocks.ts'
import { createRpc, type Rpc } from './rpc.ts'

/**
 * Parameters of `seedDemoChain`.
 *
 * @example `await seedDemoChain({ rpcUrl: chain.rpcUrl, now, onProgress: ({ done, total }) => show(done / total) })`
 */
export type SeedDemoChainParameters = {
  /** URL of a fresh anvil whose genesis block is older than `firstTimestamp(now)`. */
  rpcUrl: string
  /** End of the seeded year, in Unix seconds. From then on the chain's clock follows real time. */
  now: number
  /** Called with the number of blocks. */
  onProgress?: (progress: { done: number; total: number }) => void
  signal?: AbortSignal
}

/** Seconds between blocks after the seeding: long enough to show a pending transaction, short enough to wait for it. */
const blockSeconds = 3
const entriesPerTransaction = 120
const gasPerTransaction = numberToHex(15_000_000)

export type SeededChain = Awaited<ReturnType<typeof seedDemoChain>>

/** Deploys the demo community, writes a year of its events into the chain, and starts the chain's clock. */
export async function seedDemoChain(parameters: SeedDemoChainParameters) {
  const { rpcUrl, now, onProgress, signal } = parameters
  const startedAt = Date.now()
  const rpc = createRpc(rpcUrl, signal)
  const plan = planCommunity(now)
  const total = plan.blocks.length + 2
  const progress = (done: number) => onProgress?.({ done, total })

  progress(0)
  await assertFresh(rpc, now)
  await rpc('evm_setAutomine', [false])
  await installMulticall3(rpc)
  await giveBalances(rpc, plan)

  await rpc('evm_setNextBlockTimestamp', [firstTimestamp(now)])
  const deployment = await send(rpc, { data: communityBytecode })
  await rpc('evm_mine')
  const deployed = await receiptOf(rpc, deployment)
  const contract = getAddress(deployed.contractAddress)
  progress(1)

  let last: Hash = deployment
  for (const [index, block] of plan.blocks.entries()) {
    await rpc('evm_setNextBlockTimestamp', [block.timestamp])
    for (let from = 0; from < block.entries.length; from += entriesPerTransaction) {
      const entries = block.entries.slice(from, from + entriesPerTransaction).map(toRecordEntry)
      last = await send(rpc, { to: contract, data: encodeRecord(entries) })
    }
    await rpc('evm_mine')
    progress(index + 2)
  }
  const ended = await receiptOf(rpc, last)

  // The year ended when the seeding started.
  await rpc('evm_setTime', [now + Math.round((Date.now() - startedAt) / 1000)])
  await rpc('evm_setIntervalMining', [blockSeconds])
  progress(total)
  return {
    contract,
    /** Block in which the contract was deployed. */
    startBlock: Number(deployed.blockNumber),
    /** The last seeded block. */
    endBlock: Number(ended.blockNumber),
    demoAccounts,
    interesting: plan.interesting,
  }
}

function toRecordEntry(entry: PlanEntry): RecordEntry {
  if (entry.kind !== 'bound') return entry
  const { member, referrer, status } = entry
  return { kind: status === 'counts' ? 'bound' : 'boundEventOnly', member, referrer }
}

async function assertFresh(rpc: Rpc, now: number): Promise<void> {
  const block = (await rpc('eth_getBlockByNumber', ['latest', false])) as { number: Hex; timestamp: Hex }
  if (Number(block.number) > 0) throw new Error('The demo chain has blocks already; only a fresh one can be seeded.')
  if (Number(block.timestamp) >= firstTimestamp(now)) {
    throw new Error(
      'The genesis block of the demo chain is too new: start anvil with a timestamp before the seeded year.',
    )
  }
}

/** Sends a little BNB to the accounts that visitors open first. */
async function giveBalances(rpc: Rpc, { interesting }: CommunityPlan): Promise<void> {
  for (const [index, address] of Object.values(interesting).flat().entries()) {
    await rpc('anvil_setBalance', [address, numberToHex(10n ** 16n * BigInt(37 + index * 211))])
  }
}

async function send(rpc: Rpc, transaction: { to?: Address; data: Hex }): Promise<Hash> {
  return (await rpc('eth_sendTransaction', [{ from: ownerAddress, gas: gasPerTransaction, ...transaction }])) as Hash
}

type Receipt = { status: Hex; blockNumber: Hex; contractAddress: Address }

async function receiptOf(rpc: Rpc, hash: Hash): Promise<Receipt> {
  const receipt = (await rpc('eth_getTransactionReceipt', [hash])) as Receipt | null
  if (receipt?.status !== '0x1') throw new Error(`A seeding transaction failed: ${hash}`)
  return receipt
}
