import type { Address, Member, MemberSummary, TeamMap } from '@lineage/referral-api'
import { getAddress, keccak256, toHex } from 'viem'

type Row = {
  address: Address
  referrer: number | undefined
  depth: number
  joinedAt: number
  /** Grade of the bind of a member without a date. */
  grade?: 'between' | 'observed'
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

/** Generates a community: a root, a star of 120, a line of 300 by default, and about a thousand random members. */
export function createForest(line = 300) {
  const size = line + 1_300
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
  for (let index = 0; index < line; index++) deepest = add(deepest)
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
      joinedAt: row.grade ? null : row.joinedAt,
      grade: row.grade ?? 'exact',
      block: row.grade ? null : 40_000_000 + index,
      logIndex: row.grade ? null : 0,
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
      tx: keccak256(toHex(`bind ${index}`)),
      between: row.grade ? { from: 40_000_000, to: 40_000_000 + index } : null,
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
  /** Returns a member and its upline. */
  const upline = (index: number): number[] => {
    const line = [index]
    for (let at = rows[index]?.referrer; at !== undefined; at = rows[at]?.referrer) line.push(at)
    return line
  }
  /** Returns the map of a team, or of the whole community. */
  const map = (top: number | undefined, by: TeamMap['by']): Omit<TeamMap, 'asOf' | 'tz'> => {
    const since = now - 30 * day
    const recent = rows.map(({ joinedAt }) => Number(joinedAt >= since))
    for (let index = rows.length - 1; index > 0; index--)
      recent[rows[index]?.referrer as number] = (recent[rows[index]?.referrer as number] ?? 0) + (recent[index] ?? 0)
    const figures = (index: number) => {
      const row = rows[index] as Row
      return { members: row.team + 1, volume: row.teamVolume + row.ownVolume, recent: recent[index] ?? 0 }
    }
    const size = (index: number) => (by === 'members' ? BigInt(figures(index).members) : figures(index).volume)
    const candidates: { index: number; parent: number | null }[] = [{ index: top ?? 0, parent: null }]
    const drawn: typeof candidates = []
    while (drawn.length < 120 && candidates.length > 0) {
      candidates.sort((a, b) => (size(a.index) < size(b.index) ? 1 : -1))
      const next = candidates.shift() as (typeof candidates)[number]
      const parent = drawn.push(next) - 1
      const largest = rows[next.index]?.children.toSorted((a, b) => (size(a) < size(b) ? 1 : -1)).slice(0, 32) ?? []
      for (const index of largest) candidates.push({ index, parent })
    }
    return {
      by,
      since: new Date(since * 1_000).toISOString().slice(0, 10),
      items: drawn.map(({ index, parent }, at) => {
        const hidden = (rows[index]?.children ?? []).filter(
          (child) => !drawn.some((one) => one.index === child && one.parent === at),
        )
        const sum = { legs: hidden.length, members: 0, volume: 0n, recent: 0 }
        for (const child of hidden.map(figures)) {
          sum.members += child.members
          sum.volume += child.volume
          sum.recent += child.recent
        }
        return {
          ...figures(index),
          volume: String(figures(index).volume),
          address: addressOf(index),
          parent,
          depth: rows[index]?.depth ?? 0,
          directs: rows[index]?.children.length ?? 0,
          rest: hidden.length > 0 ? { ...sum, volume: String(sum.volume) } : null,
        }
      }),
      rest: null,
    }
  }
  return {
    rows,
    map,
    upline,
    deepest,
    second,
    find: (address: string) => byAddress.get(address.toLowerCase()),
    summary,
    member,
    levels,
  }
}
