import { setTimeout as delay } from 'node:timers/promises'
import {
  type Abi,
  type AbiEvent,
  type Address,
  createTestClient,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  parseAbiItem,
  publicActions,
  walletActions,
} from 'viem'
import { runAnvil } from '../../../scripts/vitest/runAnvil.ts'
import emitter from './contract/Emitter.json' with { type: 'json' }

export const contract: Address = '0x00000000000000000000000000000000000c0de1'
export const amountsContract: Address = '0x00000000000000000000000000000000000c0de2'

const emitterAbi = parseAbi([
  'struct Log { bytes32[] topics; bytes data; }',
  'function emitLogs(Log[] logs)',
  'function setReferrers(address[2][] pairs)',
])
export const events = {
  bound: parseAbiItem('event Bound(address indexed member, address indexed referrer)'),
  volumeAdded: parseAbiItem('event VolumeAdded(address indexed member, uint256 amount)'),
  rewardPaid: parseAbiItem('event RewardPaid(address indexed member, uint256 amount)'),
}

/** An event and its arguments, in ABI order. */
export type Emitted = [event: AbiEvent, ...values: readonly unknown[]]

export type Chain = Awaited<ReturnType<typeof startChain>>

/** Starts an anvil chain on a free port. Its contracts emit any log that a test asks for, valid or not. */
export async function startChain({ timestamp = 1_700_000_000, accounts = 10 } = {}) {
  const { url, stop } = await runAnvil(['--timestamp', String(timestamp), '--accounts', String(accounts)])
  const client = createTestClient({ mode: 'anvil', transport: http(url, { timeout: 120_000 }), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)
  const [sender, administrator] = (await client.getAddresses()) as [Address, Address]
  await client.setBlockTimestampInterval({ interval: 1 })

  /** Sends one transaction, which creates one block. */
  async function send(to: Address | undefined, data: Hex, account = sender) {
    // Set explicitly: after a rollback anvil may count transactions that no longer exist.
    const nonce = await client.getTransactionCount({ address: account, blockTag: 'latest' })
    const hash = await client.sendTransaction({ account, chain: null, to, data, gas: 25_000_000n, nonce })
    for (let tries = 1; ; tries++) {
      const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
      if (receipt && receipt.status !== 'success') throw new Error('The transaction to the emitter reverted.')
      if (receipt) return { hash, receipt }
      // Rarely, after a rollback, anvil accepts a transaction without mining it.
      if (tries % 200 === 0) await client.mine({ blocks: 1 })
      if (tries > 5_000) throw new Error('The transaction was not mined.')
      await delay(5)
    }
  }

  // Deployed, then reverted, so that the first block belongs to the test.
  const genesis = await client.snapshot()
  const { receipt } = await send(undefined, emitter.bytecode as Hex)
  const code = await client.getCode({ address: receipt.contractAddress as Address })
  await client.revert({ id: genesis })

  /** Places an emitter contract at an address. */
  async function place(address: Address): Promise<void> {
    await client.setCode({ address, bytecode: code as Hex })
  }
  await place(contract)
  await place(amountsContract)

  async function emit(address: Address, emitted: readonly Emitted[]): Promise<Hex> {
    const logs = emitted.map(([event, ...values]) => toLog(event, values))
    const data = encodeFunctionData({ abi: emitterAbi, functionName: 'emitLogs', args: [logs] })
    const { hash, receipt } = await send(address, data)
    if (receipt.logs.length !== logs.length) throw new Error(`There is no emitter at ${address}: call place() first.`)
    return hash
  }

  return {
    url,
    client,
    place,
    emit,
    bind: (...pairs: [member: Address, referrer: Address][]) =>
      emit(
        contract,
        pairs.map((pair): Emitted => [events.bound, ...pair]),
      ),
    addVolume: (...amounts: [member: Address, amount: bigint][]) =>
      emit(
        amountsContract,
        amounts.map((amount): Emitted => [events.volumeAdded, ...amount]),
      ),
    payReward: (...amounts: [member: Address, amount: bigint][]) =>
      emit(
        amountsContract,
        amounts.map((amount): Emitted => [events.rewardPaid, ...amount]),
      ),
    /** Sets the results of every view of the contract at an address. Emits no log, and may share a block with one. */
    setReferrers: (address: Address, ...pairs: [member: Address, referrer: Address][]) =>
      send(
        address,
        encodeFunctionData({ abi: emitterAbi, functionName: 'setReferrers', args: [pairs] }),
        administrator,
      ),
    stop,
  }
}

function toLog(event: AbiEvent, values: readonly unknown[]) {
  const named = event.inputs.map((input, index) => ({ input: { ...input, name: `a${index}` }, value: values[index] }))
  const indexed = named.filter(({ input }) => input.indexed)
  const rest = named.filter(({ input }) => !input.indexed)
  const abi: Abi = [{ ...event, inputs: named.map(({ input }) => input) }]
  const args = Object.fromEntries(indexed.map(({ input, value }) => [input.name, value]))
  return {
    topics: encodeEventTopics({ abi, eventName: event.name, args }) as Hex[],
    data: encodeAbiParameters(
      rest.map(({ input }) => input),
      rest.map(({ value }) => value),
    ),
  }
}
