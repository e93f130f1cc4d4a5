import type { Address } from 'viem'
import type { Random } from '../lib/createRandom.ts'
import type { PlanBlock } from './planBlocks.ts'

type Amounts = {
  blocks: PlanBlock[]
  random: Random
  edges: ReadonlyMap<Address, Address>
  joinedAt: ReadonlyMap<Address, number>
  strangers: Address[]
}

const cent = 10n ** 16n

/** Plans purchases with a heavy-tailed distribution, and rewards of 5 % and 2 % for two referrers. Returns both sums. */
export function planAmounts({ blocks, random, edges, joinedAt, strangers }: Amounts): {
  volume: bigint
  rewards: bigint
} {
  let volume = 0n
  let rewards = 0n

  function buy(buyer: Address, block: number): void {
    const cents = Math.min(20_000_000, Math.round(4_000 * (1 - random.next()) ** (-1 / 1.25)))
    const amount = BigInt(cents) * cent
    volume += amount
    blocks[block]?.entries.push({ kind: 'volume', member: buyer, amount })
    let receiver = edges.get(buyer)
    for (const percent of [5n, 2n]) {
      if (!receiver || cents < 10_000) return
      // Converted at 640 DUSD per BNB, rounded down to a millionth.
      const reward = ((amount * percent) / 64_000n / 10n ** 12n) * 10n ** 12n
      rewards += reward
      blocks[block]?.entries.push({ kind: 'reward', member: receiver, amount: reward })
      receiver = edges.get(receiver)
    }
  }

  /** Picks a later block, uniformly in time: the last day has more blocks than the others. */
  function laterThan(block: number): number {
    const [from, until] = [blocks[block]?.timestamp ?? 0, blocks.at(-1)?.timestamp ?? 0]
    const wanted = from + random.next() * (until - from)
    return blocks.findIndex(({ timestamp }) => timestamp >= wanted)
  }

  for (const [member, joined] of joinedAt) {
    if (random.next() > 0.58) continue
    buy(member, joined)
    while (random.next() < 0.38) buy(member, laterThan(joined))
  }
  // Real streams contain amounts of addresses that never bound, and of addresses that no bind names.
  for (const stranger of strangers) buy(stranger, random.below(blocks.length))
  return { volume, rewards }
}
