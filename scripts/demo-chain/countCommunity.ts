import type { Address } from 'viem'
import { createRpc } from './rpc.ts'

/**
 * Parameters of `countCommunity`.
 *
 * @example `const counted = await countCommunity({ rpcUrl, contract, fromBlock: startBlock })`
 */
export type CountCommunityParameters = { rpcUrl: string; contract: Address; fromBlock: number; toBlock?: number }

type RawLog = { address: string; topics: string[]; data: string; blockNumber: string; logIndex: string }

/** A counted community. All addresses are in lower case. */
export type CountedCommunity = {
  members: number
  placeholders: number
  roots: number
  self: number
  duplicate: number
  cycle: number
  maxDepth: number
  volume: bigint
  rewards: bigint
  referrerOf(address: string): string | undefined
  directsOf(address: string): string[]
  /** From the referrer up to the root. */
  uplineOf(address: string): string[]
}

/** First topics of the three events, written out to detect a wrong signature elsewhere. */
const boundTopic = '0x0d128562eaa47ab89086803e64a0f96847c0ed3cc63c26251f29ba1aede09d4e'
const volumeTopic = '0x35dae514e4a7698acec896fb9df962fc86015912d8d2ae7ba5017d4a9782aefb'
const rewardTopic = '0xe2403640ba68fed3a2f88b7557551d1993f84b99bb10ff833f0cf8db0c5e0486'
const noReferrers = ['0x0000000000000000000000000000000000000000', '0x000000000000000000000000000000000000dead']

/**
 * Counts a community from the chain's raw logs in the simplest way, without any code of the product, to compare the
 * product's pages with the chain.
 */
export async function countCommunity(parameters: CountCommunityParameters): Promise<CountedCommunity> {
  const { referrers, bound, named, irregular, ...amounts } = replay(await readLogs(parameters))
  const uplineOf = (address: string) => uplineIn(referrers, address)
  const directs = Map.groupBy(referrers.keys(), (member) => referrers.get(member))
  const placeholders = [...named].filter((address) => !bound.has(address))
  const everybody = [...bound, ...placeholders]
  return {
    members: bound.size,
    placeholders: placeholders.length,
    roots: everybody.filter((address) => !referrers.has(address)).length,
    ...irregular,
    maxDepth: Math.max(0, ...everybody.map((address) => uplineOf(address).length)),
    ...amounts,
    referrerOf: (address) => referrers.get(address.toLowerCase()),
    directsOf: (address) => directs.get(address.toLowerCase()) ?? [],
    uplineOf,
  }
}

/** Reads the contract's logs in chain order. */
async function readLogs({ rpcUrl, contract, fromBlock, toBlock }: CountCommunityParameters): Promise<RawLog[]> {
  const filter = {
    address: contract,
    fromBlock: `0x${fromBlock.toString(16)}`,
    toBlock: toBlock === undefined ? 'latest' : `0x${toBlock.toString(16)}`,
  }
  const logs = (await createRpc(rpcUrl)('eth_getLogs', [filter])) as RawLog[]
  return logs.sort((a, b) => Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex))
}

/** Applies logs in order: the first bind of a member counts, unless it is a bind to itself or closes a cycle. */
function replay(logs: RawLog[]) {
  const referrers = new Map<string, string>()
  const bound = new Set<string>()
  const named = new Set<string>()
  let volume = 0n
  let rewards = 0n
  const irregular = { self: 0, duplicate: 0, cycle: 0 }
  for (const { topics, data } of logs) {
    const member = addressIn(topics[1])
    if (topics[0] === volumeTopic) volume += BigInt(data)
    if (topics[0] === rewardTopic) rewards += BigInt(data)
    if (topics[0] !== boundTopic) continue
    const referrer = addressIn(topics[2])
    if (member === referrer) irregular.self += 1
    else if (bound.has(member)) irregular.duplicate += 1
    else if (uplineIn(referrers, referrer).includes(member)) irregular.cycle += 1
    else {
      bound.add(member)
      if (noReferrers.includes(referrer)) continue
      named.add(referrer)
      referrers.set(member, referrer)
    }
  }
  return { referrers, bound, named, irregular, volume, rewards }
}

function uplineIn(referrers: ReadonlyMap<string, string>, address: string): string[] {
  const upline: string[] = []
  for (let above = referrers.get(address.toLowerCase()); above; above = referrers.get(above)) upline.push(above)
  return upline
}

function addressIn(topic = ''): string {
  return `0x${topic.slice(-40)}`.toLowerCase()
}
