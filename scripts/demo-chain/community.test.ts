import { describe, expect, test } from 'vitest'
import { planCommunity } from './community.ts'
import { demoAccounts } from './demoAccounts.ts'
import { firstTimestamp } from './planBlocks.ts'

const now = 1_800_000_000
const plan = planCommunity(now)
const binds = plan.blocks.flatMap((block) =>
  block.entries.flatMap((entry) => (entry.kind === 'bound' ? [{ ...entry, timestamp: block.timestamp }] : [])),
)
const counting = binds.filter((bind) => bind.status === 'counts')
const joinedAt = new Map(counting.map((bind) => [bind.member, bind.timestamp]))

function uplineOf(member: string): string[] {
  const upline: string[] = []
  for (let above = plan.edges.get(member as never); above; above = plan.edges.get(above)) upline.push(above)
  return upline
}
const directsOf = (referrer: string) => [...plan.edges.values()].filter((each) => each === referrer).length
const teamOf = (member: string) => counting.filter((bind) => uplineOf(bind.member).includes(member)).length

describe('planCommunity', () => {
  test('behavior: the same now gives the same plan', () => {
    expect(planCommunity(now)).toEqual(plan)
  })

  test('behavior: another now gives another year with as many members', () => {
    const later = planCommunity(now + 86_400 * 3)
    expect(later.blocks[0]?.timestamp).not.toBe(plan.blocks[0]?.timestamp)
    expect(Math.abs(later.expected.members - plan.expected.members)).toBeLessThan(20)
  })

  test('behavior: fits in 800 blocks that go forward within the year', () => {
    expect(plan.blocks.length).toBeLessThanOrEqual(800)
    const timestamps = plan.blocks.map((block) => block.timestamp)
    expect(timestamps).toEqual([...new Set(timestamps)].sort((a, b) => a - b))
    expect(timestamps[0]).toBeGreaterThan(firstTimestamp(now))
    expect(timestamps.at(-1)).toBeLessThanOrEqual(now)
    expect(plan.blocks.every((block) => block.entries.length > 0)).toBe(true)
  })

  test('behavior: has enough members, several roots, a deep chain and a wide star', () => {
    expect(plan.expected.members).toBeGreaterThanOrEqual(4_000)
    expect(plan.expected.roots).toBeGreaterThanOrEqual(5)
    expect(plan.expected.roots).toBeLessThanOrEqual(8)
    expect(plan.expected.maxDepth).toBeGreaterThanOrEqual(300)
    expect(uplineOf(plan.interesting.deepest)).toHaveLength(plan.expected.maxDepth)
    expect(directsOf(plan.interesting.star)).toBeGreaterThanOrEqual(500)
  })

  test('behavior: grows slowly, then fast, with a campaign, and up to the last hours', () => {
    const joinedBetween = (from: number, until: number) =>
      counting.filter(({ timestamp }) => timestamp >= now - from * 86_400 && timestamp < now - until * 86_400).length
    expect(joinedBetween(180, 120)).toBeGreaterThan(joinedBetween(365, 305) * 1.5)
    expect(joinedBetween(115, 108)).toBeGreaterThan(joinedBetween(107, 100) * 1.5)
    expect(joinedBetween(1, 0)).toBeGreaterThanOrEqual(10)
    expect(joinedBetween(3 / 24, 0)).toBeGreaterThanOrEqual(1)
  })

  test('behavior: has every irregular event, and counts them', () => {
    for (const status of ['self', 'duplicate', 'cycle'] as const) {
      const written = binds.filter((bind) => bind.status === status).length
      expect(written).toBeGreaterThanOrEqual(2)
      expect(plan.expected[status]).toBe(written)
    }
    expect(plan.expected.placeholders).toBeGreaterThanOrEqual(1)
  })

  test('behavior: a self-referral, once by a member who binds to another later', () => {
    const self = binds.filter((bind) => bind.status === 'self')
    expect(self.every((bind) => bind.member === bind.referrer)).toBe(true)
    expect(joinedAt.has(plan.interesting.self)).toBe(false)
    expect(self.some((bind) => (joinedAt.get(bind.member) ?? 0) > bind.timestamp)).toBe(true)
  })

  test('behavior: a second bind comes after the first', () => {
    for (const bind of binds.filter(({ status }) => status === 'duplicate')) {
      expect(joinedAt.get(bind.member)).toBeLessThanOrEqual(bind.timestamp)
    }
    expect(
      binds.find((bind) => bind.status === 'duplicate' && bind.member === plan.interesting.duplicate),
    ).toBeDefined()
  })

  test('behavior: a cycle is a placeholder that binds to its own downline', () => {
    for (const bind of binds.filter(({ status }) => status === 'cycle')) {
      expect(joinedAt.has(bind.member)).toBe(false)
      expect(uplineOf(bind.referrer)).toContain(bind.member)
    }
  })

  test('behavior: a referrer that never binds, and one that binds long after', () => {
    const { placeholder, latePlaceholder } = plan.interesting
    expect(joinedAt.has(placeholder)).toBe(false)
    expect(directsOf(placeholder)).toBeGreaterThanOrEqual(30)
    const firstNamed = binds.find((bind) => bind.referrer === latePlaceholder)?.timestamp ?? Number.NaN
    expect((joinedAt.get(latePlaceholder) ?? 0) - firstNamed).toBeGreaterThan(86_400 * 7)
  })

  test('behavior: the zero and the burn address are referrers and no members', () => {
    const sentinels = ['0x0000000000000000000000000000000000000000', '0x000000000000000000000000000000000000dEaD']
    for (const sentinel of sentinels) {
      expect(binds.some((bind) => bind.referrer === sentinel)).toBe(true)
      expect(joinedAt.has(sentinel as never)).toBe(false)
    }
  })

  test('behavior: no address has two binds that count, and no edge closes a cycle', () => {
    expect(joinedAt.size).toBe(counting.length)
    for (const bind of counting) expect(uplineOf(bind.member)).not.toContain(bind.member)
  })

  test('behavior: demo accounts are members with teams, and one that is unbound', () => {
    const teams = demoAccounts.map(({ address, place }) => ({
      place,
      bound: joinedAt.has(address),
      team: teamOf(address),
    }))
    expect(teams).toEqual([
      { place: 'leader', bound: true, team: expect.any(Number) },
      { place: 'member', bound: true, team: expect.any(Number) },
      { place: 'deep member', bound: true, team: expect.any(Number) },
      { place: 'not bound', bound: false, team: 0 },
    ])
    expect(teams[0]?.team).toBeGreaterThan(500)
    expect(teams[1]?.team).toBeGreaterThan(8)
    expect(teams[2]?.team).toBeGreaterThan(3)
    expect(uplineOf(demoAccounts[2]?.address ?? '').length).toBeGreaterThan(140)
  })

  test('behavior: two members look the same when shortened', () => {
    const [first, second] = plan.interesting.lookalikes.map((address) => address.slice(0, 4) + address.slice(-4))
    expect(first).toBe(second)
    expect(plan.interesting.lookalikes[0]).not.toBe(plan.interesting.lookalikes[1])
  })

  test('behavior: amounts have a heavy tail and belong to members and to others', () => {
    const volumes = plan.blocks.flatMap(({ entries }) =>
      entries.flatMap((entry) => (entry.kind === 'volume' ? [entry] : [])),
    )
    const sorted = volumes.map((entry) => entry.amount).sort((a, b) => (a < b ? 1 : -1))
    const total = sorted.reduce((sum, amount) => sum + amount, 0n)
    const topTenth = sorted.slice(0, sorted.length / 10).reduce((sum, amount) => sum + amount, 0n)
    expect(total).toBe(plan.expected.volume)
    expect(Number(topTenth) / Number(total)).toBeGreaterThan(0.35)
    expect(volumes.some((entry) => !joinedAt.has(entry.member))).toBe(true)
    expect(plan.expected.rewards).toBeGreaterThan(0n)
  })
})
