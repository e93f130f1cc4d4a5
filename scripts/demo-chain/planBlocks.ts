import type { Address } from 'viem'
import type { Random } from '../lib/createRandom.ts'

export type PlanEntry =
  /** `counts`: the bind adds an edge or a root. The others are irregular binds, as in a real stream. */
  | { kind: 'bound'; member: Address; referrer: Address; status: 'counts' | 'self' | 'duplicate' | 'cycle' }
  | { kind: 'volume' | 'reward'; member: Address; amount: bigint }

export type PlanBlock = { timestamp: number; entries: PlanEntry[] }

const memberCount = 4_200
const days = 365
const day = 86_400
/** Number of blocks in the last day, one per hour, so that the chart of the last 24 h has a shape. */
const lastDaySlots = 24
/** First day with two blocks; earlier days have one. */
const twoBlocksFrom = 140

/** Returns the time of the first block of a plan. The genesis block of the chain must be older. */
export const firstTimestamp = (now: number): number => now - days * day

/** Plans the times of the blocks: one or two a day, and one per hour in the last day. */
export function planBlocks(now: number, random: Random): PlanBlock[] {
  const timestamps: number[] = []
  const start = firstTimestamp(now)
  for (let index = 0; index < days - 1; index += 1) {
    const slots = index < twoBlocksFrom ? 1 : 2
    for (let slot = 0; slot < slots; slot += 1) {
      const width = day / slots
      timestamps.push(start + index * day + slot * width + 1 + random.below(width - 1))
    }
  }
  for (let slot = 0; slot < lastDaySlots; slot += 1) {
    const width = day / lastDaySlots
    // The last block is a minute old, not an hour.
    const offset = slot === lastDaySlots - 1 ? width - 60 : 1 + random.below(width - 1)
    timestamps.push(now - day + slot * width + offset)
  }
  return timestamps.map((timestamp) => ({ timestamp, entries: [] }))
}

/** Distributes the joins over the blocks. Returns the block index of each join, in order. */
export function spreadJoins(blocks: PlanBlock[], random: Random): number[] {
  const start = blocks[0]?.timestamp ?? 0
  const weights = blocks.map(({ timestamp }, index) => {
    const slots = index < twoBlocksFrom ? 1 : index < blocks.length - lastDaySlots ? 2 : lastDaySlots
    return (interest((timestamp - start) / day, timestamp) * (0.7 + 0.6 * random.next())) / slots
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const joins: number[] = []
  let share = 0
  weights.forEach((weight, index) => {
    share += weight
    const until = index === blocks.length - 1 ? memberCount : Math.round((share / total) * memberCount)
    // The newest block is never empty, so that the demo opens with members who have just joined.
    const least = index === blocks.length - 1 ? 2 : 0
    for (let added = 0; joins.length < until || added < least; added += 1) joins.push(index)
  })
  return joins
}

/** Returns the relative number of joins on a day: first slow, then fast, then calmer, with weekends and a campaign. */
function interest(index: number, timestamp: number): number {
  const position = (index - 215) / 42
  const curve = 0.16 + Math.exp(-position) / (1 + Math.exp(-position)) ** 2
  const weekday = new Date(timestamp * 1000).getUTCDay()
  const week = weekday === 0 || weekday === 6 ? 1.45 : weekday === 1 ? 0.75 : 1
  const campaign = index >= 250 && index < 257 ? 3.4 - (index - 250) * 0.3 : 1
  const lately = index >= days - 3 ? 2.4 : 1
  return curve * week * campaign * lately
}
