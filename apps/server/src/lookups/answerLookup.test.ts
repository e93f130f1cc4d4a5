import { eventKinds } from '@lineage/database'
import { startTestPostgres } from '@lineage/database/testing'
import type { Forest } from '@lineage/forest'
import type { Metrics } from '@lineage/referral-api'
import { createCalendar } from '@lineage/referral-api/days'
import { operations } from '@lineage/referral-api/operations'
import * as schemas from '@lineage/referral-api/schemas'
import * as fc from 'fast-check'
import { type Address, getAddress, type Hash, numberToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { addressOf, bind, type TestEvent, timeOf } from '../follow/test/tables.ts'
import { throttleByCost, toProblem } from './answerLookup.ts'
import { startLookups } from './test/startLookups.ts'

const tx: Hash = numberToHex(7, { size: 32 })
const members = 300

/**
 * Address 0 is a placeholder and 1 its direct referral; all others are below 1. The last one binds to itself as well.
 */
const binds: TestEvent[] = Array.from({ length: members + 1 }, (_, at) => {
  const index = Math.min(at + 1, members)
  const isLast = at === members
  return { ...bind(index, index, isLast ? index : index === 1 ? 0 : 1, isLast ? 1 : 0), tx }
})
const largest = 2n ** 256n - 1n

const withMembersOnly = (metrics: Metrics) => ({
  ...metrics,
  series: metrics.series.map(({ day, members }) => ({ day, members })),
})
/** Events of address 1, and of strangers that only have events which do not count. */
const events: TestEvent[] = [
  { kind: 'bind', block: 1, logIndex: 0, member: addressOf(1), referrer: zeroAddress, tx },
  { ...bind(300, 300, 1), tx },
  { kind: 'reward', block: 300, logIndex: 5, member: addressOf(1), amount: 7n, from: addressOf(300), tx },
  { kind: 'volume', block: 300, logIndex: 5, member: addressOf(1), amount: 8n, tx },
  { ...bind(300, 9_999, 9_999, 6), tx },
  // Not yet indexed.
  { kind: 'volume', block: 301, logIndex: 0, member: addressOf(1), amount: 9n, tx },
]

const amountAt = (block: number, kind: 'volume' | 'reward', of: number, amount: bigint): TestEvent =>
  kind === 'volume'
    ? { kind, block, logIndex: 5, member: addressOf(of), amount }
    : { kind, block, logIndex: 5, member: addressOf(of), amount, from: addressOf(4) }
/** Address 1 has the directs 2 and 3, and 4 is below 2. The last two binds are irregular. */
const amountEvents: TestEvent[] = [
  bind(1, 1, 0),
  bind(2, 2, 1),
  bind(3, 3, 1),
  amountAt(3, 'volume', 2, 100n),
  bind(4, 4, 2),
  amountAt(5, 'volume', 4, 50n),
  amountAt(6, 'volume', 3, 50n),
  amountAt(7, 'reward', 1, 7n),
  bind(8, 3, 3),
  bind(8, 4, 1, 1),
]

const postgres = await startTestPostgres()
const served = await startLookups(
  await postgres.createDatabase(),
  'demo',
  'events',
  'growing',
  'large',
  'days',
  'amounts',
)
const { tables, ask: get } = served
afterAll(async () => {
  await served.close()
  await postgres.stop()
})

beforeAll(async () => {
  await tables.step('demo', { block: members, events: binds })
  await tables.step('growing', { block: members, events: binds })
  await tables.step('events', { block: members, events })
  const large = Array.from({ length: 1_999 }, (_, at): TestEvent[] => [
    bind(1, at + 1, (at + 1) >> 2, at * 2),
    { kind: 'volume', block: 1, logIndex: at * 2 + 1, member: addressOf(at + 1), amount: largest },
  ])
  await tables.step('large', { block: 1, events: large.flat() })
  // Address 1 and its direct referrals, who join for five weeks, each within an hour of the one before.
  const joins = Array.from({ length: 999 }, (_, at) => bind(1 + at * 3_001, at + 1, 1))
  await tables.step('days', { block: 999 * 3_001, events: joins })
  await served.reach(999 * 3_001, 'days')
  await tables.step('amounts', { block: 9, events: amountEvents })
  await served.reach(9, 'amounts')
  for (const id of ['demo', 'growing', 'events']) await served.reach(members, id)
  await served.reach(1, 'large')
})

async function expectProblem(path: string, status: number, code: string, init?: Parameters<typeof get>[1]) {
  const answered = await get(path, init)
  expect(answered.type).toBe('application/problem+json')
  expect(schemas.problem.parse(answered.body)).toMatchObject({ status, code })
  expect(answered.status).toBe(status)
  return answered
}

test('error: a block that a reorganisation took back since the wait for it is not answered by an older one', async () => {
  const path = `/communities/demo/members/${addressOf(1)}`
  expect((await get(path, { atLeast: members })).status).toBe(200)
  await expectProblem(path, 503, 'unavailable', { atLeast: members + 1 })
})

const member = (address: Address, rest = '', community = 'demo') =>
  `/communities/${community}/members/${address}${rest}`

describe('addresses', () => {
  const lower = addressOf(2)
  test.each([lower, getAddress(lower), `0x${lower.slice(2).toUpperCase()}`] as Address[])(
    'behavior: %s',
    async (address) => {
      const { body } = await get(member(address))
      expect(body).toMatchObject({ address: getAddress(lower), referrer: getAddress(addressOf(1)), tx })
    },
  )

  test('error: wrong checksum', async () => {
    const { body } = await expectProblem(member('0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266'), 400, 'invalid_address')
    expect(body.detail).toContain('checksum')
  })

  test.each(['0x', 'x', '0x12', `${lower}0`, '%20', '%25'])('error: %s is not an address', async (text) => {
    await expectProblem(`/communities/demo/members/${text}/levels`, 400, 'invalid_address')
  })

  test('error: an address that no event names, or only a bind that is ignored', async () => {
    for (const unknown of [addressOf(9_999), addressOf(9_998)]) {
      const { body } = await expectProblem(member(unknown, '', 'events'), 404, 'member_not_found')
      expect(body.detail).toMatch(/^No valid bind /)
    }
  })
})

describe('an address in every community', () => {
  test('behavior: a member', async () => {
    const { body } = await get(`/addresses/${addressOf(2)}`)
    expect(schemas.addresses.parse(body)).toEqual(body)
    expect(body.items[0]).toMatchObject({
      community: 'demo',
      name: 'Demo',
      status: 'ready',
      asOf: { block: members },
      member: { address: getAddress(addressOf(2)) },
    })
    // The oldest of all.
    expect(body.asOf.block).toBe(1)
  })

  test('behavior: no member', async () => {
    const { body } = await get(`/addresses/${addressOf(9999)}`)
    expect(body.items[0]).toMatchObject({ community: 'demo', status: 'ready', member: null })
  })

  test('behavior: a community that is not served does not say that it has no such member', async () => {
    await tables.check('demo', { withheld: 'Its events are wrong.' })
    await served.follower.pollNow()
    const { body } = await get(`/addresses/${addressOf(2)}`)
    expect(body.items[0]).toMatchObject({ community: 'demo', status: 'withheld', member: null })
    await expectProblem('/communities/demo/metrics', 409, 'withheld')
    expect((await get('/communities')).body.items[0]).toMatchObject({ id: 'demo', status: 'withheld', withheld: null })
    await tables.check('demo', {})
    await served.follower.pollNow()
  })

  test('error: not an address', async () => {
    await expectProblem('/addresses/0x12', 400, 'invalid_address')
  })
})

describe('two addresses', () => {
  const pair = (a: number, b: number) => `/communities/demo/relation?a=${addressOf(a)}&b=${addressOf(b)}`

  test.each([
    [2, 2, { relation: 'same', stepsA: 0, stepsB: 0 }],
    [0, 2, { relation: 'above', stepsA: 0, stepsB: 2, common: getAddress(addressOf(0)) }],
    [2, 0, { relation: 'below', stepsA: 2, stepsB: 0, common: getAddress(addressOf(0)) }],
    [2, 3, { relation: 'sideways', stepsA: 1, stepsB: 1, common: getAddress(addressOf(1)) }],
  ])('behavior: %d and %d', async (a, b, expected) => {
    const { body } = await get(pair(a, b))
    expect(schemas.relation.parse(body)).toEqual(body)
    expect(body).toMatchObject({ a: getAddress(addressOf(a)), b: getAddress(addressOf(b)), ...expected })
  })

  test('behavior: the line between them, page by page', async () => {
    const path = pair(2, 3).replace('relation?', 'relation/line?')
    const { body: first } = await get(`${path}&limit=2`)
    expect(schemas.line.parse(first)).toEqual(first)
    const { body: second } = await get(`${path}&limit=2&cursor=${first.nextCursor}`)
    expect([...first.items, ...second.items]).toMatchObject([
      { address: getAddress(addressOf(2)), step: 0, side: 'a' },
      { address: getAddress(addressOf(1)), step: 1, side: 'common' },
      { address: getAddress(addressOf(3)), step: 2, side: 'b' },
    ])
    expect(second.nextCursor).toBeNull()
  })

  test.each([
    ['no second one', `/communities/demo/relation?a=${addressOf(2)}`, 400, 'invalid_parameter', 'b'],
    ['not an address', `/communities/demo/relation?a=0x1&b=${addressOf(2)}`, 400, 'invalid_address', 'a'],
    ['a stranger', pair(2, 9999), 404, 'member_not_found', 'b'],
  ])('error: %s', async (_, path, status, code, parameter) => {
    const { body } = await expectProblem(path, status, code)
    expect(body.parameter).toBe(parameter)
  })
})

describe('levels of a range', () => {
  test.each([
    ['now', ''],
    ['as of a block', '&asOf=10'],
  ])('behavior: below a member, %s', async (_, search) => {
    const read = async (range: string) => (await get(member(addressOf(0), `/levels?${range}${search}`))).body.items
    const [first, second] = await read('')
    expect(await read('levelTo=1')).toEqual([first])
    expect(await read('levelFrom=2&levelTo=4294967294')).toEqual([second])
    expect(await read('levelFrom=3')).toEqual([])
  })

  test.each([
    ['now', ''],
    ['with the members of each day', '&series=members'],
    ['as of a block', '&asOf=10'],
  ])('behavior: the depths of a community, %s', async (_, search) => {
    const read = async (range: string) => (await get(`/communities/demo/metrics?${range}${search}`)).body
    const { depths, ...rest } = await read('')
    expect(depths).toMatchObject([{ depth: 0 }, { depth: 1 }, { depth: 2 }])
    expect(await read('depthTo=0')).toEqual({ ...rest, depths: depths.slice(0, 1) })
    expect(await read('depthFrom=1&depthTo=1')).toEqual({ ...rest, depths: depths.slice(1, 2) })
    expect(await read('depthFrom=3')).toEqual({ ...rest, depths: [] })
    // A part is not kept as the whole.
    expect(await read('')).toEqual({ ...rest, depths })
  })
})

describe('as of a moment', () => {
  const from = (of: number, rest: string, search: string) => member(addressOf(of), `${rest}?${search}`)

  test('behavior: a member as of a block', async () => {
    const { body } = await get(from(1, '', 'asOf=10'))
    expect(schemas.pastMember.parse(body)).toEqual(body)
    expect(body).toMatchObject({ at: { block: 10, timestamp: null }, directs: 9, team: 9, maxLevel: 1, depth: 1 })
    expect(Object.keys(body).filter((name) => /volume|rewards/i.test(name))).toEqual([])
  })

  test('behavior: a placeholder as of a day', async () => {
    const { body } = await get(from(0, '', 'asOf=2023-11-14'))
    const at = { block: null, timestamp: 1_700_000_000 + members }
    expect(body).toMatchObject({ at, status: 'placeholder', team: members, maxLevel: 2, joinedAt: null })
  })

  test('behavior: levels, referrers and directs as of a block', async () => {
    const { body: levels } = await get(from(0, '/levels', 'asOf=10'))
    expect(schemas.pastLevels.parse(levels)).toEqual(levels)
    expect(levels.items).toEqual([
      { level: 1, count: 1 },
      { level: 2, count: 9 },
    ])
    const { body: volumes } = await get(from(0, '/levels', 'asOf=10&amounts=true'))
    expect(volumes.items).toMatchObject([{ volume: '0' }, { volume: '0' }])
    const { body: referrers } = await get(from(2, '/referrers', 'asOf=10'))
    expect(schemas.pastReferrers.parse(referrers)).toEqual(referrers)
    expect(referrers.items).toMatchObject([
      { depth: 1, directs: 9 },
      { depth: 0, directs: 1 },
    ])
    const { body: directs } = await get(from(0, '/referrals', 'asOf=10&sort=team'))
    expect(schemas.pastReferrals.parse(directs)).toEqual(directs)
    expect(directs.items).toMatchObject([{ address: getAddress(addressOf(1)), level: 1, team: 9 }])
    expect(directs.items[0]).not.toHaveProperty('teamVolume')
    const { body: amounts } = await get(from(0, '/referrals', 'asOf=10&amounts=true'))
    expect(amounts.items).toMatchObject([{ ownVolume: '0', teamVolume: '0' }])
  })

  test('behavior: the relation of two members as of a block, and the line between them', async () => {
    const pair = `a=${addressOf(2)}&b=${addressOf(3)}`
    const { body } = await get(`/communities/demo/relation?${pair}&asOf=10`)
    expect(schemas.pastRelation.parse(body)).toEqual(body)
    const common = getAddress(addressOf(1))
    expect(body).toMatchObject({ at: { block: 10, undated: 0 }, relation: 'sideways', common, stepsA: 1, stepsB: 1 })
    const { body: line } = await get(`/communities/demo/relation/line?${pair}&asOf=10&tx=true`)
    expect(schemas.pastLine.parse(line)).toEqual(line)
    expect(line.items).toMatchObject([{ side: 'a' }, { side: 'common', address: common, directs: 9 }, { side: 'b' }])
    expect(line.items[1].tx).toMatch(/^0x/)
    const later = `/communities/demo/relation?a=${addressOf(2)}&b=${addressOf(20)}&asOf=10`
    expect((await expectProblem(later, 404, 'member_not_found')).body.parameter).toBe('b')
  })

  test('behavior: the whole downline as of a block, by level and with filters', async () => {
    const { body } = await get(from(0, '/referrals', 'asOf=10&level=all&limit=3&sort=team&amounts=true'))
    expect(schemas.pastReferrals.parse(body)).toEqual(body)
    expect(body.items).toMatchObject([
      { address: getAddress(addressOf(1)), level: 1, team: 9, depth: 1, teamVolume: '0' },
      { level: 2, team: 0, depth: 2 },
      { level: 2 },
    ])
    const { body: rest } = await get(
      from(0, '/referrals', `asOf=10&level=all&limit=50&sort=team&amounts=true&cursor=${body.nextCursor}`),
    )
    expect([rest.items.length, rest.nextCursor]).toEqual([7, null])
    const { body: filtered } = await get(from(0, '/referrals', 'asOf=10&minTeam=1'))
    expect(filtered).toMatchObject({ count: { value: 1, relation: 'exact' }, items: [{ team: 9 }] })
    const { body: second } = await get(from(0, '/referrals', 'asOf=10&level=2'))
    expect(second.items.length).toBe(9)
    expect(second).not.toHaveProperty('count')
  })

  test('behavior: the figures of the whole community as of a block and a day', async () => {
    const { body } = await get('/communities/demo/metrics?asOf=10')
    expect(schemas.pastMetrics.parse(body)).toEqual(body)
    expect(body).toMatchObject({
      at: { block: 10, timestamp: null, undated: 0 },
      members: 10,
      roots: 1,
      maxDepth: 2,
      leaders: { team: [{ address: getAddress(addressOf(0)), team: 10 }, { team: 9 }] },
    })
    expect(body.series.at(-1).totalMembers).toBe(10)
    const short = (await get('/communities/demo/metrics?asOf=10&series=members')).body
    expect(schemas.metricsAnswer.parse(short)).toEqual(withMembersOnly(body))
    const { at, until, ...today } = (await get('/communities/demo/metrics?asOf=2023-11-15&tz=Asia/Shanghai')).body
    const { body: present } = await get('/communities/demo/metrics?tz=Asia/Shanghai')
    const shortPresent = (await get('/communities/demo/metrics?tz=Asia/Shanghai&series=members')).body
    expect(shortPresent).toEqual(withMembersOnly(present))
    expect(today).toEqual(present)
    expect([at.timestamp, until]).toEqual([present.asOf.timestamp, present.asOf.timestamp])
  })

  test('behavior: the downline as of a block as CSV, with filters and amounts', async () => {
    const read = async (search: string) => {
      const { text } = await get(from(0, '/referrals.csv', `asOf=10&${search}`))
      const [head, ...lines] = text.trim().split('\r\n')
      return { head, addresses: lines.map((line) => line.split(',')[1]) }
    }
    const all = Array.from({ length: 10 }, (_, index) => getAddress(addressOf(10 - index)))
    const { head, addresses } = await read('order=desc')
    expect(addresses).toEqual(all)
    expect(head).not.toContain('ownVolume')
    expect(head).toContain('block,logIndex,tx')
    expect((await read('amounts=true')).head).toContain('teamVolume')
    expect((await read('levelFrom=2&levelTo=2')).addresses).toEqual(all.slice(0, -1).reverse())
    expect((await read('minTeam=1')).addresses).toEqual(all.slice(-1))
    await expectProblem(from(20, '/referrals.csv', 'asOf=10'), 404, 'member_not_found')
  })

  test('behavior: amounts up to a block, and between two blocks', async () => {
    const amountsAt = async (block: number) =>
      (await get(member(addressOf(1), `?asOf=${block}&amounts=true`, 'events'))).body
    expect(await amountsAt(299)).toMatchObject({ ownVolume: '0', teamVolume: '0', rewards: '0', teamRewards: '0' })
    expect(await amountsAt(300)).toMatchObject({ ownVolume: '8', teamVolume: '0', rewards: '7', teamRewards: '0' })
    const { body } = await get(member(addressOf(1), '/compare?from=299&to=300', 'events'))
    const none = { volume: '0', rewards: '0' }
    expect(body).toMatchObject({
      amounts: { own: { volume: '8', rewards: '7' }, team: none },
      legs: [{ from: 0, to: 1, ...none }],
    })
    const { body: directs } = await get(member(addressOf(1), '/referrals?asOf=300&sort=volume', 'events'))
    expect(directs.items).toMatchObject([{ ownVolume: '0', teamVolume: '0' }])
  })

  test('behavior: two blocks compared', async () => {
    const { body } = await get(from(0, '/compare', 'from=10&to=12'))
    expect(schemas.compare.parse(body)).toEqual(body)
    expect(body).toMatchObject({
      from: { member: { team: 10 } },
      to: { member: { team: 12 } },
      came: { count: 2, items: [{ address: getAddress(addressOf(12)) }, { address: getAddress(addressOf(11)) }] },
      left: 0,
      legs: [{ address: getAddress(addressOf(1)), from: 10, to: 12 }],
    })
  })

  test.each([
    ['a day in the future', 'asOf=2023-11-15', 'moment_in_future'],
    ['a day before the first bind', 'asOf=2023-11-13', 'moment_before_start'],
    ['a block before the start', 'asOf=0', 'moment_before_start'],
    ['a block not yet indexed', `asOf=${members + 1}`, 'block_not_indexed'],
    ['no day', 'asOf=2023-02-30', 'invalid_parameter'],
    ['no moment', 'asOf=yesterday', 'invalid_parameter'],
  ])('error: %s', async (_, search, code) => {
    const paths = ['', '/levels', '/referrals', '/referrals.csv', '/referrers'].map((rest) => from(1, rest, search))
    for (const path of [...paths, `/communities/demo/metrics?${search}`]) {
      const { body } = await expectProblem(path, 400, code)
      expect(body.parameter).toBe('asOf')
    }
  })

  test.each([
    ['two moments the wrong way round', '/compare', 'from=12&to=10', 'invalid_parameter'],
    ['one moment alone', '/compare', 'from=12', 'invalid_parameter'],
  ])('error: %s', async (_, rest, search, code) => {
    await expectProblem(from(1, rest, search), 400, code)
  })

  const withoutPast = operations.filter(({ tag, query }) => tag === 'lookups' && !query?.asOf)
  test.each(withoutPast)('error: $id has no past, and says which lookups have it', async ({ method, path }) => {
    const target = path.replace('{community}', 'demo').replace('{address}', addressOf(1))
    const search = '?asOf=10&from=10&to=12&kind=bind&q=0xab'
    const { status, body } = await get(`${target}${search}`, method === 'post' ? { body: { addresses: [] } } : {})
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_parameter', parameter: 'asOf' })
    expect(body.detail).toContain('/communities/{community}/members/{address}/levels,')
  })

  test.each([
    ['/communities/demo/metrics?_=1', '_', 'leave it out'],
    [member(addressOf(1), '?asof=10'), 'asof', 'did you mean "asOf"?'],
    [member(addressOf(0), '/referrals.csv?level=2'), 'level', 'did you mean "levelFrom"?'],
    ['/communities/demo/events?state=cycle', 'state', 'did you mean "status"?'],
    [member(addressOf(0), '/referrals?limit=1&limit=2'), 'limit', 'more than once'],
  ])('error: an unknown or repeated parameter is refused: %s', async (target, parameter, detail) => {
    const { body } = await expectProblem(target, 400, 'invalid_parameter')
    expect([body.parameter, body.detail]).toEqual([parameter, expect.stringContaining(detail)])
  })

  test('error: before any event named the member', async () => {
    await expectProblem(from(20, '', 'asOf=10'), 404, 'member_not_found')
    await expectProblem(from(20, '/levels', 'asOf=10'), 404, 'member_not_found')
  })
})

describe('map', () => {
  test.each(['members', 'volume'])('behavior: of a team by %s', async (by) => {
    const { type, body } = await get(member(addressOf(0), `/map?by=${by}`))
    expect(schemas.map.parse(body)).toEqual(body)
    expect(type).toContain('json')
    expect(body.items.slice(0, 2)).toMatchObject([
      { address: getAddress(addressOf(0)), parent: null, depth: 0, directs: 1, members: members + 1, rest: null },
      { parent: 0, depth: 1, members, rest: { legs: members - 1 - 32, members: members - 1 - 32 } },
    ])
    expect(body.rest).toBeNull()
  })

  test('behavior: of the community', async () => {
    const { body } = await get('/communities/demo/map')
    expect(schemas.map.parse(body)).toEqual(body)
    expect(body).toMatchObject({ by: 'members', since: '2023-10-16', rest: null })
    expect(body.items).toMatchObject([{ address: getAddress(addressOf(0)) }, ...Array(33).fill({})])
  })

  test('behavior: below 50 kB with the largest amounts', async () => {
    const { text } = await get('/communities/large/map')
    expect(text.length).toBeLessThan(50_000)
  })

  test('error: by something else', async () => {
    const { body } = await expectProblem('/communities/demo/map?by=rewards', 400, 'invalid_parameter')
    expect(body.parameter).toBe('by')
  })
})

describe('filters', () => {
  const find = (search: string) => member(addressOf(0), `/referrals?${search}`)
  const at = timeOf(0)

  test.each([
    ['a time', `joinedFrom=${at + 3}&joinedTo=${at + 5}`, [3, 4, 5]],
    ['a time and an order', `joinedFrom=${at + 3}&joinedTo=${at + 5}&order=desc`, [5, 4, 3]],
    ['a level by itself', `levelTo=1`, [1]],
    ['a level and a time', `level=2&joinedTo=${at + 3}`, [2, 3]],
    ['a team', 'minTeam=1', [1]],
    ['a prefix', `prefix=${addressOf(7)}`, [7]],
    ['no member has volume', 'minVolume=1', []],
    ['no member was active', 'activeSince=1', []],
    ['no member is below without a bind', 'bound=false', []],
  ])('behavior: %s', async (_, search, expected) => {
    const { body } = await get(find(search))
    expect(schemas.referrals.parse(body)).toEqual(body)
    expect(body.items.map(({ address }: { address: Address }) => address)).toEqual(
      expected.map((index) => getAddress(addressOf(index))),
    )
    expect(body.count).toEqual({ value: expected.length, relation: 'exact' })
  })

  test('behavior: page by page', async () => {
    const { body: first } = await get(find('minTeam=0&limit=200'))
    const { body: second } = await get(find(`minTeam=0&limit=200&cursor=${first.nextCursor}`))
    expect([first.items.length, second.items.length]).toEqual([200, members - 200])
    expect(second.nextCursor).toBeNull()
  })

  test('behavior: as CSV', async () => {
    const path = member(addressOf(0), `/referrals.csv?joinedFrom=${at + 299}`)
    const { text } = await get(path)
    expect(text.trim().split('\r\n').slice(1)).toHaveLength(2)
  })

  test.each(['', '&minTeam=0'])('behavior: as CSV, the newest first%s', async (filter) => {
    const path = member(addressOf(1), `/referrals.csv?sort=joined&order=desc${filter}`)
    const { text } = await get(path)
    expect(text.split('\r\n')[1]).toContain(getAddress(addressOf(members)))
  })

  test.each(['team', 'volume'])('error: a CSV by %s', async (sort) => {
    const path = member(addressOf(0), `/referrals.csv?minTeam=1&sort=${sort}`)
    const { body } = await expectProblem(path, 400, 'unsupported_order')
    expect(body.parameter).toBe('sort')
  })

  test.each([
    ['a time before another', `joinedFrom=2&joinedTo=1`, 'contradictory_filter', 'joinedTo'],
    ['levels the wrong way round', `levelFrom=3&levelTo=2`, 'contradictory_filter', 'levelTo'],
    ['a level and levels', `level=1&levelTo=2`, 'contradictory_filter', 'level'],
    ['the same twice', `minTeam=1&minTeam=2`, 'contradictory_filter', 'minTeam'],
    ['21 filters', 'minTeam=1&'.repeat(21), 'too_many_filters', undefined],
    ['no time', 'joinedFrom=yesterday', 'invalid_parameter', 'joinedFrom'],
    ['a negative team', 'minTeam=-1', 'invalid_parameter', 'minTeam'],
    ['level 0', 'levelFrom=0', 'invalid_parameter', 'levelFrom'],
    ['no amount', 'minVolume=1.5', 'invalid_parameter', 'minVolume'],
    ['a short prefix', 'prefix=0xa', 'invalid_parameter', 'prefix'],
    ['neither true nor false', 'bound=yes', 'invalid_parameter', 'bound'],
  ])('error: %s', async (_, search, code, parameter) => {
    for (const list of ['/referrals', '/referrals.csv']) {
      if (search.startsWith('level=') && list.endsWith('.csv')) continue
      const { body } = await expectProblem(member(addressOf(0), `${list}?${search}`), 400, code)
      expect(body.parameter).toBe(parameter)
    }
  })

  test('error: a cursor of another filter', async () => {
    const { body } = await get(find('minTeam=0&limit=1'))
    await expectProblem(find(`minTeam=1&limit=1&cursor=${body.nextCursor}`), 400, 'invalid_cursor')
  })
})

describe('addresses of no member', () => {
  test.each([
    ['the zero address', zeroAddress, 'stands for "no referrer"'],
    ['the address of the dead', '0x000000000000000000000000000000000000dead', 'stands for "no referrer"'],
    ['the contract itself', '0x000000000000000000000000000000000000beef', 'the contract of the community'],
  ])('error: %s', async (_, address, detail) => {
    const { body } = await expectProblem(member(address as Address), 404, 'member_not_found')
    expect(body.detail).toContain(detail)
  })
})

describe('the evidence of a bind', () => {
  test.each([
    ['directs', member(addressOf(1), '/referrals?limit=3&tx=true')],
    ['directs of the past', member(addressOf(1), '/referrals?limit=3&tx=true&asOf=10')],
    ['referrers', member(addressOf(2), '/referrers?tx=true')],
    ['referrers of the past', member(addressOf(2), '/referrers?tx=true&asOf=10')],
    ['a line', `/communities/demo/relation/line?a=${addressOf(2)}&b=${addressOf(3)}&tx=true`],
  ])('behavior: block, log index and transaction of %s', async (_, path) => {
    const { body, answer } = await get(path)
    expect(answer?.caching).not.toBe('none')
    expect(body.items.length).toBeGreaterThan(1)
    for (const item of body.items)
      expect(item).toMatchObject(
        item.status === 'placeholder'
          ? { block: null, logIndex: null, tx: null }
          : { block: expect.any(Number), logIndex: 0, tx },
      )
    const { body: without } = await get(path.replace('tx=true', 'tx=false'))
    expect(without.items[0]).not.toHaveProperty('tx')
  })

  test('behavior: each row of a CSV has them', async () => {
    const { text } = await get(member(addressOf(1), '/referrals.csv?joinedTo=1700000003'))
    expect(
      text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',').slice(-5)),
    ).toEqual([
      ['2', '0', tx, '', ''],
      ['3', '0', tx, '', ''],
    ])
  })
})

describe('a range of days', () => {
  const day = fc
    .integer({ min: 0, max: 33 })
    .map((number) => new Date(1_700_000_000_000 + number * 86_400_000).toISOString().slice(0, 10))
  const zone = fc.constantFrom('UTC', 'Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati')

  const sumOf = (items: { members: number }[]) => items.reduce((sum, { members }) => sum + members, 0)

  test('property: comparison, filter, growth, metrics, risers, CSV and two past days count the same members', async () => {
    const counted = ['compared', 'filtered', 'grown', 'shown', 'risen', 'rows', 'past']
    const ask = async (rest: string) => (await get(member(addressOf(1), rest, 'days'))).body
    await fc.assert(
      fc.asyncProperty(zone, day, day, async (tz, one, other) => {
        const [from, to] = [one, other].sort() as [string, string]
        const { firstSecond, lastSecond, dayOf } = createCalendar(tz)
        const joined = Array.from({ length: 998 }, (_, at) => timeOf(1 + (at + 1) * 3_001))
        const count = joined.filter((time) => time >= firstSecond(from) && time <= lastSecond(to)).length
        const filter = `joinedFrom=${from}&joinedTo=${to}&tz=${tz}`
        const growth = await ask(`/growth?interval=day&tz=${tz}`)
        const metrics = await get(`/communities/days/metrics?tz=${tz}`)
        const csv = await get(member(addressOf(1), `/referrals.csv?${filter}`, 'days'))
        const risers = await get(`/communities/days/risers?from=${from}&to=${to}&tz=${tz}`)
        const riser = risers.body.items.find(({ address }: { address: string }) => address === getAddress(addressOf(1)))
        const teamOn = async (date: string) => (await ask(`?asOf=${date}&tz=${tz}`)).team ?? 0
        const before = dayOf(firstSecond(from) - 1)
        expect({
          compared: (await ask(`/compare?from=${from}&to=${to}&tz=${tz}`)).came.count,
          filtered: (await ask(`/referrals?${filter}`)).count.value,
          grown: sumOf(growth.items.filter((item: { from: string }) => item.from >= from && item.from <= to)),
          shown: sumOf(metrics.body.series.filter((row: { day: string }) => row.day >= from && row.day <= to)),
          risen: riser?.members ?? 0,
          rows: csv.text.split('\r\n').length - 2,
          past: (await teamOn(to)) - (await teamOn(before)),
        }).toEqual(Object.fromEntries(counted.map((name) => [name, count])))
      }),
      { numRuns: 40 },
    )
  })

  test.each([
    ['no time zone', '/growth?tz=Mars/Base', 'tz'],
    ['days the wrong way round', '/compare?from=2023-11-20&to=2023-11-19', 'to'],
    ['a block before a day', '/compare?from=2023-11-20&to=10000', 'to'],
    ['a day before a block', '/amounts?from=2000000&to=2023-11-20', 'to'],
    ['a day that has not begun', '/amounts?from=2099-01-01', 'from'],
    ['a day that has not begun, of a list', '/referrals.csv?from=2099-01-01', 'from'],
    ['days the wrong way round in a filter', '/referrals?joinedFrom=2023-11-20&joinedTo=2023-11-19', 'joinedTo'],
    ['no day', '/referrals?joinedFrom=2023-11-31', 'joinedFrom'],
  ])('error: %s', async (_, rest, parameter) => {
    const { status, body } = await get(member(addressOf(1), rest, 'days'))
    expect([status, body.parameter]).toEqual([400, parameter])
  })
})

describe('growth', () => {
  test.each([
    ['', 'day', '2023-11-14'],
    ['interval=week', 'week', '2023-11-13'],
    ['interval=month', 'month', '2023-11-01'],
  ])('behavior: %j', async (query, interval, from) => {
    const { body } = await get(member(addressOf(1), `/growth?${query}`))
    expect(schemas.growth.parse(body)).toEqual(body)
    expect(body).toMatchObject({ interval, items: [{ from, members: members - 1, total: members - 1 }] })
  })

  test('error: an unknown interval', async () => {
    const { body } = await expectProblem(member(addressOf(1), '/growth?interval=year'), 400, 'invalid_parameter')
    expect(body.parameter).toBe('interval')
  })
})

describe('events', () => {
  const path = '/communities/demo/events'

  test('behavior: newest first, each with its status', async () => {
    const { body } = await get(`${path}?limit=2`)
    expect(schemas.events.parse(body)).toEqual(body)
    const newest = getAddress(addressOf(members))
    expect(body.items).toMatchObject([
      { status: 'self', block: members, logIndex: 1, address: newest, referrer: newest, tx },
      { status: 'bound', block: members, logIndex: 0, address: newest, referrer: getAddress(addressOf(1)) },
    ])
  })

  test('behavior: a cursor stays valid while newer events arrive', async () => {
    const growing = '/communities/growing/events'
    const first = await get(`${growing}?limit=200`)
    await tables.step('growing', { block: members + 5, events: [bind(members + 5, 999, 1)] })
    await served.reach(members + 5, 'growing')
    const second = await get(`${growing}?limit=200&cursor=${first.body.nextCursor}`)
    expect([first.body.items.length, second.body.items.length]).toEqual([200, members + 1 - 200])
    expect(second.body).toMatchObject({ nextCursor: null, items: expect.arrayContaining([]) })
    expect(second.body.items.at(-1).block).toBe(1)
  })

  test('behavior: a copy misses and repeats nothing over reorganisations, and is told of final events that changed', async () => {
    const only = await startLookups(await postgres.createDatabase(), 'demo')
    const read = async (query: string) => (await only.ask(`${path}?${query}`)).body
    const blocksOf = (body: { items: { block: number }[] }) => body.items.map(({ block }) => block)
    const step = async (next: Parameters<typeof only.tables.step>[1]) => {
      await only.tables.step('demo', next)
      await only.reach(next.block)
    }
    const binds = Array.from({ length: 10 }, (_, index) => bind(index + 1, index + 1, index))
    await step({ block: 10, finalized: 8, events: binds })
    const first = await read('order=asc&limit=5')
    expect(schemas.events.parse(first)).toEqual(first)
    expect([blocksOf(first), first.nextCursor]).toEqual([[1, 2, 3, 4, 5], first.resume])
    const second = await read(`order=asc&cursor=${first.resume}`)
    expect([blocksOf(second), second.nextCursor]).toEqual([[6, 7, 8], null])
    expect(blocksOf(await read(`order=asc&cursor=${second.resume}`))).toEqual([])
    await step({ fork: 9, reorgs: 1, block: 12, finalized: 11, events: [bind(9, 99, 1), bind(11, 98, 1)] })
    const third = await read(`order=asc&cursor=${second.resume}`)
    expect(third.items).toMatchObject([
      { block: 9, address: getAddress(addressOf(99)) },
      { block: 11, address: getAddress(addressOf(98)) },
    ])
    const healed = { ...bind(4, 97, 1), logIndex: 5 }
    await step({ rebuilds: 1, healed: [{ block: 4, added: [5] }], block: 13, finalized: 12, events: [healed] })
    const told = await only.ask(`${path}?order=asc&cursor=${third.resume}`)
    expect([told.status, told.body]).toMatchObject([409, { code: 'events_replaced', block: 4 }])
    expect(blocksOf(await read(`order=asc&cursor=${told.body.cursor}`))).toEqual([4, 4, 5, 6, 7, 8, 9, 11])
    expect(blocksOf(await read(`from=${timeOf(3)}&to=${timeOf(5)}`))).toEqual([5, 4, 4, 3])
    expect(blocksOf(await read(`from=${timeOf(6)}&order=asc&limit=2`))).toEqual([6, 7])
    await step({ name: 'another1', rebuilds: 2, block: 14 })
    const again = await only.ask(`${path}?order=asc&cursor=${third.resume}`)
    expect(again.body).toMatchObject({ code: 'events_replaced', block: 0, cursor: null })
    await only.close()
  })

  test.each([
    ['from=9&to=8', 'contradictory_filter', 'to'],
    ['from=2026-06-02&to=2026-06-01', 'contradictory_filter', 'to'],
    ['status=cycle&order=asc', 'contradictory_filter', 'status'],
    ['status=cycle&from=1', 'contradictory_filter', 'status'],
    ['order=asc&cursor=1-1', 'invalid_cursor', undefined],
    ['order=newest', 'invalid_parameter', 'order'],
  ])('error: %s', async (query, code, parameter) => {
    expect((await expectProblem(`${path}?${query}`, 400, code)).body.parameter).toBe(parameter)
  })

  test.each(['', 'x', '1', '1-', '-1', '01-1', '1-1-1', '9999999999999-1', `1-${'9'.repeat(20)}`])(
    'error: the cursor %j',
    async (cursor) => {
      await expectProblem(`${path}?cursor=${cursor}`, 400, 'invalid_cursor')
    },
  )
})

describe('binds of two teams', () => {
  const [two, three, four] = [2, 3, 4].map((index) => getAddress(addressOf(index)))
  const path = `/communities/amounts/relation/binds?a=${two}&b=${three}`
  const bound = { status: 'bound', held: null }

  test('behavior: oldest first, each with its sides, and with the bind that held instead of an irregular one', async () => {
    const { body } = await get(path)
    expect(schemas.pairBinds.parse(body)).toEqual(body)
    expect(body).toMatchObject({ a: two, b: three, at: { block: 9, undated: 0 }, nextCursor: null })
    expect(body.items).toMatchObject([
      { ...bound, block: 2, address: two, memberSide: 'a', referrerSide: null },
      { ...bound, block: 3, address: three, memberSide: 'b', referrerSide: null },
      { ...bound, block: 4, address: four, referrer: two, memberSide: 'a', referrerSide: 'a' },
      { status: 'self', block: 8, address: three, memberSide: 'b', held: { block: 3, referrerSide: null } },
      {
        ...{ status: 'duplicate', block: 8, logIndex: 1, address: four, memberSide: 'a', referrerSide: null },
        held: { block: 4, referrer: two, referrerSide: 'a' },
      },
    ])
  })

  test('behavior: pages of one, of the past, and of a range', async () => {
    const blocks: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await get(`${path}&limit=1&asOf=9${cursor && `&cursor=${cursor}`}`)
      blocks.push(...body.items.map(({ block }: { block: number }) => block))
      cursor = body.nextCursor
    }
    expect(blocks).toEqual([2, 3, 4, 8, 8])
    const past = await get(`${path}&asOf=4&from=${timeOf(3)}`)
    expect(past.body.items.map(({ block }: { block: number }) => block)).toEqual([3, 4])
    expect(past.body.at).toEqual({ block: 4, timestamp: null, undated: 0 })
  })

  test('attack: the sides of many binds are charged', async () => {
    const forest = served.follower.view('amounts')?.forest as Forest
    const { nearest } = forest
    // Each look-up of a side takes 5 ms.
    vi.spyOn(forest, 'nearest').mockImplementation((...parameters) => {
      const find = nearest(...parameters)
      return (id) => {
        const before = process.threadCpuUsage()
        while (process.threadCpuUsage(before).user < 5_000);
        return find(id)
      }
    })
    expect((await get(path)).answer?.work).toBeGreaterThan(40)
  })

  test.each([
    ['asOf=1', 404, 'member_not_found', 'a'],
    ['asOf=10', 400, 'block_not_indexed', 'asOf'],
    ['from=9&to=8', 400, 'contradictory_filter', 'to'],
    ['cursor=x', 400, 'invalid_cursor', undefined],
  ])('error: %s', async (query, status, code, parameter) => {
    expect((await expectProblem(`${path}&${query}`, status, code)).body.parameter).toBe(parameter)
  })
})

describe('events of a member as CSV', () => {
  const csv = async (query = '') => {
    const { answer, text } = await get(member(addressOf(1), `/events.csv${query}`, 'events'))
    return { headers: answer?.headers ?? {}, rows: text.trim().split('\r\n').slice(1) }
  }

  test('behavior: up to the block of the answer, as a file', async () => {
    const { headers, rows } = await csv()
    expect(rows.map((row) => row.split(',')[2])).toEqual(['volume', 'reward', 'referral', 'bind'])
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    const name = `events-${getAddress(addressOf(1))}-events.csv`
    expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`)
  })

  test('behavior: of one kind', async () => {
    expect((await csv('?kind=reward')).rows).toHaveLength(1)
    await expectProblem(member(addressOf(1), '/events.csv?kind=gift'), 400, 'invalid_parameter')
  })
})

describe('batch', () => {
  const path = '/communities/demo/members/batch'
  const post = (body: unknown) => ({ body })

  test('behavior: cards in order, each with its own error', async () => {
    const wrong = '0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266'
    const addresses = [addressOf(2), 'x', addressOf(9999), wrong, addressOf(0), addressOf(2), zeroAddress]
    const { answer, body } = await get(path, post({ addresses, tx: true }))
    // The server charges the visitor for this work.
    expect(answer).toMatchObject({ caching: 'none', work: expect.any(Number) })
    expect(schemas.batch.parse(body)).toEqual(body)
    expect(body.items.map((item: { input: string }) => item.input)).toEqual(addresses)
    const { asOf, ...card } = (await get(member(addressOf(2)))).body
    expect(card.tx).toBe(tx)
    expect(body).toMatchObject({
      asOf,
      items: [
        { card, error: null },
        { card: null, error: { code: 'invalid_address' } },
        { card: null, error: { code: 'member_not_found' } },
        { card: null, error: { code: 'invalid_address', detail: expect.stringContaining('checksum') } },
        { card: { status: 'placeholder', tx: null }, error: null },
        { card },
        { error: { code: 'member_not_found' } },
      ],
    })
  })

  test.each([0, 500])('behavior: %i addresses', async (length) => {
    const addresses = Array.from({ length }, (_, index) => addressOf(index + 1))
    const { body } = await get(path, post({ addresses }))
    expect(body.items).toHaveLength(length)
    for (const { card } of body.items) expect(card ?? {}).not.toHaveProperty('tx')
  })

  test.each([
    ['more than 500', { addresses: Array(501).fill('x') }, 'at most 500'],
    ['without addresses', {}, 'addresses'],
    ['a number as address', { addresses: [1] }, 'addresses'],
    ['null', null, 'addresses'],
    ['of a past moment', { addresses: [], asOf: '2023-11-14' }, 'nothing else'],
    ['a text for tx', { addresses: [], tx: 'yes' }, '"tx": true'],
  ])('error: a body that is %s', async (_, body, detail) => {
    const problem = await expectProblem(path, 400, 'invalid_body', post(body))
    expect(problem.body.detail).toContain(detail)
  })
})

describe('pages', () => {
  test.each([
    ['', 50],
    ['limit=2', 2],
    ['limit=200', 200],
    ['limit=1000000', 200],
  ])('behavior: %j gives %i rows', async (query, count) => {
    const { body } = await get(member(addressOf(1), `/referrals?${query}`))
    expect(body.items).toHaveLength(count)
    expect(body.nextCursor).not.toBeNull()
  })

  test('behavior: cursors return every row once', async () => {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await get(member(addressOf(0), `/referrals?level=all&limit=77${cursor && `&cursor=${cursor}`}`))
      seen.push(...body.items.map((item: { address: string }) => item.address))
      if (body.nextCursor === null) break
      cursor = body.nextCursor
    }
    expect(seen).toHaveLength(members)
    expect(new Set(seen).size).toBe(members)
  })

  test.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=-1'],
    ['limit', 'limit=1.5'],
    ['limit', 'limit='],
    ['level', 'level=0'],
    ['level', 'level=every'],
    ['level', 'level=99999999999999'],
    ['sort', 'sort=name'],
    ['order', 'order=up'],
  ])('error: %s in %s', async (parameter, query) => {
    const { body } = await expectProblem(member(addressOf(1), `/referrals?${query}`), 400, 'invalid_parameter')
    expect(body.parameter).toBe(parameter)
  })

  test.each(['', 'x', '%00', 'am9pbmVkLmFzYy4xOjM=', 'a'.repeat(5000)])('error: the cursor %j', async (cursor) => {
    await expectProblem(member(addressOf(1), `/referrals?cursor=${cursor}`), 400, 'invalid_cursor')
    await expectProblem(member(addressOf(2), `/referrers?cursor=${cursor}`), 400, 'invalid_cursor')
  })

  test.each([
    ['', [addressOf(1), addressOf(0)]],
    ['skip=1', [addressOf(0)]],
    ['skip=2', []],
  ])('behavior: the upline by %j', async (query, expected) => {
    const { body } = await get(member(addressOf(2), `/referrers?${query}`))
    expect(body.items.map((item: { address: string }) => item.address)).toEqual(expected.map((it) => getAddress(it)))
  })

  test.each(['', '-1', '1.5', 'x'])('error: the skip %j', async (skip) => {
    const { body } = await expectProblem(member(addressOf(2), `/referrers?skip=${skip}`), 400, 'invalid_parameter')
    expect(body.parameter).toBe('skip')
  })

  test('error: the cursor of another order', async () => {
    const { body } = await get(member(addressOf(1), '/referrals?limit=2'))
    await expectProblem(member(addressOf(1), `/referrals?order=desc&cursor=${body.nextCursor}`), 400, 'invalid_cursor')
  })

  test('behavior: a search says whether more members match than it lists', async () => {
    const find = async (prefix: string) => (await get(`/communities/demo/search?q=${prefix}&limit=1`)).body
    expect(await find(addressOf(0).slice(0, 20))).toMatchObject({ items: { length: 1 }, more: true })
    expect(await find(addressOf(0))).toMatchObject({ items: { length: 1 }, more: false })
  })

  test.each(['', 'q=', 'q=0x', 'q=0xa', 'q=abc', 'q=0xzz', `q=0x${'a'.repeat(41)}`])(
    'error: a search for %j',
    async (query) => {
      const { body } = await expectProblem(`/communities/demo/search?${query}`, 400, 'invalid_parameter')
      expect(body.parameter).toBe('q')
    },
  )
})

describe('events of a member', () => {
  const eventsOf = (query = '') => get(member(addressOf(1), `/events${query}`, 'events'))

  test('behavior: of each kind, newest first, up to the block of the answer', async () => {
    const { body } = await eventsOf()
    expect(schemas.memberEvents.parse(body)).toEqual(body)
    expect(body.items).toMatchObject([
      { kind: 'volume', address: getAddress(addressOf(1)), amount: '8', referrer: null, status: null, tx },
      { kind: 'reward', amount: '7', from: getAddress(addressOf(300)), logIndex: 5, timestamp: 1_700_000_300 },
      { kind: 'referral', address: getAddress(addressOf(300)), referrer: getAddress(addressOf(1)), status: 'bound' },
      { kind: 'bind', referrer: zeroAddress, amount: null, block: 1 },
    ])
    expect(body.nextCursor).toBeNull()
  })

  test('behavior: pages end within one log that is a reward and a volume', async () => {
    const kinds: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await eventsOf(`?limit=1${cursor && `&cursor=${cursor}`}`)
      kinds.push(...body.items.map(({ kind }: { kind: string }) => kind))
      if (body.nextCursor === null) break
      cursor = body.nextCursor
    }
    expect(kinds).toEqual(['volume', 'reward', 'referral', 'bind'])
  })

  test('behavior: of one kind', async () => {
    const { body } = await eventsOf('?kind=reward')
    expect(body.items).toMatchObject([{ kind: 'reward' }])
  })

  describe('an address that is not a member', () => {
    const stranger = addressOf(9_999)
    const unknown = addressOf(9_998)

    test('behavior: binds that do not count', async () => {
      const { body } = await get(member(getAddress(stranger), '/events', 'events'))
      expect(body.items).toMatchObject([{ kind: 'bind', status: 'self' }])
      expect((await get(member(stranger, '/events?kind=reward', 'events'))).body.items).toEqual([])
      const { text } = await get(member(stranger, '/events.csv', 'events'))
      expect(text.trim().split('\n')).toHaveLength(2)
      await expectProblem(member(stranger, '', 'events'), 404, 'member_not_found')
    })

    test.each(['/events', '/events?kind=bind', '/events.csv'])('error: no events (%s)', async (path) => {
      await expectProblem(member(unknown, path, 'events'), 404, 'member_not_found')
    })

    test('error: events name the zero address, but it stands for no referrer', async () => {
      await expectProblem(member(zeroAddress, '/events', 'events'), 404, 'member_not_found')
    })
  })

  test.each([
    ['a kind that there is not', '?kind=unbind', 'invalid_parameter'],
    ['a cursor of another list', '?cursor=300-5', 'invalid_cursor'],
    ['an impossible cursor', `?cursor=300-5-${eventKinds.length}`, 'invalid_cursor'],
  ])('error: %s', async (_, query, code) => {
    await expectProblem(member(addressOf(1), `/events${query}`, 'events'), 400, code)
  })
})

test('behavior: events that are asked for during a reorganisation are answered after it', async () => {
  await tables.pool.query(`update lineage_1.source set reorgs = reorgs + 1 where community = 'growing'`)
  expect((await get('/communities/growing/events')).status).toBe(200)
  expect(served.follower.view('growing')?.replaced).toBe('0-first.1.0')
})

describe('caching', () => {
  test.each([
    ['the present', '', 'present'],
    ['a final block', '?asOf=270', 'final'],
    ['a block that may be replaced', '?asOf=271', 'present'],
    ['a day that is not over', '?asOf=2023-11-14', 'present'],
  ])('behavior: %s', async (_, search, caching) => {
    expect((await get(member(addressOf(1), search))).answer?.caching).toBe(caching)
  })

  test('behavior: two final blocks compared, and two of which one may be replaced', async () => {
    const compare = async (to: number) => (await get(member(addressOf(1), `/compare?from=10&to=${to}`))).answer?.caching
    expect([await compare(270), await compare(271)]).toEqual(['final', 'present'])
  })

  test('behavior: the version names the state of the community', async () => {
    const { answer } = await get('/communities/demo/metrics')
    expect(answer?.version).toBe(served.follower.view('demo')?.version)
  })
})

test('error: nothing is answered before the tables are read, and the progress is told', async () => {
  const empty = await startLookups(await postgres.createDatabase(), 'demo')
  const progress = { phase: 'indexing', done: 3, total: 9 } as const
  await empty.tables.report({ progress })
  await empty.follower.pollNow()
  for (const path of ['/communities', '/communities/demo/metrics', member(addressOf(1)), `/addresses/${addressOf(1)}`])
    expect(await empty.ask(path)).toMatchObject({ status: 503, body: { code: 'indexing', progress } })
  await empty.close()
})

test('error: where every community is withheld, the list still tells why, and its version changes with the reason', async () => {
  const only = await startLookups(await postgres.createDatabase(), 'demo')
  await only.tables.step('demo', { block: 3, events: [bind(1, 1, 0)] })
  await only.reach(3)
  await only.tables.check('demo', { withheld: 'Late.' })
  await only.follower.pollNow()
  const unknown = await only.ask('/communities')
  const warning = { kind: 'start_late', node: null, community: 'demo', message: 'Late.' } as const
  await only.tables.report({ warnings: [warning] })
  await only.follower.pollNow()
  const known = await only.ask('/communities')
  expect(schemas.communities.parse(known.body)).toEqual(known.body)
  const items = [{ id: 'demo', status: 'withheld', withheld: 'start_late', members: 0 }]
  expect([unknown.status, known.body]).toMatchObject([200, { asOf: { block: 3 }, items }])
  expect(known.answer?.version).not.toBe(unknown.answer?.version)
  expect((await only.ask(`/addresses/${addressOf(1)}`)).body.items).toMatchObject([
    { status: 'withheld', member: null },
  ])
  await only.close()
})

test('error: an internal error is logged and not exposed', () => {
  const logged: string[] = []
  const { code, message } = toProblem(new Error('secret'), (line) => logged.push(line))
  expect([code, message.includes('secret')]).toEqual(['internal', false])
  expect(logged.join()).toContain('secret')
})

test('error: while the database is away, events are refused, and cards have no transaction and are not cached', async () => {
  await postgres.restart(async () => {
    expect(await get(member(addressOf(1)))).toMatchObject({
      status: 200,
      body: { tx: null },
      answer: { caching: 'none' },
    })
    const { body } = await expectProblem('/communities/demo/events', 503, 'unavailable')
    expect(body.detail).toBe('Events cannot be listed, because no database listens at its address. Try again later.')
    expect(served.logged).toContain('Events cannot be read: no database listens at its address (ECONNREFUSED)')
    await expectProblem(member(addressOf(1), '/events.csv'), 503, 'unavailable')
  })
  await expect.poll(async () => (await get('/communities/demo/events')).status).toBe(200)
})

test('behavior: an output that took 5 ms is returned for 100 ms, but not for a later block or another forest', () => {
  let time = 0
  const [forest, other] = [{}, {}] as [Forest, Forest]
  const view = (block: number, of = forest) =>
    ({ asOf: { block }, version: `${block}`, forest: of }) as Parameters<ReturnType<typeof throttleByCost>>[0]
  const blockOf = throttleByCost(
    ({ asOf }) => {
      time += 5
      return asOf.block
    },
    () => time,
  )
  expect(blockOf(view(1), 0).output).toBe(1)
  time += 99
  expect(blockOf(view(2), 1).output).toBe(1)
  expect(blockOf(view(2), 2).output).toBe(2)
  time += 100
  expect(blockOf(view(3), 0)).toMatchObject({ moment: { asOf: { block: 3 }, version: '3' }, output: 3 })
  expect(blockOf(view(4, other), 0).output).toBe(4)
})

describe('amounts, ranks, risers and activity', () => {
  const read = async (path: string) => (await get(`/communities/amounts${path}`)).body
  const one = `/members/${addressOf(1)}`
  const [a1, a2, a3, a4] = [1, 2, 3, 4].map((index) => getAddress(addressOf(index)))
  const sums = (volume: number, rewards = 0) => ({ volume: `${volume}`, rewards: `${rewards}` })

  test('behavior: amounts of a range of blocks, in all and by day', async () => {
    const body = await read(`${one}/amounts?from=4&to=7`)
    expect(schemas.amounts.parse(body)).toEqual(body)
    const amounts = { own: sums(0, 7), team: sums(100) }
    expect(body).toMatchObject({ after: { block: 4 }, to: { block: 7, undated: 0 }, ...amounts })
    expect(body.items).toEqual([{ from: '2023-11-14', ...amounts }])
    expect(await read(`${one}/amounts?interval=month&tz=Asia/Shanghai`)).toMatchObject({
      after: null,
      team: sums(200),
      items: [{ from: '2023-11-01', team: sums(200) }],
    })
  })

  test('behavior: a list has the amounts of a range, and may be sorted by them', async () => {
    const body = await read(`${one}/referrals?level=all&sort=periodVolume&from=4`)
    expect(schemas.referrals.parse(body)).toEqual(body)
    expect(body).toMatchObject({
      items: [
        { address: a4, amounts: { own: sums(50), team: sums(0) } },
        { address: a3, amounts: { own: sums(50), team: sums(0) } },
        { address: a2, amounts: { own: sums(0), team: sums(50) } },
      ],
      count: { value: 3, relation: 'exact' },
    })
    const { items } = await read(`${one}/referrals?from=6&to=7&sort=joined`)
    expect(items).toMatchObject([{ address: a2, amounts: { own: sums(0), team: sums(0) } }, { address: a3 }])
  })

  test('behavior: a CSV has columns with the amounts of a range', async () => {
    const { text } = await get(`/communities/amounts${one}/referrals.csv?to=5`)
    const rows = text
      .trim()
      .split('\r\n')
      .map((row) => row.split(','))
    const from = rows[0]?.indexOf('periodOwnVolume') ?? -1
    expect(rows.map((row) => row.slice(from))).toEqual([
      [
        ...['periodOwnVolume', 'periodOwnVolume USDT', 'periodTeamVolume', 'periodTeamVolume USDT'],
        ...['periodOwnRewards', 'periodTeamRewards'],
      ],
      ['100', '0.0000000000000001', '50', '0.00000000000000005', '0', '0'],
      ['0', '0', '0', '0', '0', '0'],
      ['50', '0.00000000000000005', '0', '0', '0', '0'],
    ])
  })

  test('behavior: ranks number equal members alike', async () => {
    const body = await read(`/members/${addressOf(3)}/ranks`)
    expect(schemas.ranks.parse(body)).toEqual(body)
    expect(body).toMatchObject({
      siblings: { team: { rank: 2, equal: 1, of: 2 } },
      community: { team: { rank: 4, equal: 2, of: 5 }, directs: { rank: 4, equal: 2, of: 5 } },
    })
  })

  test('behavior: teams that grew most, in the community and below a member', async () => {
    const body = await read('/risers?from=1')
    expect(schemas.risers.parse(body)).toEqual(body)
    expect(body.items).toEqual([
      { address: getAddress(addressOf(0)), rank: 1, members: 3 },
      { address: a1, rank: 1, members: 3 },
      { address: a2, rank: 3, members: 1 },
    ])
    expect((await read(`${one}/risers?by=volume`)).items).toEqual([{ address: a2, rank: 1, volume: '50' }])
  })

  test('behavior: active members by day, each once', async () => {
    const body = await read('/activity')
    expect(schemas.activity.parse(body)).toEqual(body)
    expect(body.items.at(-1)).toEqual({ from: '2023-11-14', active: 4, bound: 4, bought: 3, brought: 2 })
    expect((await read(`${one}/activity?interval=week`)).items.at(-1)).toMatchObject({
      active: 3,
      bound: 3,
      brought: 1,
    })
    await expectProblem('/communities/amounts/activity?from=1970-01-01', 400, 'invalid_parameter')
  })

  test.each([
    ['self', [8]],
    ['duplicate', [8]],
    ['self,cycle', [8]],
    ['self,duplicate', [8, 8]],
    ['bound', [4, 3, 2, 1]],
    ['bound,self', [8, 4, 3, 2, 1]],
  ])('behavior: binds with the status %s, page by page', async (status, blocks) => {
    for (const limit of [1, 2, 50]) {
      const found: number[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const body: { items: { status: string; block: number }[]; nextCursor: string | null } = await read(
          `/events?status=${status}&limit=${limit}${cursor && `&cursor=${cursor}`}`,
        )
        expect(body.items.filter((item) => !status.split(',').includes(item.status))).toEqual([])
        found.push(...body.items.map((item) => item.block))
        cursor = body.nextCursor
      }
      expect(found).toEqual(blocks)
    }
  })

  test.each([
    ['a range the wrong way round', `${one}/amounts?from=7&to=4`, 'invalid_parameter'],
    ['an unknown status', '/events?status=odd', 'invalid_parameter'],
    ['a range beside a moment', `${one}/referrals?asOf=4&from=2`, 'invalid_parameter'],
    ['an order of a range beside a moment', `${one}/referrals?asOf=4&sort=periodVolume`, 'invalid_parameter'],
    ['a CSV by amounts', `${one}/referrals.csv?sort=periodVolume`, 'invalid_parameter'],
    ['a day in the future', `${one}/amounts?to=2099-01-01`, 'moment_in_future'],
  ])('error: %s', async (_, path, code) => {
    await expectProblem(`/communities/amounts${path}`, 400, code)
  })
})
