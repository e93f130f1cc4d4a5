import type { Address, TeamMap } from '@lineage/referral-api'
import { getAddress, keccak256 } from 'viem'

type Leg = { address: Address; depth: number; members: number; recent: number; volume: bigint; heat: number }

const mostItems = 120
const mostDirects = 32

/** Creates maps of a community of 2.3 million members, as large as answers get: 120 legs with long amounts. */
export function createLargeMaps() {
  const known = new Map<Address, Leg>()

  /** Splits a team into legs by a power law; the same for each request. */
  function legsOf(leg: Leg): Leg[] {
    let state = Number.parseInt(leg.address.slice(2, 9), 16) + 1
    const random = () => {
      state = (state * 48_271) % 2_147_483_647
      return state / 2_147_483_647
    }
    const count = Math.min(leg.members - 1, 2 + Math.floor(random() * 40))
    const weights = Array.from({ length: count }, (_, index) => (0.4 + random()) / (index + 1) ** 1.3)
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    let left = leg.members - 1 - count
    return weights.map((weight, index) => {
      const share = Math.min(left, Math.floor(((leg.members - 1 - count) * weight) / total))
      const members = 1 + (index === count - 1 ? left : share)
      left -= members - 1
      const heat = Math.max(0, leg.heat + (random() - 0.55) * 0.18)
      const one: Leg = {
        address: getAddress(keccak256(`0x${leg.address.slice(2)}${index.toString(16).padStart(4, '0')}`).slice(0, 42)),
        depth: leg.depth + 1,
        members,
        recent: Math.min(members, Math.round(members * heat)),
        volume: (BigInt(members) * BigInt(Math.floor(random() * 900) + 60) * 10n ** 18n) / 3n,
        heat,
      }
      known.set(one.address, one)
      return one
    })
  }

  const toItem = ({ heat: _, ...leg }: Leg, parent: number | null, legs: number) => ({
    ...leg,
    volume: String(leg.volume),
    parent,
    directs: legs,
  })

  /** Returns the map of a team, by members. */
  return (top: Address): Omit<TeamMap, 'asOf' | 'tz'> => {
    const first = known.get(top) ?? {
      address: top,
      depth: 1,
      members: 2_340_118,
      recent: 231_004,
      volume: 4_100_000_000n * 10n ** 18n,
      heat: 0.1,
    }
    const candidates: { leg: Leg; parent: number | null }[] = [{ leg: first, parent: null }]
    const items: TeamMap['items'] = []
    const hidden: Leg[][] = []
    while (items.length < mostItems && candidates.length > 0) {
      candidates.sort((a, b) => b.leg.members - a.leg.members)
      const { leg, parent } = candidates.shift() as (typeof candidates)[number]
      const legs = leg.members > 1 ? legsOf(leg) : []
      const at = items.push({ ...toItem(leg, parent, legs.length), rest: null }) - 1
      hidden.push(legs)
      if (parent !== null) hidden[parent] = (hidden[parent] as Leg[]).filter(({ address }) => address !== leg.address)
      for (const one of legs.toSorted((a, b) => b.members - a.members).slice(0, mostDirects))
        candidates.push({ leg: one, parent: at })
    }
    for (const [index, item] of items.entries()) item.rest = toBand(hidden[index] as Leg[])
    return { by: 'members', since: '2026-10-19', items, rest: null }
  }
}

const toBand = (legs: readonly Leg[]): TeamMap['rest'] =>
  legs.length === 0
    ? null
    : {
        legs: legs.length,
        members: legs.reduce((sum, { members }) => sum + members, 0),
        volume: String(legs.reduce((sum, { volume }) => sum + volume, 0n)),
        recent: legs.reduce((sum, { recent }) => sum + recent, 0),
      }
