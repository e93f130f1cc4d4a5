import { parseConfig } from '../config/index.ts'

/** Configuration of the benchmark: one community. */
export const { communities } = parseConfig({
  communities: [
    {
      id: 'demo',
      name: 'Synthetic',
      chainId: 56,
      address: '0x000000000000000000000000000000000000beef',
      startBlock: 1,
      event: 'event Bound(address member, address referrer)',
      member: 'member',
      referrer: 'referrer',
      tokens: { volume: { symbol: 'USDT', decimals: 18 } },
    },
  ],
})
