import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openPool, runTransaction } from '@lineage/database'
import { startTestPostgres } from '@lineage/database/testing'
import { labelLimit } from '@lineage/referral-api/labels'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDatabase } from '../../test/serve.ts'
import { LabelLimitError } from './labelStore.ts'
import { type Accounts, createTables, DatabaseBusyError, openAccounts } from './openAccounts.ts'

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

let url = ''
let accounts: Accounts

beforeAll(async () => {
  url = await createDatabase()
  accounts = openAccounts(url)
})
afterAll(async () => {
  await accounts.close()
})

test('keeps a session until it is deleted', async () => {
  await accounts.saveSession(session)
  expect(await accounts.findSession('a1')).toEqual(session)
  expect(await accounts.findSession("' or true --")).toBeUndefined()
  await accounts.deleteSession('a1')
  expect(await accounts.findSession('a1')).toBeUndefined()
})

test('behavior: of simultaneous calls exactly one uses a nonce', async () => {
  const uses = await Promise.all(Array.from({ length: 20 }, () => accounts.useNonce('racing', Date.now() + minute)))
  expect(uses.filter(Boolean)).toHaveLength(1)
})

test('attack: a used nonce cannot be used again after the clock is set back', async () => {
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
})

test('behavior: labels of an account are listed last changed first', async () => {
  const { labels } = accounts
  await labels.save(mine, label(1, 100))
  await labels.save(mine, { ...label(2, 200, '’); drop table x; --'), watched: true })
  await labels.save(other, label(1, 300, 'of the other'))
  expect(await labels.list(mine)).toEqual([{ ...label(2, 200, '’); drop table x; --'), watched: true }, label(1, 100)])
  await labels.save(mine, label(1, 50, 'again'))
  expect(await labels.find(mine, addressOf(1))).toEqual(label(1, 50, 'again'))
  await labels.remove(mine, addressOf(1))
  expect(await labels.find(mine, addressOf(1))).toBeUndefined()
  await labels.removeAll(mine)
  expect([await labels.list(mine), await labels.list(other)]).toEqual([[], [label(1, 300, 'of the other')]])
  await labels.removeAll(other)
})

test('behavior: merging keeps the newer label and can be repeated', async () => {
  const { labels } = accounts
  await labels.merge(mine, [label(1, 100, 'old'), label(2, 100, 'kept')])
  const added = [label(1, 200, 'new'), label(2, 100, 'as old'), label(3, 1, 'more')]
  for (let time = 0; time < 2; time++) await labels.merge(mine, added)
  expect((await labels.list(mine)).map(({ text }) => text)).toEqual(['new', 'kept', 'more'])
  await labels.removeAll(mine)
})

test('behavior: removing an account removes its labels and sessions, and nothing of others', async () => {
  const { labels, saveSession, findSession, listSessions, removeAccount } = accounts
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
})

test('error: beyond the limit nothing is changed, also by simultaneous calls', async () => {
  const { labels, getHealth } = accounts
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
  await expect(labels.save(mine, label(9_999))).rejects.toThrow(LabelLimitError)
  expect(getHealth()).toEqual({ status: 'working' })
  await labels.removeAll(mine)
})

test('attack: many large merges leave the thread that answers free, and those beyond the queue are refused', async () => {
  const { labels, close } = openAccounts(url)
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
  expect(delay.percentile(99) / 1e6).toBeLessThan(5_000)
  expect(await labels.list(addressOf(0))).toHaveLength(labelLimit)
  await close()
})

test('behavior: of two servers exactly one uses a nonce; both find the session', async () => {
  const [one, two] = [openAccounts(url), openAccounts(url)]
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

test('behavior: several servers create the tables of an empty database at once', async () => {
  const empty = await createDatabase()
  const servers = Array.from({ length: 4 }, () => openAccounts(empty))
  expect(await Promise.all(servers.map(({ findSession }) => findSession('a1')))).toEqual(Array(4).fill(undefined))
  await Promise.all(servers.map(({ close }) => close()))
})

test('behavior: a server that starts does not wait for a transaction that has changed accounts', async () => {
  await accounts.findSession('a1')
  const [admin, starting] = [openPool({ url }), openAccounts(url)]
  await runTransaction(admin, async (client) => {
    const { rows } = await client.query(`select tablename from pg_tables where schemaname = 'lineage_accounts'`)
    expect(rows.length).toBeGreaterThan(9)
    for (const { tablename } of rows) await client.query(`lock table lineage_accounts.${tablename} in exclusive mode`)
    expect(await starting.findSession('a1')).toBeUndefined()
  })
  await Promise.all([admin.end(), starting.close()])
})

test('error: the health tells a read-only database without a write or a question, and one whose TLS cannot be used', async () => {
  const said: string[] = []
  for (const level of ['info', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line: string) => said.push(line))
  const own = await startTestPostgres()
  const { findSession, getHealth, close } = openAccounts(own.url)
  await findSession('a1')
  expect(getHealth()).toEqual({ status: 'working' })
  const admin = openPool({ url: own.url, max: 1 })
  await admin.query('alter system set default_transaction_read_only = on')
  await admin.query('select pg_reload_conf()')
  await expect.poll(() => said.at(-1)).toMatch(/^The accounts' database fails: the database is read-only/)
  expect(getHealth()).toMatchObject({ status: 'failing', fault: 'read_only' })
  await admin.query('set default_transaction_read_only = off')
  await admin.query('alter system reset default_transaction_read_only')
  await admin.query('select pg_reload_conf()')
  await admin.end()
  await expect.poll(() => said.at(-1)).toBe("The accounts' database works again.")
  expect(getHealth()).toEqual({ status: 'working' })
  await close()
  const untrusted = openAccounts(`${own.url}?sslmode=verify-full`)
  await expect(untrusted.findSession('a1')).rejects.toThrow('does not support SSL')
  expect(untrusted.getHealth()).toMatchObject({ status: 'failing', fault: 'untrusted' })
  await untrusted.close()
  await own.stop()
})

test('error: the database does not answer: calls fail, the health tells it, and the next call tries again', async () => {
  const said: string[] = []
  for (const level of ['info', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line: string) => said.push(line))
  const later = await startTestPostgres()
  const { findSession, useNonce, getHealth, close } = openAccounts(later.url)
  await later.restart(async () => {
    await expect(findSession('a1')).rejects.toThrow('ECONNREFUSED')
    expect(getHealth()).toMatchObject({ status: 'failing' })
  })
  expect(await useNonce('later', Date.now() + minute)).toBe(true)
  expect(getHealth()).toEqual({ status: 'working' })
  expect(said).toEqual(["The accounts' database works again."])
  await later.restart(async () => {
    await expect(findSession('a1')).rejects.toThrow()
    expect(said.at(-1)).toMatch(/^The accounts' database fails: .+\.$/)
  })
  await expect
    .poll(() =>
      findSession('a1').then(
        () => getHealth().status,
        () => 'failed',
      ),
    )
    .toBe('working')
  expect(said.at(-1)).toBe("The accounts' database works again.")
  expect(await useNonce('later', Date.now() + minute)).toBe(false)
  await close()
  await later.stop()
})

test('behavior: an index that an update adds may take longer than other statements', async () => {
  const url = await createDatabase()
  const admin = openPool({ url })
  await admin.query(createTables)
  await admin.query('drop index lineage_accounts.digest_events_by_end')
  await admin.query(
    `create function be_slow() returns event_trigger language plpgsql as 'begin perform pg_sleep(6); end';
    create event trigger slow on ddl_command_start when tag in ('CREATE INDEX') execute function be_slow()`,
  )
  const accounts = openAccounts(url)
  expect(await accounts.labels.list('0x1')).toEqual([])
  await Promise.all([accounts.close(), admin.end()])
})
