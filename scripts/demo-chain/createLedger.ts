import { type Address, getAddress } from 'viem'
import type { Random } from '../lib/createRandom.ts'
import { demoAccounts } from './demoAccounts.ts'
import type { PlanBlock } from './planBlocks.ts'

export const noReferrer: Address = '0x0000000000000000000000000000000000000000'
export const burnAddress: Address = '0x000000000000000000000000000000000000dEaD'

export type Ledger = ReturnType<typeof createLedger>

/** Returns a function that creates new addresses, without repeats and without demo accounts. */
export function createAddresses(random: Random) {
  const taken = new Set<Address>([noReferrer, burnAddress, ...demoAccounts.map((account) => account.address)])
  return function newAddress(prefix = '', suffix = ''): Address {
    const address = getAddress(`0x${prefix}${random.hex(40 - prefix.length - suffix.length)}${suffix}`)
    if (taken.has(address)) return newAddress(prefix, suffix)
    taken.add(address)
    return address
  }
}

/**
 * Creates a ledger that writes binds into the blocks of a plan, and records their results: edges, members,
 * placeholders.
 *
 * @param options.crowded A referrer whose directs are all planned: it gets no others.
 */
export function createLedger(blocks: PlanBlock[], random: Random, { crowded }: { crowded: Address }) {
  const edges = new Map<Address, Address>()
  const joinedAt = new Map<Address, number>()
  const placeholders = new Set<Address>()
  /** Members in join order. */
  const members: Address[] = []
  /** One ticket for joining and one for each direct: a referrer with many directs gets more directs. */
  const tickets: Address[] = []
  let at = 0

  function bind(member: Address, referrer: Address): void {
    irregular('counts', member, referrer)
    if (referrer !== noReferrer && referrer !== burnAddress) {
      edges.set(member, referrer)
      if (!joinedAt.has(referrer)) placeholders.add(referrer)
      if (referrer !== crowded) tickets.push(referrer)
    }
    placeholders.delete(member)
    joinedAt.set(member, at)
    members.push(member)
    tickets.push(member)
  }

  /** Writes an irregular bind, which changes nothing. */
  function irregular(status: 'counts' | 'self' | 'duplicate' | 'cycle', member: Address, referrer: Address): void {
    blocks[at]?.entries.push({ kind: 'bound', member, referrer, status })
  }

  /** Picks a well-connected referrer half of the time, otherwise a recent one: teams become wide and deep. */
  function anyReferrer(): Address {
    if (random.next() < 0.5) return random.pick(tickets)
    return members[Math.max(0, members.length - 1 - random.below(260))] as Address
  }

  return {
    edges,
    joinedAt,
    placeholders,
    members,
    bind,
    irregular,
    anyReferrer,
    /** Moves to the block that later binds are written into. */
    moveTo(block: number) {
      at = block
    },
  }
}
