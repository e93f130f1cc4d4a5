import { parseConfig } from '@lineage/communities'
import { createRandom } from '../../../scripts/lib/createRandom.ts'

/** Unix seconds of the first join, and seconds until the last one. */
const start = 1_640_000_000
const seconds = 94_000_000
/** Number of members whose events share a block. */
const membersPerBlock = 4

export function addressOf(index: number): `0x${string}` {
  let text = ''
  for (let word = 0; word < 5; word++)
    text += (Math.imul(index + 1, 0x9e3779b1 + word * 0x85ebca6a) >>> 0).toString(16).padStart(8, '0')
  return `0x${text}`
}

/** Returns a hash as the tables read it from a file. */
export const hashOf = (index: number): string => `\\x${index.toString(16).padStart(64, '0')}`
export const blockOf = (index: number): number => 1 + Math.floor(index / membersPerBlock)
export const timeOf = (index: number, members: number): number =>
  start + Math.floor((seconds * Math.min(index, members)) / members)

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
    if (random() < 0.4) yield row(log + 1, 2, `,${BigInt(1 + Math.floor(random() ** 4 * 50)) * 10n ** 20n}`)
  }
}

export const toBytes = (hex: string): string => `\\x${hex.slice(2)}`

function referrerOf(index: number, random: () => number): string {
  if (index > 0 && index < 20) return addressOf(0)
  if (index === 0 || random() < 0.000_001) return `0x${'0'.repeat(40)}`
  return addressOf(Math.floor(index * (random() < 0.3 ? random() ** 2 : random()) ** (random() < 0.5 ? 1 : 0.3)))
}

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
