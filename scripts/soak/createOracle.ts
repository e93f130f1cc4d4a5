import { type Address, getAddress } from 'viem'

/** A bind as emitted by the contract. */
export type Bind = { block: number; time: number; member: Address; referrer: Address }

/** Correct facts about a member. */
export type Expected = {
  referrer: Address | null
  /** Unix time in seconds of the bind that counts. */
  joinedAt: number | null
  depth: number
  directs: number
  team: number
}

/** Number of forests that are kept. */
const kept = 60

/**
 * Creates the oracle of a community in which the first bind of a member counts. It stores all binds, and computes a
 * forest from scratch for each requested block. It shares no code with the product.
 */
export function createOracle() {
  const binds: Bind[] = []
  const made = new Map<number, ReturnType<typeof makeForest>>()

  function forestAt(block: number) {
    const forest = made.get(block) ?? makeForest(binds.filter((bind) => bind.block <= block))
    made.set(block, forest)
    for (const old of made.keys()) if (made.size > kept) made.delete(old)
    return forest
  }
  return {
    /** Adds events in chain order. */
    add(...added: Bind[]): void {
      binds.push(...added)
      const first = Math.min(...added.map(({ block }) => block))
      for (const block of made.keys()) if (block >= first) made.delete(block)
    },
    /** Returns the correct facts about an address at a block; `undefined` if it is not a member then. */
    find: (address: Address, block: number): Expected | undefined => forestAt(block).find(address),
    countMembers: (block: number): number => forestAt(block).size,
    /** Returns the members whose bind to a referrer counted after one block, and not after another. */
    listDirects: (referrer: Address, after: number, upTo: number): Address[] =>
      forestAt(upTo)
        .directsOf(referrer)
        .filter((member) => !forestAt(after).find(member)?.referrer),
  }
}

function makeForest(binds: readonly Bind[]) {
  const referrers = new Map<string, string | null>()
  const times = new Map<string, number>()
  const isBelow = (address: string, above: string): boolean => {
    for (let at: string | null | undefined = address; at; at = referrers.get(at)) if (at === above) return true
    return false
  }
  for (const bind of binds) {
    const [member, referrer] = [bind.member.toLowerCase(), bind.referrer.toLowerCase()]
    if (member === referrer || referrers.get(member) || isBelow(referrer, member)) continue
    if (!referrers.has(referrer)) referrers.set(referrer, null)
    referrers.set(member, referrer)
    times.set(member, bind.time)
  }
  const [directs, teams] = [new Map<string, number>(), new Map<string, number>()]
  const count = (counts: Map<string, number>, address: string) => counts.set(address, (counts.get(address) ?? 0) + 1)
  for (const referrer of referrers.values()) {
    if (referrer !== null) count(directs, referrer)
    for (let at: string | null | undefined = referrer; at; at = referrers.get(at)) count(teams, at)
  }
  return {
    // Addresses that are only named as a referrer do not count.
    size: [...referrers.values()].filter((referrer) => referrer !== null).length,
    directsOf: (referrer: Address): Address[] =>
      [...referrers].filter(([, one]) => one === referrer.toLowerCase()).map(([member]) => getAddress(member)),
    find(given: Address): Expected | undefined {
      const address = given.toLowerCase()
      const referrer = referrers.get(address)
      if (referrer === undefined) return undefined
      let depth = 0
      for (let at = referrer; at; at = referrers.get(at) ?? null) depth++
      return {
        referrer: referrer === null ? null : getAddress(referrer),
        joinedAt: times.get(address) ?? null,
        depth,
        directs: directs.get(address) ?? 0,
        team: teams.get(address) ?? 0,
      }
    },
  }
}
