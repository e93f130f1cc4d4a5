import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../test/upstream.ts'
import type { AccountsPlace } from './database.ts'
import { openAccounts } from './openAccounts.ts'

// A busy machine takes its time to open a database.
vi.setConfig({ testTimeout: 30_000 })

const minute = 60_000
const session = {
  id: 'a1',
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' as const,
  chainId: 56,
  expiresAt: Date.now() + minute,
}

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
