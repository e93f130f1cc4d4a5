import { mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Communities, Metrics, Problem, Status } from '@lineage/referral-api'
import { type Address, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chain, startChain } from './chain.ts'
import { addressOf, testCommunity } from './community.ts'
import { type Database, type DatabaseKind, startDatabases } from './databases.ts'
import { type Indexer, startIndexer } from './indexer.ts'

const members = 300

describe.each<{ kind: DatabaseKind; damage: string }>([
  { kind: 'PGlite', damage: 'half of a file cut away' },
  { kind: 'PGlite', damage: 'rows lost' },
  { kind: 'PostgreSQL', damage: 'rows lost' },
])('$kind with $damage', ({ kind, damage }) => {
  let folder: string
  let chain: Chain
  let databases: Awaited<ReturnType<typeof startDatabases>>
  let database: Database
  let indexer: Indexer

  const boot = (role?: 'reread') =>
    startIndexer({ config: join(folder, 'config.json'), url: chain.url, database, ...(role && { role }) })
  const read = async <answer>(path: string) => (await (await indexer.request(path)).json()) as answer

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lineage-damage-'))
    const communities = [
      testCommunity(),
      testCommunity({ id: 'other', name: 'A contract without events', address: addressOf(9_999) }),
    ]
    await writeFile(join(folder, 'config.json'), JSON.stringify({ communities }))
    databases = await startDatabases(kind)
    database = await databases.create()
    chain = await startChain()
    await chain.bind([addressOf(0), zeroAddress])
    for (let first = 1; first < members; first += 50)
      await chain.bind(
        ...Array.from({ length: 50 }, (_, index): [Address, Address] => [addressOf(first + index), addressOf(0)]),
      )
    await chain.client.mine({ blocks: 40 })
    indexer = await boot()
    await indexer.untilReady()
  })

  afterAll(async () => {
    await indexer?.kill('SIGKILL')
    await chain?.stop()
    await databases?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function hasDigests(): Promise<boolean> {
    const found = await database.query<{ name: string }>(
      "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_name = 'lineage_digest'",
    )
    const [digest] = found[0] ? await database.query(`select 1 from ${found[0].name}`) : []
    return digest !== undefined
  }

  async function damageTables(): Promise<void> {
    const [{ path = '', schema = '' } = {}] = await database.query<{ path: string; schema: string }>(
      `select pg_relation_filepath(format('%I.bind_event', table_schema)) as path, table_schema as schema
        from information_schema.tables where table_name = 'bind_event'`,
    )
    if (damage === 'rows lost') {
      await database.query(`alter table "${schema}".bind_event disable trigger user`)
      await database.query(`delete from "${schema}".bind_event where log_index >= 25`)
      return
    }
    const file = join(database.env.LINEAGE_INDEX_DIR ?? '', path)
    const { size } = await stat(file)
    expect(size).toBeGreaterThan(4 * 8192)
    await truncate(file, Math.floor(size / 8192 / 2) * 8192)
  }

  /** Starts the indexer, and waits until it reports the damage. */
  async function expectDamage(): Promise<Status> {
    await indexer.kill('SIGKILL')
    indexer = await boot()
    const readStatus = () => read<Status>('/status').catch(() => undefined)
    const warning = { kind: 'tables_damaged', message: expect.stringContaining('start.ts reread') }
    await expect
      .poll(async () => (await readStatus())?.warnings, { timeout: 60_000 })
      .toEqual(expect.arrayContaining([expect.objectContaining(warning)]))
    expect(await read<Problem>('/communities/demo/metrics')).toMatchObject({ status: 503, code: 'indexing' })
    return read<Status>('/status')
  }

  test('behavior: a damaged community is not served, and reported with the fix, until the chain is read again', async () => {
    const before = await read<Metrics>('/communities/demo/metrics')
    expect(before.members).toBe(members + 1)
    // Digests are saved after the tables are served. The embedded database has one connection, the indexer's.
    if (kind === 'PostgreSQL') await expect.poll(hasDigests).toBe(true)
    await indexer.kill('SIGKILL')
    await damageTables()

    await expectDamage()
    if (damage === 'rows lost') {
      await indexer.untilReady()
      const { items } = await read<Communities>('/communities')
      expect(items.map(({ id, status }) => [id, status])).toEqual([
        ['demo', 'indexing'],
        ['other', 'ready'],
      ])
      expect(indexer.output()).toContain(`rows of ${members + 1}, so a part of them was lost`)
    }
    // The digests of the damaged rows do not replace the saved ones.
    await expectDamage()

    await indexer.kill('SIGTERM')
    indexer = await boot('reread')
    await indexer.untilReady()
    expect({ ...(await read<Metrics>('/communities/demo/metrics')), asOf: before.asOf }).toEqual(before)
    expect((await read<Status>('/status')).warnings.map(({ kind }) => kind)).not.toContain('tables_damaged')
  })
})
