import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../scripts/vitest/freePort.ts'
import { checkDatabase, findUnfit, findUrlFault, withVerifiedTls } from './checkDatabase.ts'
import { openPool } from './openPool.ts'
import { startTestPostgres, type TestPostgres } from './testing.ts'

const schemas = ['lineage_1', 'lineage_accounts']
let postgres: TestPostgres

beforeAll(async () => {
  postgres = await startTestPostgres()
  const pool = openPool({ url: postgres.url })
  await pool.query(
    `create role reader login; create role pooled superuser login; create role guarded login password 'right-word'`,
  )
  await pool.end()
  await postgres.setRules(
    'host all lineage all scram-sha-256\nhost all guarded all scram-sha-256\nhost all all all trust\n',
  )
})
afterAll(() => postgres.stop())

const as = (user: string) => postgres.url.replace(/\/\/.*@/, `//${user}@`)

test('behavior: a server that accepts its user', async () => {
  expect(await checkDatabase(postgres.url, schemas)).toEqual({ status: 'usable' })
})

test('error: a server that does not answer may answer later', async () => {
  const port = await freePort()
  const found = await checkDatabase(`postgres://me:s3cret@127.0.0.1:${port}/none`, schemas)
  expect(found).toEqual({
    status: 'silent',
    message: `no database listens at its address: connect ECONNREFUSED 127.0.0.1:${port}`,
  })
})

test('error: a socket that does not exist yet may exist later', async () => {
  expect(await checkDatabase('postgres://me@/none?host=/nowhere', schemas)).toMatchObject({ status: 'silent' })
})

test.each([
  ['rights', () => as('reader'), /permission denied for database postgres: user reader may not create schemas/],
  ['user', () => as('stranger'), 'DATABASE_URL cannot be used. PostgreSQL says: role "stranger" does not exist.'],
  ['name', () => postgres.url.replace(/postgres$/, 'missing'), /says: database "missing" does not exist.$/],
  ['password', () => as('guarded:wrong-word'), /says: password authentication failed for user "guarded".$/],
  ['file', () => `${postgres.url}?sslrootcert=/nowhere.pem`, /^DATABASE_URL cannot be used. ENOENT.*nowhere.pem'.$/],
])('error: tells what is wrong with the %s', async (_, url, message) => {
  await expect
    .poll(() => checkDatabase(url(), schemas))
    .toEqual({ status: 'refused', message: expect.stringMatching(message as RegExp) })
})

test.each([
  ['13.22 (Debian)', 'It is PostgreSQL 13.22 (Debian), and 14 or newer is needed'],
  ['14.0', undefined],
  ['18beta1', undefined],
])('version %s: %s', (version, expected) => {
  expect(
    findUnfit({ user: 'me', database: 'one', may: true, missing: [], closed: [], encoding: 'UTF8', version }),
  ).toBe(expected)
})

test('behavior: schemas that exist need no right to create schemas, but those to use and fill them', async () => {
  const url = await postgres.createDatabase()
  const admin = openPool({ url })
  await admin.query('create schema lineage_1; create schema lineage_accounts')
  const check = () => checkDatabase(url.replace(/\/\/.*@/, '//reader@'), schemas)
  const refusal = 'DATABASE_URL cannot be used. User reader may not use the schema'
  await expect.poll(check).toEqual({
    status: 'refused',
    message: `${refusal} lineage_1, lineage_accounts, or create tables in it. Run: grant usage, create on schema lineage_1, lineage_accounts to "reader".`,
  })
  await admin.query(
    'grant usage, create on schema lineage_1 to reader; grant usage on schema lineage_accounts to reader',
  )
  expect(await check()).toMatchObject({ message: expect.stringContaining(`${refusal} lineage_accounts,`) })
  await admin.query('grant create on schema lineage_accounts to reader')
  expect(await check()).toEqual({ status: 'usable' })
  await admin.query('revoke connect on database test_1 from public')
  expect(await check()).toMatchObject({
    message: expect.stringContaining('grant connect on database "test_1" to the role of DATABASE_URL.'),
  })
  await admin.end()
})

test('error: a database with another encoding', async () => {
  const pool = openPool({ url: postgres.url })
  await pool.query(`create database latin encoding 'LATIN1' locale 'C' template template0`)
  await pool.end()
  expect(await checkDatabase(postgres.url.replace(/postgres$/, 'latin'), schemas)).toMatchObject({
    status: 'refused',
    message: expect.stringContaining('The database latin has the encoding LATIN1, and UTF8 is needed.'),
  })
})

test('error: TLS that cannot be used: says what to do', async () => {
  const url = `${postgres.url}?sslmode=verify-full`
  const ask = async (of = url) => (await checkDatabase(of, schemas)) as { status: string; message?: string }
  const withoutTls = 'PostgreSQL offers no TLS. Turn it on there, or set sslmode=disable in the URL'
  expect(await ask()).toMatchObject({ status: 'refused', message: expect.stringContaining(withoutTls) })
  const folder = mkdtempSync(join(tmpdir(), 'lineage-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [key, certificate] = ['key', 'certificate'].map((name) => join(folder, name)) as [string, string]
  const subject = ['-subj', '/CN=db.example', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    key,
    '-out',
    certificate,
    ...subject,
  ])
  const pool = openPool({ url: postgres.url })
  const { rows } = await pool.query('show data_directory')
  const { uid, gid } = statSync(rows[0].data_directory)
  for (const path of [folder, key, certificate]) chownSync(path, uid, gid)
  chmodSync(key, 0o600)
  for (const setting of [`ssl_key_file = '${key}'`, `ssl_cert_file = '${certificate}'`, 'ssl = on'])
    await pool.query(`alter system set ${setting}`)
  await pool.query('select pg_reload_conf()')
  await pool.end()
  const unknown = 'is not of a known authority: self-signed certificate. Add sslrootcert=FILE'
  await expect.poll(() => ask()).toMatchObject({ status: 'refused', message: expect.stringContaining(unknown) })
  const known = `${url}&sslrootcert=${certificate}`
  expect((await ask(known)).message).toContain('is for another host')
  expect(await ask(known.replace('127.0.0.1', 'localhost'))).toEqual({ status: 'usable' })
})

/** Starts a pooler that sends the statements of all clients over one connection. */
async function startPooler(target: string): Promise<string> {
  const far = connect(Number(new URL(target).port), '127.0.0.1')
  await once(far, 'connect')
  const startup = Buffer.from('\0\0\0\0\0\x03\0\0user\0pooled\0database\0postgres\0\0')
  startup.writeInt32BE(startup.length)
  far.write(startup)
  const [greeting] = (await once(far, 'data')) as [Buffer]
  let answered: Socket | undefined
  far.on('data', (data) => void answered?.write(data))
  const server = createServer((near) => {
    near.once('data', () => {
      near.write(greeting)
      near.on('data', (data) => {
        // Its end is that of the client only.
        if (data[0] === 'X'.charCodeAt(0)) return void near.end()
        answered = near
        far.write(data)
      })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    far.destroy()
    server.close()
  })
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return url.href
}

test('error: a pooler that shares its connections', async () => {
  expect(await checkDatabase(await startPooler(postgres.url), schemas)).toEqual({
    status: 'refused',
    message: expect.stringContaining('It leads to a pooler in transaction mode, such as PgBouncer'),
  })
})

test.each([
  ['postgres://user:p%2Fss%40@db.example:5432/name?sslmode=verify-full', true],
  ['postgresql://user@/name?host=/var/run/postgresql', true],
  ['postgres://user:pa/ss@db.example/name', false],
  ['postgres://user:12/ss@db.example/name', false],
  ['postgres://user:pa@ss/s@db.example/name', false],
  ['postgres://user:12#ss@db.example/name', false],
  ['postgres://user:secret@db.example:99999/name', false],
  ['user:secret@db.example/name', false],
  ['mysql://db.example/name', false],
])('%s: %j', (text, expected) => expect(findUrlFault(text) === undefined).toBe(expected))

test.each<readonly [url: string, named: string]>([
  ['postgres://db.example/name?sslmode=require', 'postgres://db.example/name?sslmode=verify-full'],
  ['postgres://db.example/name?a=b&sslmode=prefer&c=d', 'postgres://db.example/name?a=b&sslmode=verify-full&c=d'],
  ['postgres://db.example/name?sslmode=verify-ca', 'postgres://db.example/name?sslmode=verify-full'],
  ...['no-verify', 'disable', 'require&uselibpqcompat=true', 'requires'].map((mode) => {
    const url = `postgres://db.example/name?sslmode=${mode}`
    return [url, url] as const
  }),
])(
  'behavior: a mode that verifies as much is named by its name, so that the driver does not warn: %s',
  (url, named) => {
    expect(withVerifiedTls(url)).toBe(named)
  },
)

test.each([
  'postgres://me:s3cret@a,b/db?target_session_attrs=read-write',
  'postgresql://me:s3cret@a.example:5432,b.example:5433/db',
  'postgres://me:s3cret@/db?host=a.example,b.example',
  'postgres://me:s3cret@a.example/db?port=5432,5433',
  'postgres://a:1,b:2',
])('error: several hosts are refused before any is tried: %s', async (url) => {
  expect(await checkDatabase(url, schemas)).toEqual({
    status: 'refused',
    message: expect.stringMatching(
      /^DATABASE_URL names several hosts, and can name only one: give the address that always leads to the primary/,
    ),
  })
})

test('behavior: a comma in a password is no second host', () => {
  expect(findUrlFault('postgres://me:a,b@db.example/name?options=-c%20search_path%3Da,b')).toBeUndefined()
  expect(findUrlFault('postgres://me:a,b/c@db.example/name')).toMatch(/^must be the URL/)
})
