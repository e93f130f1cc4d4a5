import type { Address, Member, MemberSummary } from '@lineage/referral-api'
import { getAddress, keccak256, toHex } from 'viem'

type Row = {
  address: Address
  referrer: number | undefined
  depth: number
  joinedAt: number
  ownVolume: bigint
  children: number[]
  team: number
  teamVolume: bigint
  maxLevel: number
  rewards: bigint
}

export const now = 1_795_000_000
const day = 86_400

export const addressOf = (index: number): Address => getAddress(`0x${keccak256(toHex(`member ${index}`)).slice(2, 42)}`)

/** Generates a community: a root, a star of 120, a line of 300 and about a thousand random members. */
export function createForest(size = 1_600) {
  const rows: Row[] = []
  let state = 7
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  const add = (referrer: number | undefined) => {
    const index = rows.length
    rows.push({
      address: addressOf(index),
      referrer,
      depth: referrer === undefined ? 0 : (rows[referrer]?.depth ?? 0) + 1,
      joinedAt: now - Math.floor(360 * day * (1 - index / size) ** 1.4) - random(20_000),
      ownVolume: BigInt(random(9_000) + 50) * 10n ** 18n + BigInt(random(1_000_000)),
      children: [],
      team: 0,
      teamVolume: 0n,
      maxLevel: 0,
      rewards: BigInt(random(400)) * 10n ** 17n,
    })
    if (referrer !== undefined) rows[referrer]?.children.push(index)
    return index
  }
  const root = add(undefined)
  const second = add(root)
  for (let index = 0; index < 120; index++) add(second)
  let deepest = add(root)
  for (let index = 0; index < 300; index++) deepest = add(deepest)
  while (rows.length < size) add(random(Math.min(rows.length, 2 + random(rows.length))))
  for (let index = rows.length - 1; index > 0; index--) {
    const row = rows[index] as Row
    const above = rows[row.referrer as number] as Row
    above.team += row.team + 1
    above.teamVolume += row.teamVolume + row.ownVolume
    above.maxLevel = Math.max(above.maxLevel, row.maxLevel + 1)
  }

  const byAddress = new Map(rows.map((row, index) => [row.address.toLowerCase(), index]))
  const summary = (index: number): MemberSummary => {
    const row = rows[index] as Row
    return {
      address: row.address,
      status: 'member',
      referrer: row.referrer === undefined ? null : addressOf(row.referrer),
      depth: row.depth,
      joinedAt: row.joinedAt,
      directs: row.children.length,
      team: row.team,
      ownVolume: String(row.ownVolume),
      teamVolume: String(row.teamVolume),
    }
  }
  const member = (index: number): Omit<Member, 'asOf'> => {
    const row = rows[index] as Row
    const legs = row.children.map((child) => (rows[child]?.teamVolume ?? 0n) + (rows[child]?.ownVolume ?? 0n))
    const largest = legs.toSorted((a, b) => (a < b ? 1 : -1))[0] ?? 0n
    return {
      ...summary(index),
      root: addressOf(0),
      block: 40_000_000 + index,
      tx: keccak256(toHex(`bind ${index}`)),
      maxLevel: row.maxLevel,
      largestLeg: String(largest),
      otherLegs: String(row.teamVolume - largest),
      rewards: String(row.rewards),
    }
  }
  /** Returns the members of each level below an address. */
  const levels = (index: number): number[][] => {
    const all: number[][] = []
    let level = rows[index]?.children ?? []
    while (level.length > 0) {
      all.push(level)
      level = level.flatMap((child) => rows[child]?.children ?? [])
    }
    return all
  }
  /** Returns a member and all above it. */
  const upline = (index: number): number[] => {
    const line = [index]
    for (let at = rows[index]?.referrer; at !== undefined; at = rows[at]?.referrer) line.push(at)
    return line
  }
  return {
    rows,
    upline,
    deepest,
    second,
    find: (address: string) => byAddress.get(address.toLowerCase()),
    summary,
    member,
    levels,
  }
}
