import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { labelLimit } from '@lineage/referral-api/labels'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../test/upstream.ts'
import { type AccountsPlace, openDatabase } from './database.ts'
import { LabelLimitError } from './keepLabels.ts'
import { openAccounts } from './openAccounts.ts'

// A busy machine takes its time to open a database, and to close it.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

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

/** What holds wherever accounts are kept. */
function tests(getPlace: () => AccountsPlace) {
  test('keeps a session until it is deleted', async () => {
    const accounts = openAccounts(getPlace())
    await accounts.saveSession(session)
    expect(await accounts.findSession('a1')).toEqual(session)
    expect(await accounts.findSession("' or true --")).toBeUndefined()
    await accounts.deleteSession('a1')
    expect(await accounts.findSession('a1')).toBeUndefined()
    await accounts.close()
  })

  test('behavior: of many at once exactly one uses a nonce', async () => {
    const accounts = openAccounts(getPlace())
    const uses = await Promise.all(Array.from({ length: 20 }, () => accounts.useNonce('racing', Date.now() + minute)))
    expect(uses.filter(Boolean)).toHaveLength(1)
    await accounts.close()
  })

  test('behavior: labels are of one account, the last changed first', async () => {
    const { labels, close } = openAccounts(getPlace())
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

  test('behavior: merged labels: the newer one stays, once or twice', async () => {
    const { labels, close } = openAccounts(getPlace())
    await labels.merge(mine, [label(1, 100, 'old'), label(2, 100, 'kept')])
    const added = [label(1, 200, 'new'), label(2, 100, 'as old'), label(3, 1, 'more')]
    for (let time = 0; time < 2; time++) await labels.merge(mine, added)
    expect((await labels.list(mine)).map(({ text }) => text)).toEqual(['new', 'kept', 'more'])
    await labels.removeAll(mine)
    await close()
  })

  test('error: beyond the limit nothing is changed, however many come at once', async () => {
    const { labels, close } = openAccounts(getPlace())
    await labels.merge(
      mine,
      Array.from({ length: labelLimit - 1 }, (_, index) => label(index)),
    )
    const saves = [1, 2, 3, 4].map((more) => labels.save(mine, label(labelLimit + more)))
    const rejected = (await Promise.allSettled(saves)).filter(({ status }) => status === 'rejected')
    expect(rejected.map((one) => Object(one).reason.name)).toEqual(Array(3).fill('LabelLimitError'))
    await expect(labels.merge(mine, [label(0, 900, 'newer'), label(9_999)])).rejects.toThrow(LabelLimitError)
    expect(await labels.find(mine, addressOf(0))).toEqual(label(0))
    // What is there may be changed.
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

  test('behavior: outlives a restart', async () => {
    const place = { kind: 'embedded', directory: join(directory, 'accounts') } as const
    const before = openAccounts(place)
    await before.saveSession(session)
    await before.useNonce('once', Date.now() + minute)
    await before.close()
    const after = openAccounts(place)
    expect(await after.findSession('a1')).toEqual(session)
    expect(await after.useNonce('once', Date.now() + minute)).toBe(false)
    await after.close()
  })

  test('behavior: of a deleted label not even the row is left, after a restart too', async () => {
    const place = { kind: 'embedded', directory: join(directory, 'labels') } as const
    const before = openAccounts(place)
    await before.labels.merge(mine, [label(1), label(2), label(3)])
    await before.labels.remove(mine, addressOf(1))
    await before.close()
    const after = openAccounts(place)
    expect((await after.labels.list(mine)).map(({ address }) => address)).toEqual([addressOf(2), addressOf(3)])
    await after.labels.removeAll(mine)
    await after.close()
    const database = await openDatabase(place)
    expect(await database.query('select * from lineage_accounts.labels', [])).toEqual([])
    await database.close()
  })

  test('error: a place that cannot be opened is tried again', async () => {
    const accounts = openAccounts({ kind: 'postgres', url: `postgres://127.0.0.1:${await freePort()}/none` })
    await expect(accounts.findSession('a1')).rejects.toThrow()
    await expect(accounts.findSession('a1')).rejects.toThrow()
    await accounts.close()
  })
})

const binaries = '/usr/lib/postgresql/15/bin'
// It refuses to run as root.
const isRoot = process.getuid?.() === 0
const hasPostgres =
  existsSync(join(binaries, 'initdb')) && (!isRoot || spawnSync('id', ['-u', 'postgres']).status === 0)

describe.skipIf(!hasPostgres)(`PostgreSQL, with the binaries of ${binaries}`, () => {
  const directory = mkdtempSync(join(tmpdir(), 'lineage-postgres-'))
  const owner = isRoot ? Number(execFileSync('id', ['-u', 'postgres'])) : undefined
  const as = owner === undefined ? {} : { uid: owner, gid: Number(execFileSync('id', ['-g', 'postgres'])) }
  let server: ReturnType<typeof spawn>
  let url = ''

  beforeAll(async () => {
    if (as.uid !== undefined && as.gid !== undefined) chownSync(directory, as.uid, as.gid)
    const data = join(directory, 'data')
    execFileSync(join(binaries, 'initdb'), ['-D', data, '-U', 'lineage', '-A', 'trust', '--no-sync'], {
      ...as,
      cwd: directory,
      stdio: 'pipe',
    })
    const port = await freePort()
    url = `postgres://lineage@127.0.0.1:${port}/postgres`
    const settings = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', directory, '-F']
    server = spawn(join(binaries, 'postgres'), settings, { ...as, cwd: directory, stdio: 'ignore' })
    const accounts = openAccounts({ kind: 'postgres', url })
    await vi.waitFor(() => accounts.findSession('none'), { timeout: 20_000, interval: 100 })
    await accounts.close()
  }, 40_000)
  afterAll(async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGINT')
    await ended
    rmSync(directory, { recursive: true, force: true })
  })

  tests(() => ({ kind: 'postgres', url }))

  test('behavior: of two servers exactly one uses a nonce; both know the session', async () => {
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
