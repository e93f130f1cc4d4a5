import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import {
  type Address,
  concatHex,
  createTestClient,
  type Hex,
  http,
  numberToHex,
  pad,
  publicActions,
  toEventSelector,
  walletActions,
} from 'viem'

/** For every three words of its call data: a log with these three topics. */
const pairEmitter = '0x5f5b803611600957005b8060400135816020013582355f5fa3606001600156'
/** For every three words of its call data: a log with two topics, and the third word as its data. */
const amountEmitter = '0x5f5b803611600957005b80604001355f528060200135813560205fa2606001600156'

export const contract: Address = '0x00000000000000000000000000000000000c0de1'
export const feeds: Address = '0x00000000000000000000000000000000000c0de2'

const topics = {
  Bound: toEventSelector('event Bound(address indexed member, address indexed referrer)'),
  VolumeAdded: toEventSelector('event VolumeAdded(address indexed member, uint256 amount)'),
  RewardPaid: toEventSelector('event RewardPaid(address indexed member, uint256 amount)'),
}

export type Chain = Awaited<ReturnType<typeof startChain>>

/** A chain of its own on a free port, whose contract emits whatever a test wants, however dirty. */
export async function startChain({ timestamp = 1_700_000_000 } = {}) {
  const anvil = spawn(
    process.execPath,
    [
      fileURLToPath(import.meta.resolve('@foundry-rs/anvil/bin.mjs')),
      '--port',
      '0',
      '--chain-id',
      '56',
      '--timestamp',
      String(timestamp),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const url = await new Promise<string>((resolve, reject) => {
    anvil.once('exit', (code) => reject(new Error(`anvil ended with ${code}`)))
    createInterface(anvil.stdout).on('line', (line) => {
      const address = /Listening on (\S+)/.exec(line)?.[1]
      if (address) resolve(`http://${address}`)
    })
  })
  const client = createTestClient({ mode: 'anvil', transport: http(url), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)
  const [sender] = (await client.getAddresses()) as [Address]
  await client.setCode({ address: contract, bytecode: pairEmitter })
  await client.setCode({ address: feeds, bytecode: amountEmitter })
  await client.setBlockTimestampInterval({ interval: 1 })

  /** One transaction, hence one block. */
  async function emit(to: Address, words: Hex[]): Promise<Hex> {
    const hash = await client.sendTransaction({
      account: sender,
      chain: null,
      to,
      data: concatHex(words),
      gas: 25_000_000n,
    })
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error('the emitter failed')
    return hash
  }

  return {
    url,
    client,
    bind: (...pairs: [member: Address, referrer: Address][]) =>
      emit(
        contract,
        pairs.flatMap(([member, referrer]) => [topics.Bound, pad(member), pad(referrer)]),
      ),
    addVolume: (...amounts: [member: Address, amount: bigint][]) =>
      emit(
        feeds,
        amounts.flatMap(([member, amount]) => [topics.VolumeAdded, pad(member), numberToHex(amount, { size: 32 })]),
      ),
    payReward: (...amounts: [member: Address, amount: bigint][]) =>
      emit(
        feeds,
        amounts.flatMap(([member, amount]) => [topics.RewardPaid, pad(member), numberToHex(amount, { size: 32 })]),
      ),
    async stop() {
      const ended = once(anvil, 'exit')
      anvil.kill()
      await ended
    },
  }
}
