import { type Address, getAddress } from 'viem'
import { demoAccounts } from './demoAccounts.ts'
import { createRandom, type Random } from './random.ts'

export type PlanEntry =
  /** `counts`: the bind makes an edge or a root. The others are the irregular events of a real stream. */
  | { kind: 'bound'; member: Address; referrer: Address; status: 'counts' | 'self' | 'duplicate' | 'cycle' }
  | { kind: 'volume' | 'reward'; member: Address; amount: bigint }

type PlanBlock = { timestamp: number; entries: PlanEntry[] }

/** What a reader of the stream must come to. */
type Expected = {
  members: number
  placeholders: number
  roots: number
  self: number
  duplicate: number
  cycle: number
  maxDepth: number
  volume: bigint
  rewards: bigint
}

/** Members worth looking at, by what they show. */
export type Interesting = {
  /** The end of the deep chain. */
  deepest: Address
  /** A root with the largest team. */
  largestTeam: Address
  /** Has 500 direct referrals and more. */
  star: Address
  /** Named as a referrer, never bound. */
  placeholder: Address
  /** Was named as a referrer long before its own bind. */
  latePlaceholder: Address
  /** A placeholder that later bound to a member of its own downline: no edge. */
  cycle: Address
  /** Bound to itself, and is nobody's referrer: an event without a member. */
  self: Address
  /** Bound a second time, to another referrer: the first counts. */
  duplicate: Address
  /** Two members that look the same when shortened. */
  lookalikes: readonly [Address, Address]
  newest: Address
}

export type CommunityPlan = {
  blocks: PlanBlock[]
  expected: Expected
  interesting: Interesting
  /** Every edge that counts, member to referrer. Roots and placeholders are not in it. */
  edges: ReadonlyMap<Address, Address>
}

const memberCount = 4_200
const chainLength = 300
const starDirects = 500
const days = 365
const day = 86_400
/** The last day in hours, so that "last 24 h" has a shape. */
const lastDaySlots = 24
const seed = 0x1ea6e
const noReferrer: Address = '0x0000000000000000000000000000000000000000'
const burnAddress: Address = '0x000000000000000000000000000000000000dEaD'

/** The time of the plan's first block: the genesis block of the chain must be older. */
export function firstTimestamp(now: number): number {
  return now - days * day
}

/** How many people join on day `index` of the year, relatively: slow, then fast, then calmer, with weekends, a campaign, and some news of late. */
function interest(index: number, timestamp: number): number {
  const position = (index - 215) / 42
  const curve = 0.16 + Math.exp(-position) / (1 + Math.exp(-position)) ** 2
  const weekday = new Date(timestamp * 1000).getUTCDay()
  const week = weekday === 0 || weekday === 6 ? 1.45 : weekday === 1 ? 0.75 : 1
  const campaign = index >= 250 && index < 257 ? 3.4 - (index - 250) * 0.3 : 1
  const lately = index >= days - 3 ? 2.4 : 1
  return curve * week * campaign * lately
}

/**
 * Plans a year of a referral community that ends at `now` (Unix seconds): who binds to whom and when, who buys and who
 * is rewarded. Pure, and the same for the same `now`.
 *
 * @example `planCommunity(1_800_000_000).blocks.length // at most 800`
 */
export function planCommunity(now: number): CommunityPlan {
  const random = createRandom(seed)
  const blocks = planBlocks(now, random)
  const joins = spreadJoins(blocks, random)

  const taken = new Set<Address>([noReferrer, burnAddress, ...demoAccounts.map((account) => account.address)])
  function newAddress(prefix = '', suffix = ''): Address {
    const address = getAddress(`0x${prefix}${random.hex(40 - prefix.length - suffix.length)}${suffix}`)
    if (taken.has(address)) return newAddress(prefix, suffix)
    taken.add(address)
    return address
  }

  const roots = ['1111', '2222', '3333', '5555', '6666'].map((digits) => newAddress(digits + digits, digits))
  const star = newAddress('88888888', '8888')
  const placeholder = newAddress('404404', '0404')
  const latePlaceholder = newAddress('77777777', '7777')
  const cyclic = newAddress('c1c1c1c1', 'c1c1')
  const lookalikes = [newAddress('12345678', '9090'), newAddress('12345678', '9090')] as const
  const chain = Array.from({ length: chainLength }, (_, index) =>
    index === chainLength - 1 ? newAddress('deed', '0300') : newAddress(),
  )
  const [leader, member, deepMember] = demoAccounts.map((account) => account.address) as [Address, Address, Address]

  const edges = new Map<Address, Address>()
  const joinedAt = new Map<Address, number>()
  const placeholders = new Set<Address>()
  /** One ticket for joining and one for each direct referral: who has referred many refers more. */
  const tickets: Address[] = []
  /** In join order. */
  const members: Address[] = []
  let at = 0

  function write(entry: PlanEntry, block = at): void {
    blocks[block]?.entries.push(entry)
  }

  function bind(address: Address, referrer: Address): void {
    write({ kind: 'bound', member: address, referrer, status: 'counts' })
    if (referrer !== noReferrer && referrer !== burnAddress) {
      edges.set(address, referrer)
      if (!joinedAt.has(referrer)) placeholders.add(referrer)
      if (referrer !== star) tickets.push(referrer)
    }
    placeholders.delete(address)
    joinedAt.set(address, at)
    members.push(address)
    tickets.push(address)
  }

  function irregular(status: 'self' | 'duplicate' | 'cycle', address: Address, referrer: Address): void {
    write({ kind: 'bound', member: address, referrer, status })
  }

  /** Half to someone well connected, half to someone recent: wide teams, and deep ones. */
  function anyReferrer(): Address {
    if (random.next() < 0.5) return random.pick(tickets)
    return members[Math.max(0, members.length - 1 - random.below(260))] ?? (roots[0] as Address)
  }

  /** What happens at a certain join, in place of an ordinary one. Ordinary joins fill the rest. */
  const fixed = new Map<number, () => void>()
  /** The first free join at or after `position`, a share of all joins from 0 to 1. */
  function schedule(position: number, event: () => void): void {
    let index = Math.floor(position * joins.length)
    while (fixed.has(index)) index += 1
    if (index >= joins.length) throw new RangeError('No join is left for a scheduled event.')
    fixed.set(index, event)
  }

  roots.forEach((root, index) => {
    schedule(index * 0.012, () => bind(root, index % 2 === 0 ? noReferrer : burnAddress))
  })
  schedule(0.002, () => bind(leader, roots[0] as Address))
  for (let index = 0; index < 24; index += 1) schedule(0.003 + index * 0.004, () => bind(newAddress(), leader))
  schedule(0.02, () => bind(star, leader))
  schedule(0.06, () => bind(member, star))
  for (let index = 0; index < 6; index += 1) schedule(0.09 + index * 0.11, () => bind(newAddress(), member))
  for (const address of lookalikes) schedule(0.3, () => bind(address, member))

  chain.forEach((address, index) => {
    schedule(0.05 + index * 0.0028, () =>
      bind(address, index === 0 ? (roots[1] as Address) : (chain[index - 1] as Address)),
    )
  })
  schedule(0.55, () => bind(deepMember, chain[Math.floor(chainLength / 2) - 1] as Address))
  for (let index = 0; index < 4; index += 1) schedule(0.6 + index * 0.08, () => bind(newAddress(), deepMember))

  for (let index = 0; index < starDirects; index += 1) {
    // Half of them in the campaign.
    const position = index % 2 === 0 ? 0.1 + (index / starDirects) * 0.88 : 0.66 + (index / starDirects) * 0.1
    schedule(position, () => bind(newAddress(), star))
  }

  for (let index = 0; index < 30; index += 1) schedule(0.12 + index * 0.025, () => bind(newAddress(), placeholder))
  for (let index = 0; index < 16; index += 1) schedule(0.1 + index * 0.012, () => bind(newAddress(), latePlaceholder))
  schedule(0.4, () => bind(latePlaceholder, roots[2] as Address))
  for (const position of [0.2, 0.35, 0.5, 0.65, 0.8]) {
    // Out of order by a few events only: a bind that comes before its referrer's own.
    const referrer = newAddress()
    schedule(position, () => bind(newAddress(), referrer))
    schedule(position, () => bind(referrer, anyReferrer()))
  }

  const below = newAddress()
  schedule(0.25, () => bind(below, cyclic))
  schedule(0.28, () => bind(newAddress(), below))
  schedule(0.33, () => {
    irregular('cycle', cyclic, below)
    bind(newAddress(), cyclic)
  })
  const [first, second] = [newAddress(), newAddress()]
  schedule(0.58, () => bind(first, second))
  schedule(0.59, () => {
    irregular('cycle', second, first)
    bind(newAddress(), anyReferrer())
  })

  const selfReferrer = newAddress('5e1f5e1f')
  for (const [index, address] of [selfReferrer, newAddress(), newAddress(), newAddress()].entries()) {
    schedule(0.15 + index * 0.2, () => {
      irregular('self', address, address)
      bind(newAddress(), anyReferrer())
    })
  }
  /** Binds itself properly some time after it has tried to refer itself. */
  const learner = newAddress()
  schedule(0.44, () => {
    irregular('self', learner, learner)
    bind(newAddress(), anyReferrer())
  })
  schedule(0.47, () => bind(learner, anyReferrer()))

  let duplicate = star
  for (let index = 0; index < 12; index += 1) {
    schedule(0.3 + index * 0.05, () => {
      const address = random.pick(members)
      const before = edges.get(address)
      const other = index % 3 === 0 && before ? before : (roots[index % roots.length] as Address)
      if (other === address) return bind(newAddress(), anyReferrer())
      irregular('duplicate', address, other)
      if (other !== before) duplicate = address
      bind(newAddress(), anyReferrer())
    })
  }

  joins.forEach((block, index) => {
    at = block
    const event = fixed.get(index)
    if (event) event()
    else bind(newAddress(), anyReferrer())
  })

  const { volume, rewards } = planAmounts({ blocks, random, edges, joinedAt, strangers: [newAddress(), placeholder] })
  const filled = blocks.filter((block) => block.entries.length > 0)
  const irregularities = filled.flatMap((block) =>
    block.entries.flatMap((entry) => (entry.kind === 'bound' ? [entry.status] : [])),
  )
  const count = (status: string) => irregularities.filter((each) => each === status).length

  return {
    blocks: filled,
    expected: {
      members: members.length,
      placeholders: placeholders.size,
      roots: members.length + placeholders.size - edges.size,
      self: count('self'),
      duplicate: count('duplicate'),
      cycle: count('cycle'),
      maxDepth: maxDepth(members, edges),
      volume,
      rewards,
    },
    interesting: {
      deepest: deepestOf(members, edges),
      largestTeam: largestTeam(members, roots, edges),
      star,
      placeholder,
      latePlaceholder,
      cycle: cyclic,
      self: selfReferrer,
      duplicate,
      lookalikes,
      newest: members.at(-1) as Address,
    },
    edges,
  }
}

/** One or two blocks a day, one each hour on the last, all in the hours when people are awake in Asia. */
function planBlocks(now: number, random: Random): PlanBlock[] {
  const timestamps: number[] = []
  const start = firstTimestamp(now)
  for (let index = 0; index < days - 1; index += 1) {
    const slots = index < 140 ? 1 : 2
    for (let slot = 0; slot < slots; slot += 1) {
      const width = day / slots
      timestamps.push(start + index * day + slot * width + 1 + random.below(width - 1))
    }
  }
  for (let slot = 0; slot < lastDaySlots; slot += 1) {
    const width = day / lastDaySlots
    // The last one is a minute old, not an hour.
    const offset = slot === lastDaySlots - 1 ? width - 60 : 1 + random.below(width - 1)
    timestamps.push(now - day + slot * width + offset)
  }
  return timestamps.map((timestamp) => ({ timestamp, entries: [] }))
}

/** For each join, by order, the index of its block. */
function spreadJoins(blocks: PlanBlock[], random: Random): number[] {
  const start = blocks[0]?.timestamp ?? 0
  const weights = blocks.map(({ timestamp }, index) => {
    const slots = index < 140 ? 1 : index < blocks.length - lastDaySlots ? 2 : lastDaySlots
    return (interest((timestamp - start) / day, timestamp) * (0.7 + 0.6 * random.next())) / slots
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const joins: number[] = []
  let share = 0
  weights.forEach((weight, index) => {
    share += weight
    const until = index === blocks.length - 1 ? memberCount : Math.round((share / total) * memberCount)
    // The newest block is never empty: the demo opens with somebody who has just joined.
    const least = index === blocks.length - 1 ? 2 : 0
    for (let added = 0; joins.length < until || added < least; added += 1) joins.push(index)
  })
  return joins
}

type Amounts = {
  blocks: PlanBlock[]
  random: Random
  edges: ReadonlyMap<Address, Address>
  joinedAt: ReadonlyMap<Address, number>
  strangers: Address[]
}

const cent = 10n ** 16n

/** Purchases with a heavy tail, and rewards of 5 % and 2 % for the two referrers above. */
function planAmounts({ blocks, random, edges, joinedAt, strangers }: Amounts): { volume: bigint; rewards: bigint } {
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
      // At 640 DUSD a BNB, rounded down to a millionth.
      const reward = ((amount * percent) / 64_000n / 10n ** 12n) * 10n ** 12n
      rewards += reward
      blocks[block]?.entries.push({ kind: 'reward', member: receiver, amount: reward })
      receiver = edges.get(receiver)
    }
  }

  /** Evenly in time, not by block: the last day has more blocks than others. */
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
  // Amounts of an address that never bound, and of one that nobody has named: real streams have them.
  for (const stranger of strangers) buy(stranger, random.below(blocks.length))
  return { volume, rewards }
}

function depthOf(member: Address, edges: ReadonlyMap<Address, Address>): number {
  let depth = 0
  for (let above = edges.get(member); above; above = edges.get(above)) depth += 1
  return depth
}

function maxDepth(members: Address[], edges: ReadonlyMap<Address, Address>): number {
  return members.reduce((deepest, member) => Math.max(deepest, depthOf(member, edges)), 0)
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
