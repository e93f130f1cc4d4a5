import type { Address } from 'viem'

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
