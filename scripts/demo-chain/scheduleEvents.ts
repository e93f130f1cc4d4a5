import type { Address } from 'viem'
import type { Random } from '../lib/createRandom.ts'
import { burnAddress, type Ledger, noReferrer } from './createLedger.ts'
import { demoAccounts } from './demoAccounts.ts'

const starDirects = 500

type Plan = {
  cast: Cast
  ledger: Ledger
  newAddress: NewAddress
  random: Random
  /** Schedules an event at the first free join from `position` on, which is a share of all joins from 0 to 1. */
  schedule: (position: number, event: () => void) => void
}

/** Schedules an event at several positions, one step apart. */
function repeat(count: number, from: number, step: number, each: (position: number, index: number) => void) {
  for (let index = 0; index < count; index += 1) each(from + index * step, index)
}

/** Schedules special events at certain joins, by whose index they are returned; ordinary joins fill the rest. */
export function scheduleEvents(joinCount: number, plan: Omit<Plan, 'schedule'>) {
  const events = new Map<number, () => void>()
  const planned: Plan = {
    ...plan,
    schedule(position, event) {
      let index = Math.floor(position * joinCount)
      while (events.has(index)) index += 1
      if (index >= joinCount) throw new RangeError('No join is left for a scheduled event.')
      events.set(index, event)
    },
  }
  scheduleLeaders(planned)
  scheduleChain(planned)
  scheduleStar(planned)
  schedulePlaceholders(planned)
  scheduleCycles(planned)
  scheduleSelfReferrals(planned)
  const duplicate = scheduleDuplicates(planned)
  return { events, duplicate }
}

function scheduleLeaders({ cast, ledger: { bind }, newAddress, schedule }: Plan): void {
  const { roots, leader, star, member, lookalikes } = cast
  for (const [index, root] of roots.entries())
    schedule(index * 0.012, () => bind(root, index % 2 === 0 ? noReferrer : burnAddress))
  schedule(0.002, () => bind(leader, roots[0]))
  repeat(24, 0.003, 0.004, (position) => schedule(position, () => bind(newAddress(), leader)))
  schedule(0.02, () => bind(star, leader))
  schedule(0.06, () => bind(member, star))
  repeat(6, 0.09, 0.11, (position) => schedule(position, () => bind(newAddress(), member)))
  for (const address of lookalikes) schedule(0.3, () => bind(address, member))
}

function scheduleChain({ cast: { chain, roots, deepMember }, ledger: { bind }, newAddress, schedule }: Plan): void {
  for (const [index, address] of chain.entries())
    schedule(0.05 + index * 0.0028, () => bind(address, chain[index - 1] ?? roots[1]))
  schedule(0.55, () => bind(deepMember, chain[Math.floor(chain.length / 2) - 1] as Address))
  repeat(4, 0.6, 0.08, (position) => schedule(position, () => bind(newAddress(), deepMember)))
}

function scheduleStar({ cast: { star }, ledger: { bind }, newAddress, schedule }: Plan): void {
  repeat(starDirects, 0, 1 / starDirects, (share, index) => {
    // Half of them happen during the campaign.
    const position = index % 2 === 0 ? 0.1 + share * 0.88 : 0.66 + share * 0.1
    schedule(position, () => bind(newAddress(), star))
  })
}

function schedulePlaceholders({ cast, ledger: { bind, anyReferrer }, newAddress, schedule }: Plan): void {
  const { placeholder, latePlaceholder, roots, lateReferrers } = cast
  repeat(30, 0.12, 0.025, (position) => schedule(position, () => bind(newAddress(), placeholder)))
  repeat(16, 0.1, 0.012, (position) => schedule(position, () => bind(newAddress(), latePlaceholder)))
  schedule(0.4, () => bind(latePlaceholder, roots[2]))
  for (const [index, position] of [0.2, 0.35, 0.5, 0.65, 0.8].entries()) {
    // Only a few events out of order: the bind comes before that of its referrer.
    const referrer = lateReferrers[index] as Address
    schedule(position, () => bind(newAddress(), referrer))
    schedule(position, () => bind(referrer, anyReferrer()))
  }
}

function scheduleCycles({ cast, ledger: { bind, irregular, anyReferrer }, newAddress, schedule }: Plan): void {
  const { cyclic, belowCyclic, pair } = cast
  const [first, second] = pair
  schedule(0.25, () => bind(belowCyclic, cyclic))
  schedule(0.28, () => bind(newAddress(), belowCyclic))
  schedule(0.33, () => {
    irregular('cycle', cyclic, belowCyclic)
    bind(newAddress(), cyclic)
  })
  schedule(0.58, () => bind(first, second))
  schedule(0.59, () => {
    irregular('cycle', second, first)
    bind(newAddress(), anyReferrer())
  })
}

function scheduleSelfReferrals({ cast, ledger: { bind, irregular, anyReferrer }, newAddress, schedule }: Plan): void {
  const { selfReferrers, learner } = cast
  const referItself = (position: number, address: Address) =>
    schedule(position, () => {
      irregular('self', address, address)
      bind(newAddress(), anyReferrer())
    })
  for (const [index, address] of selfReferrers.entries()) referItself(0.15 + index * 0.2, address)
  referItself(0.44, learner)
  schedule(0.47, () => bind(learner, anyReferrer()))
}

/** Returns the last member with a second bind to another referrer, once the events have happened. */
function scheduleDuplicates({ cast: { star, roots }, ledger, newAddress, random, schedule }: Plan): () => Address {
  const { members, edges, bind, irregular, anyReferrer } = ledger
  let duplicate = star
  repeat(12, 0.3, 0.05, (position, index) =>
    schedule(position, () => {
      const address = random.pick(members)
      const before = edges.get(address)
      const other = index % 3 === 0 && before ? before : (roots[index % roots.length] as Address)
      if (other !== address) {
        irregular('duplicate', address, other)
        if (other !== before) duplicate = address
      }
      bind(newAddress(), anyReferrer())
    }),
  )
  return () => duplicate
}

export type NewAddress = (prefix?: string, suffix?: string) => Address
type Cast = ReturnType<typeof planCast>

const chainLength = 300

/** Creates the addresses with a special role in the community. */
export function planCast(newAddress: NewAddress) {
  const [leader, member, deepMember] = demoAccounts.map((account) => account.address) as [Address, Address, Address]
  const roots = ['1111', '2222', '3333', '5555', '6666'].map((digits) => newAddress(digits + digits, digits)) as Roots
  return {
    leader,
    member,
    deepMember,
    roots,
    star: newAddress('88888888', '8888'),
    placeholder: newAddress('404404', '0404'),
    latePlaceholder: newAddress('77777777', '7777'),
    cyclic: newAddress('c1c1c1c1', 'c1c1'),
    lookalikes: [newAddress('12345678', '9090'), newAddress('12345678', '9090')] as const,
    /** A line of members, each the referrer of the next. */
    chain: Array.from({ length: chainLength }, (_, index) =>
      index === chainLength - 1 ? newAddress('deed', '0300') : newAddress(),
    ),
    /** Members that bind after others have bound to them. */
    lateReferrers: Array.from({ length: 5 }, () => newAddress()),
    belowCyclic: newAddress(),
    pair: [newAddress(), newAddress()] as const,
    selfReferrers: [newAddress('5e1f5e1f'), newAddress(), newAddress(), newAddress()] as const,
    /** Binds to itself, and some time later to a referrer. */
    learner: newAddress(),
  }
}

type Roots = [Address, Address, Address, ...Address[]]
