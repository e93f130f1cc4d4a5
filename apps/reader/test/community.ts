import type { ConfigInput } from '@lineage/communities'
import { type Address, numberToHex } from 'viem'
import { amountsContract, contract } from './chain.ts'

type CommunityInput = ConfigInput['communities'][number]

/** Returns a made-up address for an index. */
export const addressOf = (index: number): Address => numberToHex(index + 0xabc000, { size: 20 })

/** Returns a community whose contract emits the events of `chain.bind`. */
export const testCommunity = (changes: Partial<CommunityInput> = {}): CommunityInput => ({
  id: 'demo',
  name: 'Demo',
  chainId: 56,
  address: contract,
  startBlock: 1,
  event: 'event Bound(address indexed member, address indexed referrer)',
  member: 'member',
  referrer: 'referrer',
  tokens: { volume: { symbol: 'USDT', decimals: 18 }, reward: { symbol: 'USDT', decimals: 18 } },
  ...changes,
})

const amounts = (event: string) => ({
  address: amountsContract,
  event: `event ${event}(address indexed member, uint256 amount)`,
  member: 'member',
  amount: 'amount',
})

/** Volumes and rewards of the contract that emits the events of `chain.addVolume` and `chain.payReward`. */
export const testAmounts = { volumes: amounts('VolumeAdded'), rewards: amounts('RewardPaid') }
