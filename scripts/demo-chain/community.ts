import type { Address } from 'viem'
import { createRandom, type Random } from '../lib/createRandom.ts'
import type { CountedCommunity } from './countCommunity.ts'
import { createAddresses, createLedger } from './createLedger.ts'
import { type PlanBlock, planBlocks, spreadJoins } from './planBlocks.ts'
import { planCast, scheduleEvents } from './scheduleEvents.ts'

/** Figures that the index must have from the events. */
type Expected = Pick<
  CountedCommunity,
  'members' | 'placeholders' | 'roots' | 'self' | 'duplicate' | 'cycle' | 'maxDepth' | 'volume' | 'rewards'
>

/** Addresses with an interesting case, by its name. */
export type Interesting = {
  /** The deepest member: the end of the longest chain. */
  deepest: Address
  /** The root with the largest team. */
  largestTeam: Address
  /** Has more than 500 directs. */
  star: Address
  /** Was named as a referrer and never bound. */
  placeholder: Address
  /** Was named as a referrer long before its own bind. */
  latePlaceholder: Address
  /** A placeholder that later bound to a member of its own downline: no edge. */
  cycle: Address
  /** Bound to itself only, so it is no member. */
  self: Address
  /** Bound a second time, to another referrer; the first bind counts. */
  duplicate: Address
  /** Two members that look the same when shortened. */
  lookalikes: readonly [Address, Address]
  newest: Address
}

const seed = 0x1ea6e

export type CommunityPlan = ReturnType<typeof planCommunity>

/**
 * Plans a year of a referral community that ends at `now` (Unix seconds): who binds to whom and when, who buys and
 * who is rewarded. It is a pure function: the same `now` gives the same plan.
 *
 * @example `planCommunity(1_800_000_000).blocks.length // at most 800`
 */
export function planCommunity(now: number) {
  const random = createRandom(seed)
  const blocks = planBlocks(now, random)
  const joins = spreadJoins(blocks, random)
  const newAddress = createAddresses(random)
  const cast = planCast(newAddress)
  const ledger = createLedger(blocks, random, { crowded: cast.star })
  const { events, duplicate } = scheduleEvents(joins.length, { cast, ledger, newAddress, random })
  for (const [index, block] of joins.entries()) {
    ledger.moveTo(block)
    const event = events.get(index)
    if (event) event()
    else ledger.bind(newAddress(), ledger.anyReferrer())
  }

  const { edges, joinedAt, members, placeholders } = ledger
  const deepest = deepestOf(members, edges)
  const strangers = [newAddress(), cast.placeholder]
  const amounts = planAmounts({ blocks, random, edges, joinedAt, strangers })
  return {
    blocks: blocks.filter((block) => block.entries.length > 0),
    expected: {
      members: members.length,
      placeholders: placeholders.size,
      roots: members.length + placeholders.size - edges.size,
      ...countIrregular(blocks),
      maxDepth: depthOf(deepest, edges),
      ...amounts,
    },
    interesting: {
      deepest,
      largestTeam: largestTeam(members, cast.roots, edges),
      star: cast.star,
      placeholder: cast.placeholder,
      latePlaceholder: cast.latePlaceholder,
      cycle: cast.cyclic,
      self: cast.selfReferrers[0],
      duplicate: duplicate(),
      lookalikes: cast.lookalikes,
      newest: members.at(-1) as Address,
    },
    /** The referrer of each member that has one. Roots and placeholders are not keys. */
    edges,
  }
}

function countIrregular(blocks: PlanBlock[]): Pick<Expected, 'self' | 'duplicate' | 'cycle'> {
  const counts = { counts: 0, self: 0, duplicate: 0, cycle: 0 }
  for (const { entries } of blocks) for (const entry of entries) if (entry.kind === 'bound') counts[entry.status] += 1
  const { self, duplicate, cycle } = counts
  return { self, duplicate, cycle }
}

function depthOf(member: Address, edges: ReadonlyMap<Address, Address>): number {
  let depth = 0
  for (let above = edges.get(member); above; above = edges.get(above)) depth += 1
  return depth
}

function deepestOf(members: Address[], edges: ReadonlyMap<Address, Address>): Address {
  return members.reduce((deepest, member) => (depthOf(member, edges) > depthOf(deepest, edges) ? member : deepest))
}

function largestTeam(members: Address[], roots: Address[], edges: ReadonlyMap<Address, Address>): Address {
  const teams = new Map<Address, number>(roots.map((root) => [root, 0]))
  for (const member of members) {
    let top = member
    for (let above = edges.get(top); above; above = edges.get(above)) top = above
    teams.set(top, (teams.get(top) ?? 0) + 1)
  }
  return roots.reduce((largest, root) => ((teams.get(root) ?? 0) > (teams.get(largest) ?? 0) ? root : largest))
}

type Amounts = {
  blocks: PlanBlock[]
  random: Random
  edges: ReadonlyMap<Address, Address>
  joinedAt: ReadonlyMap<Address, number>
  strangers: Address[]
}

const cent = 10n ** 16n

/** Plans purchases with a heavy-tailed distribution, and rewards of 5 % and 2 % for two referrers. Returns both sums. */
function planAmounts({ blocks, random, edges, joinedAt, strangers }: Amounts): {
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
