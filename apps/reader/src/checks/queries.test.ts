import { randomUUID } from 'node:crypto'
import { type Community, parseConfig } from '@lineage/communities'
import { createIndexTables, indexSchema, openPool } from '@lineage/database'
import { startTestPostgres, type TestPostgres } from '@lineage/database/testing'
import { type Address, getAddress, numberToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { addressOf, testAmounts, testCommunity } from '../../test/community.ts'
import type { Source } from '../follow.ts'
import { createTables } from '../tables.ts'
import { createSpotChecks } from './createSpotChecks.ts'
import { createCheckQueries } from './queries.ts'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startTestPostgres()
})
afterAll(() => postgres.stop())

/** Checks members of a community with these binds, a block each, against the referrers of its contract. */
async function check(rebind: 'first' | 'last', binds: [number, number][], parents: Record<number, number>) {
  const pool = openPool({ url: await postgres.createDatabase() })
  onTestFinished(() => pool.end())
  await createIndexTables(pool)
  const tables = createTables(pool, randomUUID())
  const view = 'function referrerOf(address member) view returns (address)'
  const community = parseConfig({ communities: [testCommunity({ rebind, parent: view })] }).communities[0] as Community
  const row = await tables.openSource(community)
  await tables.takeSource(row.id)
  const rows = binds.map(([member, other], index) => ({
    ...{ block: index + 1, logIndex: 0, kind: 0, time: index, blockHash: numberToHex(index, { size: 32 }) },
    ...{ tx: numberToHex(index, { size: 32 }), txIndex: 0, member: addressOf(member), other: addressOf(other) },
    ...{ amount: null, raw: null, asked: null },
  }))
  await tables.write([
    { ...{ id: row.id, rows, tip: { number: binds.length, time: 0 } }, ...{ finalized: 0, state: 'live' as const } },
  ])
  const answers = new Map(
    Object.entries(parents).map(([member, other]) => [addressOf(Number(member)), addressOf(other)]),
  )
  const checks = createSpotChecks({
    queries: createCheckQueries(pool),
    readParent: async (_, member: Address) => answers.get(member) ?? zeroAddress,
    hasCode: async () => true,
    findDeployment: async () => undefined,
    log: () => undefined,
  })
  await checks.checkNew([{ community, row: { ...row, block: binds.length } } as Source])
  return checks.spotChecks()
}

test('behavior: a bind that closes a loop counts for nothing, as in the contract', async () => {
  const binds: [number, number][] = [
    [2, 1],
    [3, 2],
    [1, 3],
    [4, 1],
  ]
  const parents = { 2: 1, 3: 2, 4: 1 }
  for (const rebind of ['first', 'last'] as const)
    expect(await check(rebind, binds, parents)).toMatchObject([{ checked: 4, differing: 0 }])
})

test('behavior: a member differs whose referrer the contract does not have, below a loop too', async () => {
  const binds: [number, number][] = [
    [2, 1],
    [1, 2],
    [3, 2],
  ]
  expect(await check('first', binds, { 2: 1 })).toMatchObject([
    { differing: 1, example: { address: getAddress(addressOf(3)), referrer: getAddress(addressOf(2)) } },
  ])
})

test('behavior: kinds that a community does not have are not looked for among all events', async () => {
  const pool = openPool({ url: await postgres.createDatabase() })
  onTestFinished(() => pool.end())
  await createIndexTables(pool)
  const list = async (changes: Parameters<typeof testCommunity>[0], unreadable: number) => {
    const community = parseConfig({ communities: [testCommunity(changes)] }).communities[0] as Community
    const row = await createTables(pool, randomUUID()).openSource(community)
    await pool.query(
      `insert into ${indexSchema}.event (source, block, log_index, kind, time, block_hash, tx_index, member)
        select $1, i, 0, 0, i, '', 0, decode(md5(i::text), 'hex') from generate_series(1, 9000) i on conflict do nothing`,
      [row.id],
    )
    await pool.query(`analyze ${indexSchema}.event_${row.id}`)
    const read: number[] = []
    const { listKinds } = createCheckQueries({
      async query(text: string, values: unknown[]) {
        const { rows } = await pool.query(`explain (analyze, buffers, format json) ${text}`, values)
        const { Plan: plan } = rows[0]['QUERY PLAN'][0]
        read.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])
        return pool.query(text, values)
      },
    } as never)
    const kinds = await listKinds({ community, row: { ...row, unreadable } } as Source)
    return { kinds, reads: (read[0] ?? 0) < 30 ? 'few' : 'all' }
  }
  expect(await list({}, 0)).toEqual({ kinds: ['bind'], reads: 'few' })
  expect(await list(testAmounts, 0)).toEqual({ kinds: ['bind'], reads: 'few' })
  expect(await list({}, 1)).toEqual({ kinds: ['bind'], reads: 'few' })
  const community = parseConfig({ communities: [testCommunity(testAmounts)] }).communities[0] as Community
  const { id } = await createTables(pool, randomUUID()).openSource(community)
  await pool.query(`update ${indexSchema}.event set kind = 1 where source = $1 and block = 9`, [id])
  expect((await list(testAmounts, 1)).kinds).toEqual(['bind', 'reward'])
})
