import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { labelLimit } from '@lineage/referral-api/labels'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Postgres, startPostgres } from '../../test/postgres.ts'
import { closedPort } from '../../test/upstream.ts'
import { checkDatabase } from '../database/checkDatabase.ts'
import type { AccountsLocation } from '../database/database.ts'
import { openDatabase } from '../database/openDatabase.ts'
import { restoreBackup, saveBackup } from './backup.ts'
import { LabelLimitError } from './labelStore.ts'
import { DatabaseBusyError, openAccounts } from './openAccounts.ts'

const minute = 60_000
const session = {
  id: 'a1',
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' as const,
  chainId: 56,
  expiresAt: Date.now() + minute,
}

const [mine, other] = [session.address, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const]
const addressOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}` as const
const label = (index: number, updatedAt = 100, text = `No. ${index}`) => ({
  address: addressOf(index),
  text,
  watched: false,
  updatedAt,
})

/** Returns the content of all files in a folder. */
function readFolder(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files
    .map(({ parentPath, name }) => {
      try {
        return readFileSync(join(parentPath, name), 'latin1')
      } catch {
        // The file was deleted meanwhile.
        return ''
      }
    })
    .join('')
}

/** Defines the tests that run with either kind of database. */
function tests(getLocation: () => AccountsLocation) {
  test('keeps a session until it is deleted', async () => {
    const accounts = openAccounts(getLocation())
    await accounts.saveSession(session)
    expect(await accounts.findSession('a1')).toEqual(session)
    expect(await accounts.findSession("' or true --")).toBeUndefined()
    await accounts.deleteSession('a1')
    expect(await accounts.findSession('a1')).toBeUndefined()
    await accounts.close()
  })

  test('behavior: of simultaneous calls exactly one uses a nonce', async () => {
    const accounts = openAccounts(getLocation())
    const uses = await Promise.all(Array.from({ length: 20 }, () => accounts.useNonce('racing', Date.now() + minute)))
    expect(uses.filter(Boolean)).toHaveLength(1)
    await accounts.close()
  })

  test('attack: a used nonce cannot be used again after the clock is set back', async () => {
    const accounts = openAccounts(getLocation())
    const now = Date.now()
    const clock = vi.spyOn(Date, 'now')
    expect(await accounts.useNonce('early', now + minute)).toBe(true)
    clock.mockReturnValue(now + 60 * minute)
    expect(await accounts.useNonce('later', now + 61 * minute)).toBe(true)
    clock.mockReturnValue(now)
    expect([await accounts.useNonce('early', now + minute), await accounts.useNonce('new', now + minute)]).toEqual([
      false,
      true,
    ])
    clock.mockRestore()
    await accounts.close()
  })

  test('behavior: labels of an account are listed last changed first', async () => {
    const { labels, close } = openAccounts(getLocation())
    await labels.save(mine, label(1, 100))
    await labels.save(mine, { ...label(2, 200, '’); drop table x; --'), watched: true })
    await labels.save(other, label(1, 300, 'of the other'))
    expect(await labels.list(mine)).toEqual([
      { ...label(2, 200, '’); drop table x; --'), watched: true },
      label(1, 100),
    ])
    await labels.save(mine, label(1, 50, 'again'))
    expect(await labels.find(mine, addressOf(1))).toEqual(label(1, 50, 'again'))
    await labels.remove(mine, addressOf(1))
    expect(await labels.find(mine, addressOf(1))).toBeUndefined()
    await labels.removeAll(mine)
    expect([await labels.list(mine), await labels.list(other)]).toEqual([[], [label(1, 300, 'of the other')]])
    await labels.removeAll(other)
    await close()
  })

  test('behavior: merging keeps the newer label and can be repeated', async () => {
    const { labels, close } = openAccounts(getLocation())
    await labels.merge(mine, [label(1, 100, 'old'), label(2, 100, 'kept')])
    const added = [label(1, 200, 'new'), label(2, 100, 'as old'), label(3, 1, 'more')]
    for (let time = 0; time < 2; time++) await labels.merge(mine, added)
    expect((await labels.list(mine)).map(({ text }) => text)).toEqual(['new', 'kept', 'more'])
    await labels.removeAll(mine)
    await close()
  })

  test('behavior: removing an account removes its labels and sessions, and nothing of others', async () => {
    const { labels, saveSession, findSession, listSessions, removeAccount, close } = openAccounts(getLocation())
    for (const [account, id] of [
      [mine, 'r1'],
      [mine, 'r2'],
      [other, 'r3'],
    ] as const) {
      await labels.save(account, label(1))
      await saveSession({ ...session, address: account, id, expiresAt: Date.now() + minute })
    }
    expect((await listSessions(mine)).map(({ id }) => id).toSorted()).toEqual(['r1', 'r2'])
    await removeAccount(mine)
    expect([await labels.list(mine), await listSessions(mine), await findSession('r1')]).toEqual([[], [], undefined])
    expect([await labels.list(other), await findSession('r3')]).toMatchObject([[label(1)], { address: other }])
    await removeAccount(other)
    await close()
  })

  test('error: beyond the limit nothing is changed, also by simultaneous calls', async () => {
    const { labels, close } = openAccounts(getLocation())
    await labels.merge(
      mine,
      Array.from({ length: labelLimit - 1 }, (_, index) => label(index)),
    )
    const saves = [1, 2, 3, 4].map((more) => labels.save(mine, label(labelLimit + more)))
    const rejected = (await Promise.allSettled(saves)).filter(({ status }) => status === 'rejected')
    expect(rejected.map((one) => Object(one).reason.name)).toEqual(Array(3).fill('LabelLimitError'))
    await expect(labels.merge(mine, [label(0, 900, 'newer'), label(9_999)])).rejects.toThrow(LabelLimitError)
    expect(await labels.find(mine, addressOf(0))).toEqual(label(0))
    // An existing label can still be changed.
    await labels.save(mine, label(0, 901, 'changed'))
    expect(await labels.list(mine)).toHaveLength(labelLimit)
    await labels.removeAll(mine)
    await close()
  })
}

describe('embedded', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lineage-accounts-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  tests(() => ({ kind: 'embedded', directory: null }))

  test('behavior: sessions and nonces survive a restart', async () => {
    const location = { kind: 'embedded', directory: join(directory, 'accounts') } as const
    const before = openAccounts(location)
    await before.saveSession(session)
    await before.useNonce('once', Date.now() + minute)
    await before.close()
    const after = openAccounts(location)
    expect(await after.findSession('a1')).toEqual(session)
    expect(await after.useNonce('once', Date.now() + minute)).toBe(false)
    await after.close()
  })

  test('behavior: the row of a deleted label is gone, also after a restart', async () => {
    const location = { kind: 'embedded', directory: join(directory, 'labels') } as const
    const before = openAccounts(location)
    await before.labels.merge(mine, [label(1), label(2), label(3)])
    await before.labels.remove(mine, addressOf(1))
    await before.close()
    const after = openAccounts(location)
    expect((await after.labels.list(mine)).map(({ address }) => address)).toEqual([addressOf(2), addressOf(3)])
    await after.labels.removeAll(mine)
    await after.close()
    const database = await openDatabase(location)
    expect(await database.query('select * from lineage_accounts.labels', [])).toEqual([])
    await database.close()
  })

  test('attack: the text of a deleted label is in no file, and the folder stays small', async () => {
    const location = { kind: 'embedded', directory: join(directory, 'erased') } as const
    const { labels, close } = openAccounts(location, { eraseAfter: 1 })
    for (let round = 0; round < 20; round++)
      await labels.merge(
        mine,
        Array.from({ length: labelLimit }, (_, index) => label(index, 100 + round, `Kept ${round}`)),
      )
    await labels.save(mine, label(1, 900, 'Private-words-of-a-label'))
    const isReadable = (text: string) => readFolder(location.directory).includes(text)
    expect(isReadable('Private-words-of-a-label')).toBe(true)
    await labels.remove(mine, addressOf(1))
    await expect.poll(() => isReadable('Private-words-of-a-label'), { timeout: 20_000, interval: 200 }).toBe(false)
    expect(readFolder(location.directory).length / 1e6).toBeLessThan(50)
    await labels.save(mine, label(2, 900, 'More-private-words'))
    await labels.remove(mine, addressOf(2))
    await close()
    expect(isReadable('More-private-words')).toBe(false)
  })

  test('attack: many large merges leave the thread that answers free, and those beyond the queue are refused', async () => {
    const { labels, findSession, close } = openAccounts({ kind: 'embedded', directory: null })
    await findSession('')
    const many = Array.from({ length: labelLimit }, (_, index) => label(index))
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const merges = await Promise.allSettled(
      Array.from({ length: 120 }, (_, index) => labels.merge(addressOf(index), index < 20 ? many : [label(1)])),
    )
    delay.disable()
    const refused = merges.filter((one) => one.status === 'rejected').map(({ reason }) => reason)
    expect(refused).toHaveLength(20)
    for (const error of refused) expect(error).toBeInstanceOf(DatabaseBusyError)
    expect(delay.percentile(99) / 1e6).toBeLessThan(100)
    expect(await labels.list(addressOf(0))).toHaveLength(labelLimit)
    await close()
  })

  test('behavior: room of deleted rows is used again', async () => {
    const database = await openDatabase({ kind: 'embedded', directory: null })
    await database.run(
      `create table many (text text); insert into many select repeat('x', 1000) from generate_series(1, 1000);`,
    )
    await database.query('delete from many', [])
    const size = async () => (await database.query(`select pg_relation_size('many') as size`, []))[0]?.size
    expect(await size()).toBeGreaterThan(1_000_000)
    for (let statement = 0; statement < 5_000; statement++) await database.query('select 1', [])
    await expect.poll(size, { timeout: 10_000 }).toBe(0)
    await database.close()
  })

  test('error: an embedded database that has ended is opened again', async () => {
    const database = await openDatabase({ kind: 'embedded', directory: null })
    await database.close()
    expect(database.isOpen()).toBe(false)
    await expect(database.query('select 1', [])).rejects.toThrow('The embedded database has ended.')
  })

  test('checkDatabase: a server that does not answer may answer later', async () => {
    const found = await checkDatabase(`postgres://me:s3cret@127.0.0.1:${closedPort}/none`)
    expect(found).toEqual({ status: 'silent', message: `connect ECONNREFUSED 127.0.0.1:${closedPort}` })
  })

  test('error: a folder with other files, and a file in its place, are refused and kept', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'lineage-other-'))
    const file = join(directory, 'notes')
    writeFileSync(file, 'precious')
    for (const place of [directory, file])
      await expect(openDatabase({ kind: 'embedded', directory: place })).rejects.toThrow(
        `${place} holds something else. Set LINEAGE_ACCOUNTS_DIR to a folder of its own`,
      )
    expect(readdirSync(directory)).toEqual(['notes'])
    rmSync(directory, { recursive: true })
  })

  test('error: a database that cannot be opened is retried', async () => {
    const accounts = openAccounts({ kind: 'postgres', url: `postgres://127.0.0.1:${closedPort}/none` })
    await expect(accounts.findSession('a1')).rejects.toThrow()
    await expect(accounts.findSession('a1')).rejects.toThrow()
    await accounts.close()
  })
})

describe('PostgreSQL', () => {
  let postgres: Postgres
  let url = ''
  let directory = ''

  beforeAll(async () => {
    postgres = await startPostgres()
    url = postgres.url
    directory = postgres.directory
  }, 60_000)
  afterAll(() => postgres.stop())

  tests(() => ({ kind: 'postgres', url }))

  test('behavior: a backup of the embedded database is restored to PostgreSQL, and one of PostgreSQL to it', async () => {
    const files = [join(directory, 'one.backup'), join(directory, 'two.backup')] as const
    const embedded = { kind: 'embedded', directory: join(directory, 'embedded') } as const
    const server = { kind: 'postgres', url } as const
    const before = openAccounts(embedded)
    await before.labels.merge(mine, [label(1), label(2)])
    await before.useNonce('backed-up', Date.now() + minute)
    await before.close()
    await saveBackup(embedded, files[0])
    const running = openAccounts(server)
    await running.labels.save(mine, label(3))
    await restoreBackup(server, files[0])
    expect(await running.labels.list(mine)).toEqual([label(1), label(2), label(3)])
    expect(await running.useNonce('backed-up', Date.now() + minute)).toBe(false)
    // The backup is made while the server is running.
    expect(await saveBackup(server, files[1])).toMatchObject({ label: 3 })
    await running.labels.removeAll(mine)
    await running.close()
    await restoreBackup(embedded, files[1])
    const after = openAccounts(embedded)
    expect(await after.labels.list(mine)).toHaveLength(3)
    await after.close()
  })

  test('behavior: the connection is lost during a transaction: it fails, and the next one works', async () => {
    const database = await openDatabase({ kind: 'postgres', url })
    const lost = database.transaction(async (query) => {
      const [row] = await query('select pg_backend_pid() as pid', [])
      await database.query('select pg_terminate_backend($1::integer)', [Number(row?.pid)])
      await query('select 1', [])
    })
    await expect(lost).rejects.toThrow(/terminat|connection/)
    let answer: unknown
    await database.transaction(async (query) => {
      answer = await query('select 1 as one', [])
    })
    expect(answer).toEqual([{ one: 1 }])
    await database.close()
  })

  test('checkDatabase: tells in PostgreSQL’s words what is wrong', async () => {
    const owner = await openDatabase({ kind: 'postgres', url })
    await owner.run(`create role reader login; create role guarded login password 'right-word'`)
    const as = (user: string) => url.replace('lineage@', `${user}@`)
    expect(await checkDatabase(url)).toEqual({ status: 'usable' })
    expect(await checkDatabase(as('reader'))).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('permission denied for database postgres: user reader may not create schemas'),
    })
    expect(await checkDatabase(as('stranger'))).toEqual({
      status: 'refused',
      message: 'role "stranger" does not exist',
    })
    expect(await checkDatabase(url.replace('/postgres', '/missing'))).toEqual({
      status: 'refused',
      message: 'database "missing" does not exist',
    })
    postgres.setRules('host all guarded all scram-sha-256\nhost all all all trust\n')
    await owner.run('select pg_reload_conf()')
    await expect
      .poll(() => checkDatabase(as('guarded:wrong-word')))
      .toEqual({ status: 'refused', message: 'password authentication failed for user "guarded"' })
    await owner.close()
  })

  test('behavior: of two servers exactly one uses a nonce; both find the session', async () => {
    const [one, two] = [openAccounts({ kind: 'postgres', url }), openAccounts({ kind: 'postgres', url })]
    for (let round = 0; round < 20; round++) {
      const uses = await Promise.all([one, two].map((it) => it.useNonce(`round${round}`, Date.now() + minute)))
      expect(uses.filter(Boolean)).toHaveLength(1)
    }
    await one.saveSession({ ...session, id: 'b2' })
    expect(await two.findSession('b2')).toMatchObject({ address: session.address })
    await two.deleteSession('b2')
    expect(await one.findSession('b2')).toBeUndefined()
    await Promise.all([one.close(), two.close()])
  })
})
