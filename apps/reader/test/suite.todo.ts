import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Community, Member, MemberEvents, Metrics, Referrals, Status } from '@lineage/referral-api'
import * as schemas from '@lineage/referral-api/schemas'
import { type Address, getAddress, type Hash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ZodType } from 'zod'
import type { ConfigInput } from '../config/index.ts'
import { reorgTable } from '../ponderInternals.ts'
import { type Chain, contract, startChain } from './chain.ts'
import { addressOf, testAmounts, testCommunity } from './community.ts'
import { type Database, type DatabaseKind, startDatabases } from './databases.ts'
import { type Indexer, poll, startIndexer } from './indexer.ts'

const [placeholder, root, first, second, third, other] = [0, 1, 2, 3, 4, 5].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]
const sentinel = '0x0000000000000000000000000000000000000000'
const ownSentinel = addressOf(99)
/** Number of blocks below the head after which Ponder treats a block as final. */
const finality = 30

const config: ConfigInput = {
  communities: [
    testCommunity({
      roots: [ownSentinel],
      ...testAmounts,
      tokens: { volume: { symbol: 'USDT', decimals: 18 } },
      parentView: 'function referrerOf(address) view returns (address)',
      explorer: 'https://bscscan.com',
    }),
    testCommunity({
      id: 'reversed',
      name: 'The same contract with swapped arguments',
      startBlock: 2,
      event: 'event Bound(address indexed referrer, address indexed member)',
    }),
  ],
}

/** Defines the tests of the indexer with one kind of database. */
export function describeIndexer(kind: DatabaseKind) {
  let folder: string
  let chain: Chain
  let indexer: Indexer
  let databases: Awaited<ReturnType<typeof startDatabases>>
  let database: Database
  let bindOfFirst: Hash
  const statuses: Status[] = []

  const boot = (role?: 'serve') =>
    startIndexer({ config: join(folder, 'config.json'), url: chain.url, database, ...(role && { role }) })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lineage-index-'))
    await writeFile(join(folder, 'config.json'), JSON.stringify(config))
    databases = await startDatabases(kind)
    database = await databases.create()
    chain = await startChain()
    await chain.addVolume([second, 7n])
    await chain.bind([root, sentinel], [other, ownSentinel])
    bindOfFirst = await chain.bind([first, root])
    await chain.bind([second, first], [third, second], [addressOf(6), placeholder])
    await chain.bind([first, first], [second, root], [root, third])
    await chain.addVolume([first, 10n ** 30n], [third, 5n], [first, 1n])
    await chain.payReward([first, 3n], [addressOf(6), 4n])
    for (let index = 100; index < 140; index++) await chain.bind([addressOf(index), first])
    indexer = await boot()
    await indexer.untilReady((status) => statuses.push(status))
  })

  afterAll(async () => {
    await indexer?.kill('SIGTERM')
    await chain?.stop()
    await databases?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Requests a path, and expects exactly the schema's fields. */
  async function get<answer>(schema: ZodType, path: string): Promise<answer> {
    const response = await indexer.request(path)
    const body = (await response.json()) as answer
    expect(response.status, JSON.stringify(body)).toBe(200)
    expect(schema.parse(body)).toEqual(body)
    return body
  }
  const member = (address: Address, id = 'demo') => get<Member>(schemas.member, `/communities/${id}/members/${address}`)
  const eventsOf = async (address: Address) => {
    const path = `/communities/demo/members/${address}/events`
    const { items } = await get<MemberEvents>(schemas.memberEvents, path)
    return items.map(({ kind, address, status, amount }) => [kind, address, status, amount])
  }
  const isMember = (address: Address) => async () =>
    (await indexer.request(`/communities/demo/members/${address}`)).status === 200

  describe('responses', () => {
    test('behavior: reports progress until it is ready', () => {
      for (const status of statuses) expect(schemas.status.parse(status)).toEqual(status)
      expect(statuses.at(-1)).toMatchObject({
        state: 'ready',
        progress: null,
        headBlock: 47,
        asOf: { block: 47, finalizedBlock: 47 - finality },
      })
    })

    test('behavior: communities', async () => {
      const { items } = await get<{ items: Community[] }>(schemas.communities, '/communities')
      expect(items).toMatchObject([
        {
          id: 'demo',
          contract: getAddress(contract),
          startBlock: 1,
          members: 6 + 40,
          status: 'ready',
          tokens: { volume: { symbol: 'USDT', decimals: 18 }, reward: null },
          parentView: 'function referrerOf(address) view returns (address)',
          explorer: 'https://bscscan.com',
        },
        { id: 'reversed' },
      ])
    })

    test('behavior: a member', async () => {
      expect(await member(first)).toEqual({
        asOf: { block: 47, timestamp: 1_700_000_047, finalizedBlock: 47 - finality },
        address: getAddress(first),
        status: 'member',
        referrer: getAddress(root),
        root: getAddress(root),
        depth: 1,
        joinedAt: 1_700_000_003,
        block: 3,
        tx: bindOfFirst,
        directs: 41,
        team: 42,
        maxLevel: 2,
        ownVolume: (10n ** 30n + 1n).toString(),
        teamVolume: '12',
        largestLeg: '12',
        otherLegs: '0',
        rewards: '3',
      })
    })

    test('behavior: a root, a configured sentinel, and a placeholder', async () => {
      expect(await member(root)).toMatchObject({ status: 'member', referrer: null, depth: 0, maxLevel: 3, block: 2 })
      expect(await member(other)).toMatchObject({ status: 'member', referrer: null, depth: 0 })
      expect(await member(placeholder)).toMatchObject({
        status: 'placeholder',
        joinedAt: null,
        block: null,
        tx: null,
        team: 1,
      })
      expect((await indexer.request(`/communities/demo/members/${ownSentinel}`)).status).toBe(404)
    })

    test('behavior: a batch has the same cards, with transactions if requested', async () => {
      const addresses = [second, placeholder, first]
      const batch = async (request: object) => {
        const response = await indexer.request('/communities/demo/members/batch', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(request),
        })
        return schemas.batch.parse(await response.json())
      }
      const { items } = await batch({ addresses, tx: true })
      for (const [index, address] of addresses.entries()) {
        const { asOf, ...card } = await member(address)
        expect(items[index]).toEqual({ input: address, card, error: null })
      }
      expect(items.map(({ card }) => card?.tx)).toEqual([expect.any(String), null, bindOfFirst])
      const cards = items.map(({ card }) => card && { ...card, tx: undefined })
      expect((await batch({ addresses })).items.map(({ card }) => card)).toEqual(cards)
    })

    test('behavior: each community reads the arguments as configured', async () => {
      expect(await member(first, 'reversed')).toMatchObject({ referrer: getAddress(second) })
    })

    test('behavior: levels, referrals, referrers, search', async () => {
      const path = `/communities/demo/members/${root}`
      expect(await get(schemas.levels, `${path}/levels`)).toMatchObject({
        items: [
          { level: 1, count: 1, volume: (10n ** 30n + 1n).toString() },
          { level: 2, count: 41, volume: '7' },
          { level: 3, count: 1, volume: '5' },
        ],
      })
      const page = await get<Referrals>(schemas.referrals, `${path}/referrals?level=2&sort=volume&limit=1`)
      expect(page.items).toMatchObject([{ address: getAddress(second), level: 2, team: 1 }])
      const next = await get<Referrals>(
        schemas.referrals,
        `${path}/referrals?level=2&sort=volume&cursor=${page.nextCursor}`,
      )
      expect(next.items).toHaveLength(40)
      expect(await get(schemas.referrers, `/communities/demo/members/${third}/referrers`)).toMatchObject({
        items: [{ address: getAddress(second) }, { address: getAddress(first) }, { address: getAddress(root) }],
        nextCursor: null,
      })
      expect(await get(schemas.search, `/communities/demo/search?q=${second}`)).toMatchObject({ items: [{ depth: 2 }] })
    })

    test('behavior: metrics, with the dirty events', async () => {
      const metrics = await get<Metrics>(schemas.metrics, '/communities/demo/metrics')
      expect(metrics).toMatchObject({
        members: 46,
        dirty: { self: 1, duplicate: 2, cycle: 0, placeholder: 1 },
        volume: (10n ** 30n + 13n).toString(),
        rewards: '7',
        last24h: { members: 46 },
      })
    })

    test('error: errors are problems of the contract', async () => {
      for (const [path, status, code] of [
        ['/communities/none/metrics', 404, 'community_not_found'],
        [`/communities/demo/members/${addressOf(5000)}`, 404, 'member_not_found'],
        ['/communities/demo/members/0x12', 400, 'invalid_address'],
        [`/communities/demo/members/${root}/referrals?cursor=x`, 400, 'invalid_cursor'],
        [`/communities/demo/members/${root}/referrals?level=x`, 400, 'invalid_parameter'],
        ['/none', 404, 'not_found'],
      ] as const) {
        const response = await indexer.request(path)
        expect(schemas.problem.parse(await response.json())).toMatchObject({ status, code })
        expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
      }
      expect((await indexer.request('/communities', { method: 'POST' })).status).toBe(405)
    })
  })

  describe('new blocks', () => {
    test('behavior: a new bind is served within seconds', async () => {
      const newcomer = addressOf(200)
      await chain.bind([newcomer, third])
      const start = performance.now()
      await poll(isMember(newcomer))
      expect(performance.now() - start).toBeLessThan(3_000)
      expect(await member(root)).toMatchObject({ maxLevel: 4 })
    })

    test('behavior: a reorg of a few blocks', async () => {
      const [stays, goes, moves] = [addressOf(300), addressOf(301), addressOf(302)] as const
      await chain.bind([stays, third])
      const fork = await chain.client.snapshot()
      await chain.bind([goes, third])
      await chain.bind([moves, third])
      await chain.addVolume([third, 1_000n])
      await poll(async () => (await member(third)).ownVolume === '1005')
      const before = await member(third)
      expect(before.directs).toBe(4)
      expect((await eventsOf(third)).slice(0, 4).map(([kind, address]) => [kind, address])).toEqual([
        ['volume', getAddress(third)],
        ['referral', getAddress(moves)],
        ['referral', getAddress(goes)],
        ['referral', getAddress(stays)],
      ])

      await chain.client.revert({ id: fork })
      await chain.bind([moves, first])
      for (let index = 0; index < 3; index++) await chain.bind([addressOf(303 + index), first])
      await poll(isMember(addressOf(305)))
      await poll(async () => !(await isMember(goes)()))
      expect(await member(moves)).toMatchObject({ referrer: getAddress(first) })
      expect(await member(stays)).toMatchObject({ referrer: getAddress(third) })
      expect(await member(third)).toMatchObject({ directs: 2, ownVolume: '5' })
      expect((await get<Metrics>(schemas.metrics, '/communities/demo/metrics')).dirty.duplicate).toBe(2)
      // Exactly the events of the new branch, in pages and as CSV.
      expect(await eventsOf(third)).toEqual([
        ['referral', getAddress(stays), 'bound', null],
        ['referral', getAddress(addressOf(200)), 'bound', null],
        ['volume', getAddress(third), null, '5'],
        ['referral', getAddress(root), 'duplicate', null],
        ['bind', getAddress(third), 'bound', null],
      ])
      expect(await eventsOf(moves)).toEqual([['bind', getAddress(moves), 'bound', null]])
      const csv = await indexer.request(`/communities/demo/members/${third}/events.csv?kind=referral`)
      const rows = (await csv.text()).trim().split('\r\n').slice(1)
      expect(rows.map((row) => row.split(',')[2])).toEqual([stays, addressOf(200), root].map((one) => getAddress(one)))
    })

    test('behavior: after a kill and a restart it serves the same, and what was mined in between', async () => {
      const answers = () =>
        Promise.all([root, first, placeholder].map(async (address) => ({ ...(await member(address)), asOf: null })))
      const before = await answers()
      await indexer.kill('SIGKILL')
      const newcomer = addressOf(400)
      await chain.bind([newcomer, other])

      indexer = await boot()
      await indexer.untilReady()
      expect(await answers()).toEqual(before)
      expect(await isMember(newcomer)()).toBe(true)
      // Ponder would wait 25 seconds for its own lock.
      expect(indexer.output().includes('its lock is released')).toBe(kind === 'PGlite')
      expect(indexer.output()).not.toContain('Schema is locked by a different Ponder app')
    })

    test('behavior: after a restart without new blocks, and with rows that lack their revert notes, the first response is complete', async () => {
      const before = await member(root)
      await indexer.kill('SIGTERM')
      if (kind === 'PGlite') {
        const [{ schema } = { schema: '' }] = await database.query<{ schema: string }>(
          `select table_schema as schema from information_schema.tables where table_name = 'bind_event'`,
        )
        expect(
          await database.query(`delete from "${schema}"."${reorgTable('bind_event')}" returning block`),
        ).not.toEqual([])
      }
      indexer = await boot()
      await indexer.untilReady()
      expect(await member(root)).toEqual(before)
    })

    test('behavior: after a change of the configured arguments it indexes again', async () => {
      await indexer.kill('SIGTERM')
      const [demo, reversed] = config.communities
      const corrected = { ...reversed, member: 'referrer', referrer: 'member' }
      await writeFile(join(folder, 'config.json'), JSON.stringify({ communities: [demo, corrected] }))
      indexer = await boot()
      await indexer.untilReady()
      expect(await member(first, 'reversed')).toMatchObject({ referrer: getAddress(root) })
    })
  })

  test.runIf(kind === 'PostgreSQL')('behavior: a replica serves the same, and follows new blocks', async () => {
    const replica = await boot('serve')
    await replica.untilReady()
    const paths = [
      '/communities',
      ...[root, first, third, placeholder].flatMap((address) =>
        ['', '/levels', '/referrals?level=all', '/referrers'].map(
          (rest) => `/communities/demo/members/${address}${rest}`,
        ),
      ),
      '/communities/demo/metrics',
      '/communities/reversed/metrics',
      `/communities/demo/search?q=${second.slice(0, 8)}`,
    ]
    const answersOf = (one: Indexer) => Promise.all(paths.map(async (path) => (await one.request(path)).json()))
    const newcomer = addressOf(500)
    await chain.bind([newcomer, third])
    await poll(async () => (await replica.request(`/communities/demo/members/${newcomer}`)).status === 200)
    await poll(isMember(newcomer))
    await expect.poll(() => answersOf(replica)).toEqual(await answersOf(indexer))
    await replica.kill('SIGTERM')
  })

  test.runIf(kind === 'PGlite')(
    'behavior: after a kill during the creation of its database it creates another',
    async () => {
      const empty = await databases.create()
      const unfinished = `${empty.env.LINEAGE_INDEX_DIR}.new`
      await mkdir(join(unfinished, 'base'), { recursive: true })
      await writeFile(join(unfinished, 'PG_VERSION'), '')
      const again = await startIndexer({ config: join(folder, 'config.json'), url: chain.url, database: empty })
      await again.untilReady()
      await again.kill('SIGTERM')
      expect(existsSync(unfinished)).toBe(false)
    },
  )

  test.runIf(kind === 'PGlite')(
    'behavior: after a kill during the creation of its tables it creates them anew',
    async () => {
      const database = await databases.create()
      const start = () => startIndexer({ config: join(folder, 'config.json'), url: chain.url, database })
      const killed = await start()
      await killed.untilReady()
      await killed.kill('SIGTERM')
      // The state after such a kill: Ponder creates tables one by one, and writes this row last.
      const [found] = await database.query<{ schema: string }>(
        `select table_schema as schema from information_schema.tables where table_name = '_ponder_meta'`,
      )
      await database.query(`delete from "${found?.schema}"._ponder_meta`)
      const again = await start()
      await again.untilReady()
      await again.kill('SIGTERM')
    },
  )

  test.runIf(kind === 'PGlite')('error: a replica of an embedded database is refused', async () => {
    const refused = await boot('serve')
    expect(await refused.exitCode()).toBe(1)
    expect(refused.output()).toContain('A replica needs DATABASE_URL')
  })

  test.runIf(kind === 'PGlite')('error: a second indexer on the same directory is refused', async () => {
    const refused = await boot()
    expect(await refused.exitCode()).toBe(75)
    expect(refused.output()).toContain('Another indexer')
    expect(await isMember(first)()).toBe(true)
  })

  test('error: a wrong configuration is refused with the field', async () => {
    const path = join(folder, 'wrong.json')
    await writeFile(path, JSON.stringify({ communities: [{ ...config.communities[0], member: 'user' }] }))
    const refused = await startIndexer({ config: path, url: chain.url, database: { env: {} } })
    expect(await refused.exitCode()).toBe(1)
    expect(refused.output()).toContain(
      'communities[0].member: there is no argument "user": Bound has member, referrer (community "demo")',
    )
  })
}
