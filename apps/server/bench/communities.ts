import { parseConfig } from '../config/index.ts'
import { communityId } from './community.ts'

/** Returns the configuration of the benchmark with `count` communities. */
export const createCommunities = (count: number) =>
  parseConfig({
    communities: Array.from({ length: count }, (_, number) => ({
      id: communityId(number),
      name: `Synthetic ${number}`,
      chainId: 56,
      address: `0x${(0xbeef + number).toString(16).padStart(40, '0')}`,
      startBlock: 1,
      event: 'event Bound(address member, address referrer)',
      member: 'member',
      referrer: 'referrer',
      tokens: { volume: { symbol: 'USDT', decimals: 18 } },
    })),
  }).communities
