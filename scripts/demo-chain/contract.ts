import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import artifact from './contract/Community.json' with { type: 'json' }

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
