import { createForest } from '@lineage/forest'
import { operations } from '@lineage/referral-api/operations'
import * as schemas from '@lineage/referral-api/schemas'
import * as fc from 'fast-check'
import { type Address, getAddress, type Hash, numberToHex, zeroAddress } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { parseConfig } from '../../config/index.ts'
import { type ApiParameters, createApi } from './createApi.ts'
import type { BindRow } from './tables/createTables.ts'
import type { MemberEventRow } from './tables/readMemberEvents.ts'

const { communities } = parseConfig({
  communities: [
    {
      id: 'demo',
      name: 'Demo',
      chainId: 56,
      address: '0x000000000000000000000000000000000000beef',
      startBlock: 1,
      event: 'event Bound(address member, address referrer)',
      member: 'member',
      referrer: 'referrer',
    },
  ],
})
const addressOf = (index: number) => numberToHex(index + 0xabcdef, { size: 20 })
const tx: Hash = numberToHex(7, { size: 32 })
const members = 300

/**
 * Address 0 is a placeholder and 1 its direct referral; all others are below 1. The last one binds to itself as well.
 */
const binds: BindRow[] = Array.from({ length: members + 1 }, (_, at) => {
  const index = Math.min(at + 1, members)
  return {
    block: Math.min(at + 1, members),
    logIndex: at === members ? 1 : 0,
    timestamp: 1_700_000_000 + Math.min(at + 1, members),
    tx,
    member: addressOf(index),
    referrer: addressOf(at === members ? index : index === 1 ? 0 : 1),
  }
})

const at = { timestamp: 1_700_000_300, tx, blockHash: tx }
/** The newest events of address 1, newest first. */
const memberEvents: MemberEventRow[] = [
  {
    ...at,
    kind: 'volume',
    member: addressOf(1),
    block: 301,
    logIndex: 0,
    rank: 2,
    referrer: null,
    amount: '9',
    from: null,
  },
  {
    ...at,
    kind: 'volume',
    member: addressOf(1),
    block: 300,
    logIndex: 5,
    rank: 2,
    referrer: null,
    amount: '8',
    from: null,
  },
  {
    ...at,
    kind: 'reward',
    member: addressOf(1),
    block: 300,
    logIndex: 5,
    rank: 1,
    referrer: null,
    amount: '7',
    from: addressOf(300),
  },
  {
    ...at,
    kind: 'referral',
    member: addressOf(300),
    block: 300,
    logIndex: 0,
    rank: 0,
    referrer: addressOf(1),
    amount: null,
    from: null,
  },
  {
    ...at,
    kind: 'bind',
    member: addressOf(1),
    block: 1,
    logIndex: 0,
    rank: 0,
    referrer: null,
    amount: null,
    from: null,
  },
]

function createView() {
  const forest = createForest()
  for (const bind of binds) forest.bind(bind)
  return {
    asOf: { block: members, timestamp: 1_700_000_000 + members, finalizedBlock: members - 30 },
    forests: new Map([['demo', forest]]),
    version: 1,
  }
}

let parameters: ApiParameters & { logged: string[] }
beforeEach(() => {
  const view = createView()
  const logged: string[] = []
  parameters = {
    name: 'lineage_test',
    communities,
    index: {
      view: () => view,
      status: () => ({ state: 'ready', progress: null, asOf: view.asOf, headBlock: members, note: null }),
    },
    tables: {
      findTxs: async (_, positions) => positions.map(() => tx),
      readBinds: async (_, { block, before }, limit) =>
        binds
          .filter((row) => row.block <= block && (!before || row.block < before.block))
          .reverse()
          .slice(0, limit),
      readMemberEvents: async ({ member }, { kinds, block, before }, limit) =>
        memberEvents
          .filter((row) => row.member === member || row.referrer === member)
          .filter((row) => kinds.includes(row.kind) && row.block <= block)
          .filter((row) => !before || row.block < before.block || row.rank < before.rank)
          .slice(0, limit),
    },
    log: (message) => logged.push(message),
    logged,
    watch: { warnings: () => [], spotChecks: () => [], reasons: () => [], withheld: () => undefined },
  }
})

async function get(path: string, init?: RequestInit) {
  const response = await createApi(parameters).request(`/v1${path}`, init)
  const text = await response.text()
  return { response, body: text === '' ? undefined : JSON.parse(text) }
}

async function expectProblem(path: string, status: number, code: string, init?: RequestInit) {
  const { response, body } = await get(path, init)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(schemas.problem.parse(body)).toMatchObject({ status, code })
  expect(response.status).toBe(status)
  return { response, body }
}

const member = (address: Address, rest = '') => `/communities/demo/members/${address}${rest}`

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

  test.each(['0x', 'x', '0x12', `${lower}0`, '%20', '%'])('error: %s is not an address', async (text) => {
    await expectProblem(`/communities/demo/members/${text}/levels`, 400, 'invalid_address')
  })

  test('error: an address that no event names, or only a bind that is ignored', async () => {
    const address = addressOf(9999)
    const bind = { ...at, block: members, logIndex: 2, member: address, referrer: address }
    expect(parameters.index.view()?.forests.get('demo')?.bind(bind)).toBe('self')
    for (const unknown of [address, addressOf(9998)]) {
      const { body } = await expectProblem(member(unknown), 404, 'member_not_found')
      expect(body.detail).toMatch(/^No valid bind /)
    }
  })
})

describe('an address in every community', () => {
  test('behavior: a member', async () => {
    const { body } = await get(`/addresses/${addressOf(2)}`)
    expect(schemas.addresses.parse(body)).toEqual(body)
    expect(body.items).toMatchObject([
      {
        community: 'demo',
        name: 'Demo',
        status: 'ready',
        asOf: body.asOf,
        member: { address: getAddress(addressOf(2)) },
      },
    ])
  })

  test('behavior: no member', async () => {
    const { body } = await get(`/addresses/${addressOf(9999)}`)
    expect(body.items).toMatchObject([{ community: 'demo', status: 'ready', member: null }])
  })

  test('behavior: a community that is not served does not say that it has no such member', async () => {
    parameters.watch.withheld = () => 'Its tables are damaged.'
    const { body } = await get(`/addresses/${addressOf(2)}`)
    expect(body.items).toMatchObject([{ community: 'demo', status: 'indexing', member: null }])
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

describe('as of a moment', () => {
  const from = (of: number, rest: string, search: string) => member(addressOf(of), `${rest}?${search}`)

  test('behavior: a member as of a block', async () => {
    const { body } = await get(from(1, '', 'asOf=10'))
    expect(schemas.pastMember.parse(body)).toEqual(body)
    expect(body).toMatchObject({ at: { block: 10, timestamp: null }, directs: 9, team: 9, maxLevel: 1, depth: 1 })
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
    const { body: referrers } = await get(from(2, '/referrers', 'asOf=10'))
    expect(schemas.pastReferrers.parse(referrers)).toEqual(referrers)
    expect(referrers.items).toMatchObject([
      { depth: 1, directs: 9 },
      { depth: 0, directs: 1 },
    ])
    const { body: directs } = await get(from(0, '/referrals', 'asOf=10&sort=team'))
    expect(schemas.pastReferrals.parse(directs)).toEqual(directs)
    expect(directs.items).toMatchObject([{ address: getAddress(addressOf(1)), level: 1, team: 9 }])
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
    for (const rest of ['', '/levels', '/referrals', '/referrers']) {
      const { body } = await expectProblem(from(1, rest, search), 400, code)
      expect(body.parameter).toBe('asOf')
    }
  })

  test.each([
    ['another level', '/referrals', 'asOf=10&level=2', 'invalid_parameter'],
    ['volumes, which are not kept', '/referrals', 'asOf=10&sort=volume', 'invalid_parameter'],
    ['filters', '/referrals', 'asOf=10&minTeam=1', 'contradictory_filter'],
    ['two moments the wrong way round', '/compare', 'from=12&to=10', 'invalid_parameter'],
    ['one moment alone', '/compare', 'from=12', 'invalid_parameter'],
  ])('error: %s', async (_, rest, search, code) => {
    await expectProblem(from(1, rest, search), 400, code)
  })

  const withoutPast = operations.filter(({ tag, query }) => tag === 'lookups' && !query?.asOf)
  test.each(withoutPast)('error: $id has no past, and says which lookups have it', async ({ method, path }) => {
    const target = path.replace('{community}', 'demo').replace('{address}', addressOf(1))
    const search = '?asOf=10&from=10&to=12&kind=bind&q=0xab'
    const response = await createApi(parameters).request(`/v1${target}${search}`, { method: method.toUpperCase() })
    const body = (await response.json()) as { detail: string }
    expect(response.status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_parameter', parameter: 'asOf' })
    expect(body.detail).toContain('/communities/{community}/members/{address}/levels,')
  })

  test('behavior: a lookup ignores other parameters that it does not have', async () => {
    expect((await get('/communities/demo/metrics?_=1')).response.status).toBe(200)
  })

  test('error: before any event named the member', async () => {
    await expectProblem(from(20, '', 'asOf=10'), 404, 'member_not_found')
    await expectProblem(from(20, '/levels', 'asOf=10'), 404, 'member_not_found')
  })
})

describe('map', () => {
  test.each(['members', 'volume'])('behavior: of a team by %s', async (by) => {
    const { response, body } = await get(member(addressOf(0), `/map?by=${by}`))
    expect(schemas.map.parse(body)).toEqual(body)
    expect(response.headers.get('content-type')).toContain('json')
    expect(body.items.slice(0, 2)).toMatchObject([
      { address: getAddress(addressOf(0)), parent: null, depth: 0, directs: 1, members: members + 1, rest: null },
      { parent: 0, depth: 1, members, rest: { legs: members - 1 - 32, members: members - 1 - 32 } },
    ])
    expect(body.rest).toBeNull()
  })

  test('behavior: of the community', async () => {
    const { body } = await get('/communities/demo/map')
    expect(schemas.map.parse(body)).toEqual(body)
    expect(body).toMatchObject({ by: 'members', since: '2023-10-15', rest: null })
    expect(body.items).toMatchObject([{ address: getAddress(addressOf(0)) }, ...Array(33).fill({})])
  })

  test('behavior: below 50 kB with the largest amounts', async () => {
    const forest = createForest()
    const largest = 2n ** 256n - 1n
    for (let index = 1; index < 2_000; index++) {
      const at = { block: index, logIndex: 0, timestamp: index, member: addressOf(index) }
      forest.bind({ ...at, referrer: addressOf(index >> 2) })
      forest.addVolume({ ...at, amount: largest })
    }
    parameters.index.view = () => ({ ...createView(), forests: new Map([['demo', forest]]) })
    const response = await createApi(parameters).request('/v1/communities/demo/map')
    expect((await response.text()).length).toBeLessThan(50_000)
  })

  test('error: by something else', async () => {
    const { body } = await expectProblem('/communities/demo/map?by=rewards', 400, 'invalid_parameter')
    expect(body.parameter).toBe('by')
  })
})

describe('filters', () => {
  const find = (search: string) => member(addressOf(0), `/referrals?${search}`)
  const at = 1_700_000_000

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
    const text = await (await createApi(parameters).request(`/v1${path}`)).text()
    expect(text.trim().split('\r\n').slice(1)).toHaveLength(2)
  })

  test.each(['', '&minTeam=0'])('behavior: as CSV, the newest first%s', async (filter) => {
    const path = member(addressOf(1), `/referrals.csv?sort=joined&order=desc${filter}`)
    const text = await (await createApi(parameters).request(`/v1${path}`)).text()
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
    const first = await get(`${path}?limit=200`)
    const view = parameters.index.view()
    parameters.index.view = () => view && { ...view, asOf: { ...view.asOf, block: members + 5 } }
    const second = await get(`${path}?limit=200&cursor=${first.body.nextCursor}`)
    expect([first.body.items.length, second.body.items.length]).toEqual([200, members + 1 - 200])
    expect(second.body).toMatchObject({ nextCursor: null, items: expect.arrayContaining([]) })
    expect(second.body.items.at(-1).block).toBe(1)
  })

  test.each(['', 'x', '1', '1-', '-1', '01-1', '1-1-1', '9999999999999-1', `1-${'9'.repeat(20)}`])(
    'error: the cursor %j',
    async (cursor) => {
      await expectProblem(`${path}?cursor=${cursor}`, 400, 'invalid_cursor')
    },
  )
})

describe('events of a member as CSV', () => {
  const csv = async (query = '') => {
    const response = await createApi(parameters).request(`/v1${member(addressOf(1), `/events.csv${query}`)}`)
    return { response, rows: (await response.text()).trim().split('\r\n').slice(1) }
  }

  test('behavior: up to the block of the answer, as a file', async () => {
    const { response, rows } = await csv()
    expect(rows.map((row) => row.split(',')[1])).toEqual(['volume', 'reward', 'referral', 'bind'])
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    const name = `demo-${getAddress(addressOf(1))}-events.csv`
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
  })

  test('behavior: of one kind', async () => {
    expect((await csv('?kind=reward')).rows).toHaveLength(1)
    await expectProblem(member(addressOf(1), '/events.csv?kind=gift'), 400, 'invalid_parameter')
  })

  test('error: the database does not respond', async () => {
    parameters.tables.readMemberEvents = () =>
      Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
    await expectProblem(member(addressOf(1), '/events.csv'), 503, 'unavailable')
  })
})

describe('batch', () => {
  const path = '/communities/demo/members/batch'
  const post = (body: unknown, type = 'application/json') => ({
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

  test('behavior: cards in order, each with its own error', async () => {
    const wrong = '0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266'
    const addresses = [addressOf(2), 'x', addressOf(9999), wrong, addressOf(0), addressOf(2), zeroAddress]
    const { response, body } = await get(path, post({ addresses, tx: true }))
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    // The server charges the visitor for this work.
    expect(response.headers.get('server-timing')).toMatch(/^work;dur=[\d.]+, app;dur=\d/)
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
    ['not JSON', '{', 'not JSON'],
    ['empty', '', 'not JSON'],
    ['without addresses', {}, 'addresses'],
    ['a number as address', { addresses: [1] }, 'addresses'],
    ['null', null, 'addresses'],
    ['of a past moment', { addresses: [], asOf: '2023-11-14' }, 'nothing else'],
    ['a text for tx', { addresses: [], tx: 'yes' }, '"tx": true'],
  ])('error: a body that is %s', async (_, body, detail) => {
    const problem = await expectProblem(path, 400, 'invalid_body', post(body))
    expect(problem.body.detail).toContain(detail)
  })

  test('error: a body of more than 64 kB', async () => {
    await expectProblem(path, 413, 'payload_too_large', post({ addresses: ['x'.repeat(70_000)] }))
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', ''])('error: a body of type %j', async (type) => {
    await expectProblem(path, 415, 'unsupported_media_type', post({ addresses: [] }, type))
  })

  test('behavior: a content type with a charset', async () => {
    expect((await get(path, post({ addresses: [] }, 'Application/JSON; charset=utf-8'))).response.status).toBe(200)
  })

  test('error: GET', async () => {
    const { response } = await expectProblem(path, 405, 'method_not_allowed')
    expect(response.headers.get('allow')).toBe('POST')
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

  test.each(['', '-1', '1.5', 'x', '9'.repeat(16)])('error: the skip %j', async (skip) => {
    const { body } = await expectProblem(member(addressOf(2), `/referrers?skip=${skip}`), 400, 'invalid_parameter')
    expect(body.parameter).toBe('skip')
  })

  test('error: the cursor of another order', async () => {
    const { body } = await get(member(addressOf(1), '/referrals?limit=2'))
    await expectProblem(member(addressOf(1), `/referrals?order=desc&cursor=${body.nextCursor}`), 400, 'invalid_cursor')
  })

  test.each(['', 'q=', 'q=0x', 'q=0xa', 'q=abc', 'q=0xzz', `q=0x${'a'.repeat(41)}`])(
    'error: a search for %j',
    async (query) => {
      const { body } = await expectProblem(`/communities/demo/search?${query}`, 400, 'invalid_parameter')
      expect(body.parameter).toBe('q')
    },
  )
})

describe('caching', () => {
  test('behavior: an unchanged response is not sent again', async () => {
    const first = await get('/communities/demo/metrics')
    const tag = first.response.headers.get('etag') ?? ''
    expect(tag).toMatch(/^W\/"300-/)
    expect(first.response.headers.get('cache-control')).toBe('public, max-age=1')
    expect(first.response.headers.get('server-timing')).toMatch(/^work;dur=[\d.]+, app;dur=\d/)
    for (const header of [tag, `"other", ${tag}`, '*']) {
      const { response, body } = await get('/communities/demo/metrics', { headers: { 'if-none-match': header } })
      expect([response.status, body]).toEqual([304, undefined])
      expect(response.headers.get('etag')).toBe(tag)
    }
  })

  test('behavior: a new version of the same block is sent', async () => {
    const tag = (await get('/communities')).response.headers.get('etag') ?? ''
    const view = parameters.index.view()
    parameters.index.view = () => view && { ...view, version: 2 }
    expect((await get('/communities', { headers: { 'if-none-match': tag } })).response.status).toBe(200)
  })

  test('behavior: a problem is not cached', async () => {
    const { response } = await expectProblem('/communities/other/metrics', 404, 'community_not_found', {
      headers: { 'if-none-match': '*' },
    })
    expect(response.headers.get('cache-control')).toBe('no-store')
  })
})

test.each(['/', '/nothing', '/communities/demo', '/communities/demo/members', '/communities//metrics', '/config'])(
  'error: no path %s',
  async (path) => {
    await expectProblem(path, 404, 'not_found')
  },
)

test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('error: %s', async (method) => {
  const { response } = await expectProblem('/communities/demo/metrics', 405, 'method_not_allowed', { method })
  expect(response.headers.get('allow')).toBe('GET, HEAD')
  await expectProblem('/nothing', 404, 'not_found', { method })
})

test('behavior: HEAD has no body', async () => {
  const { response, body } = await get('/communities', { method: 'HEAD' })
  expect([response.status, body]).toEqual([200, undefined])
})

test('behavior: while indexing, lookups are refused and the status is served', async () => {
  const progress = { phase: 'indexing' as const, done: 3, total: 9 }
  parameters.index = {
    view: () => undefined,
    status: () => ({ state: 'indexing', progress, asOf: null, headBlock: 9, note: null }),
  }
  for (const path of ['/communities', '/communities/demo/metrics', member(addressOf(1)), '/ready']) {
    const { response, body } = await expectProblem(path, 503, 'indexing')
    expect(body.progress).toEqual(progress)
    expect(response.headers.get('retry-after')).toBe('1')
  }
  const { response, body } = await get('/status')
  expect(response.status).toBe(200)
  expect(schemas.status.parse(body)).toEqual(body)
  expect((await get('/health')).response.status).toBe(200)
})

test('error: a card has no transaction while the database fails', async () => {
  parameters.tables.findTxs = () => Promise.reject(new Error('connection lost'))
  const { response, body } = await get(member(addressOf(1)))
  // Not cached: the next request may return the transaction.
  expect([response.status, response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([
    200,
    null,
    'no-store',
  ])
  expect(body).toMatchObject({ block: 1, tx: null })
  expect(parameters.logged).toEqual(['Transactions cannot be read: connection lost'])
  const addresses = [addressOf(1)]
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ addresses, tx: true }),
  }
  expect((await get('/communities/demo/members/batch', post)).body.items).toMatchObject([
    { card: { block: 1, tx: null }, error: null },
  ])
})

test('error: an internal error is logged and not exposed', async () => {
  parameters.index.view = () => {
    throw new Error('secret')
  }
  const { body } = await expectProblem('/communities', 500, 'internal')
  expect(JSON.stringify(body)).not.toContain('secret')
  expect(parameters.logged.join()).toContain('secret')
})

test('behavior: each answer names the index and its newest block, a problem as well', async () => {
  for (const path of ['/communities', '/communities/none/metrics', '/status']) {
    const { headers } = (await get(path)).response
    expect([headers.get('lineage-block'), headers.get('lineage-index')]).toEqual([String(members), 'lineage_test'])
  }
})

test('property: every response keeps to the contract', async () => {
  const api = createApi(parameters)
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }).map((value) => encodeURIComponent(value)),
    fc.webSegment(),
    fc.constantFrom('all', '1', addressOf(1)),
  )
  const query = fc.array(fc.tuple(fc.constantFrom('limit', 'level', 'sort', 'order', 'cursor', 'q'), text), {
    maxLength: 4,
  })
  const path = fc.oneof(
    fc.array(text, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`),
    fc.constantFrom('', '/levels', '/referrals', '/referrers').map((end) => member(addressOf(1), end)),
    text.map((address) => member(address as Address)),
    fc.constantFrom('/communities/demo/search', '/communities/demo/metrics'),
  )
  await fc.assert(
    fc.asyncProperty(path, query, async (pathname, pairs) => {
      const search = pairs.map(([name, value]) => `${name}=${value}`).join('&')
      const response = await api.request(`/v1${pathname}?${search}`)
      const body: unknown = await response.json()
      if (response.status !== 200) {
        expect(schemas.problem.parse(body).status).toBe(response.status)
        expect(response.status).toBeLessThan(500)
      } else if (pathname.endsWith('/referrals')) expect(schemas.referrals.parse(body)).toEqual(body)
      else if (pathname.endsWith('/referrers')) expect(schemas.referrers.parse(body)).toEqual(body)
      else if (pathname.endsWith('/search')) expect(schemas.search.parse(body)).toEqual(body)
    }),
    { numRuns: 200 },
  )
})

describe('readiness', () => {
  const reason = {
    code: 'stale',
    community: null,
    message: 'The newest block is 90 seconds old.',
    since: 1,
    age: 90,
  } as const

  test('behavior: ready without reasons, or with a community withheld', async () => {
    expect((await get('/ready')).body).toEqual({ status: 'ready', reasons: [] })
    const withheld = { ...reason, code: 'community_withheld', community: 'demo' } as const
    parameters.watch.reasons = () => [withheld]
    expect((await get('/ready')).body).toEqual({ status: 'ready', reasons: [withheld] })
  })

  test('error: each other reason makes it unavailable, and is in the status', async () => {
    parameters.watch.reasons = () => [reason]
    const { response, body } = await get('/ready')
    expect([response.status, schemas.problem.parse(body)]).toEqual([503, body])
    expect(body).toMatchObject({ code: 'unavailable', detail: reason.message, reasons: [reason] })
    expect((await get('/status')).body.reasons).toEqual([reason])
    expect((await get('/communities')).response.status).toBe(200)
  })

  test.each([
    [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 503, 'unavailable'],
    [new Error('a bug'), 500, 'internal'],
  ])('error: events while the tables fail with %s', async (error, status, code) => {
    parameters.tables.readBinds = () => Promise.reject(error)
    parameters.tables.readMemberEvents = () => Promise.reject(error)
    for (const path of ['/communities/demo/events', member(addressOf(1), '/events')]) {
      const { response, body } = await get(path)
      expect([response.status, body.code]).toEqual([status, code])
    }
  })
})

describe('events of a member', () => {
  const events = (query = '') => get(member(addressOf(1), `/events${query}`))

  test('behavior: of each kind, newest first, up to the block of the answer', async () => {
    const { body } = await events()
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
      const { body } = await events(`?limit=1${cursor && `&cursor=${cursor}`}`)
      kinds.push(...body.items.map(({ kind }: { kind: string }) => kind))
      if (body.nextCursor === null) break
      cursor = body.nextCursor
    }
    expect(kinds).toEqual(['volume', 'reward', 'referral', 'bind'])
  })

  test('behavior: of one kind', async () => {
    const { body } = await events('?kind=reward')
    expect(body.items).toMatchObject([{ kind: 'reward' }])
  })

  describe('an address that is not a member', () => {
    const stranger = addressOf(9999)
    const own = { ...at, block: 302, logIndex: 1, member: stranger } as const
    const selfBind: MemberEventRow = { ...own, kind: 'bind', rank: 0, referrer: stranger, amount: null, from: null }
    const volume: MemberEventRow = { ...own, kind: 'volume', rank: 2, referrer: null, amount: '5', from: null }

    /** Adds rows of an address that is not in the forest. */
    function addRows(...rows: MemberEventRow[]): void {
      const { readMemberEvents } = parameters.tables
      parameters.tables.readMemberEvents = async (of, range, limit) => [
        ...rows.filter(({ kind, member }) => member === of.member && range.kinds.includes(kind)),
        ...(await readMemberEvents(of, range, limit)),
      ]
      parameters.index
        .view()
        ?.forests.get('demo')
        ?.bind({ ...own, referrer: stranger })
    }

    test('behavior: binds that do not count, and amounts', async () => {
      addRows(volume, selfBind)
      const { body } = await get(member(getAddress(stranger), '/events'))
      expect(body.items).toMatchObject([
        { kind: 'volume', amount: '5', status: null },
        { kind: 'bind', status: 'self' },
      ])
      expect((await get(member(stranger, '/events?kind=reward'))).body.items).toEqual([])
      const csv = await createApi(parameters).request(`/v1${member(stranger, '/events.csv')}`)
      expect((await csv.text()).trim().split('\n')).toHaveLength(3)
      await expectProblem(member(stranger), 404, 'member_not_found')
    })

    test.each(['/events', '/events?kind=bind', '/events.csv'])('error: no events (%s)', async (path) => {
      await expectProblem(member(stranger, path), 404, 'member_not_found')
    })

    test('error: events name the zero address, but it stands for no referrer', async () => {
      addRows({ ...selfBind, kind: 'referral', member: zeroAddress })
      await expectProblem(member(zeroAddress, '/events'), 404, 'member_not_found')
    })
  })

  test.each([
    ['a kind that there is not', '?kind=unbind', 'invalid_parameter'],
    ['a cursor of another list', '?cursor=300-5', 'invalid_cursor'],
    ['an impossible cursor', '?cursor=300-5-3', 'invalid_cursor'],
  ])('error: %s', async (_, query, code) => {
    await expectProblem(member(addressOf(1), `/events${query}`), 400, code)
  })
})
