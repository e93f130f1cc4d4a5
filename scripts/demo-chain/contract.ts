import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import artifact from './contract/Community.json' with { type: 'json' }
import multicall3 from './contract/Multicall3.json' with { type: 'json' }

/** The part of the contract's ABI that scripts and tests use, typed. */
export const communityAbi = parseAbi([
  'event Bound(address indexed member, address indexed referrer)',
  'event VolumeAdded(address indexed member, uint256 amount)',
  'event RewardPaid(address indexed member, uint256 amount)',
  'error AlreadyBound(address member, address referrer)',
  'error SelfReferral(address member)',
  'error ReferrerNotBound(address referrer)',
  'error NotOwner(address caller)',
  'error EmptyReferrer()',
  'struct Entry { uint8 kind; address member; uint256 value; }',
  'function bind(address referrer)',
  'function record(Entry[] entries)',
  'function referrerOf(address member) view returns (address)',
  'function isBound(address member) view returns (bool)',
  'function owner() view returns (address)',
])

export const communityBytecode = artifact.bytecode as Hex

const kinds = { bound: 0, boundEventOnly: 1, volume: 2, reward: 3 } as const

export type RecordEntry =
  | { kind: 'bound' | 'boundEventOnly'; member: Address; referrer: Address }
  | { kind: 'volume' | 'reward'; member: Address; amount: bigint }

/** Encodes the call data of `record(entries)`. */
export function encodeRecord(entries: readonly RecordEntry[]): Hex {
  const encoded = entries.map((entry) => ({
    kind: kinds[entry.kind],
    member: entry.member,
    value: 'referrer' in entry ? BigInt(entry.referrer) : entry.amount,
  }))
  return encodeFunctionData({ abi: communityAbi, functionName: 'record', args: [encoded] })
}

/** The address of Multicall3 on BNB Smart Chain and most other chains (https://www.multicall3.com). */
export const multicall3Address: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Puts Multicall3 at its canonical address, so that batched reads work as on BNB Smart Chain. */
export async function installMulticall3(request: (method: string, parameters: unknown[]) => Promise<unknown>) {
  await request('anvil_setCode', [multicall3Address, multicall3.runtimeBytecode as Hex])
}

/** Returns the configuration of the demo community. */
export function demoConfig({ contract, startBlock }: { contract: Address; startBlock: number }) {
  return {
    communities: [
      {
        id: 'demo',
        name: { 'zh-CN': '示例社区', 'zh-TW': '示例社群', en: 'Demo community' },
        chainId: 56,
        address: contract,
        startBlock,
        event: 'event Bound(address indexed member, address indexed referrer)',
        member: 'member',
        referrer: 'referrer',
        volumes: {
          event: 'event VolumeAdded(address indexed member, uint256 amount)',
          member: 'member',
          amount: 'amount',
        },
        rewards: {
          event: 'event RewardPaid(address indexed member, uint256 amount)',
          member: 'member',
          amount: 'amount',
        },
        tokens: { volume: { symbol: 'DUSD', decimals: 18 }, reward: { symbol: 'BNB', decimals: 18 } },
        parent: 'function referrerOf(address) view returns (address)',
      },
    ],
  }
}
