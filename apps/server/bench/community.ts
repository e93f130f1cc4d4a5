import { parseConfig } from '@lineage/communities'
import { addressOf, amountOf, referrerOf, timeOf } from '../../../packages/forest/bench/community.ts'
import { createRandom } from '../../../scripts/lib/createRandom.ts'

/** Number of members whose events share a block. */
const membersPerBlock = 4

/** Returns a hash as the tables read it from a file. */
export const hashOf = (index: number): string => `\\x${index.toString(16).padStart(64, '0')}`
export const blockOf = (index: number): number => 1 + Math.floor(index / membersPerBlock)

/** Returns the id of a community: `demo`, `demo-1`, … */
export const communityId = (number: number): string => (number === 0 ? 'demo' : `demo-${number}`)

/** The columns of a row. */
export const columns = 'source, block, log_index, kind, time, block_hash, tx, tx_index, member, other, amount'

/**
 * Generates rows of `event` for `copy`, oldest first: a community about forty levels deep that grows mostly below newer
 * members, with one root above more than half of it. Two members in five have volume. All communities have the same
 * addresses, at different places in the tree.
 */
export function* rowsOf(members: number, community: number, source: number): Generator<string> {
  const { next: random } = createRandom(7 + community)
  for (let index = 0; index < members; index++) {
    const block = blockOf(index)
    const log = (community * membersPerBlock + (index % membersPerBlock)) * 2
    const row = (logIndex: number, kind: number, value: string) =>
      `${source},${block},${logIndex},${kind},${timeOf(block * membersPerBlock, members)},${hashOf(block)},${hashOf(index)},0,${toBytes(addressOf(index))},${value}\n`
    yield row(log, 0, `${toBytes(referrerOf(index, random))},`)
    if (random() < 0.4) yield row(log + 1, 2, `,${amountOf(random)}`)
  }
}

export const toBytes = (hex: string): string => `\\x${hex.slice(2)}`

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
