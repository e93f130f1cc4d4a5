import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../scripts/vitest/freePort.ts'
import { checkDatabase, isDatabaseUrl } from './checkDatabase.ts'
import { openPool } from './openPool.ts'
import { startTestPostgres, type TestPostgres } from './testing.ts'

let postgres: TestPostgres

beforeAll(async () => {
  postgres = await startTestPostgres()
  const pool = openPool({ url: postgres.url })
  await pool.query(`create role reader login; create role guarded login password 'right-word'`)
  await pool.end()
  await postgres.setRules(
    'host all lineage all scram-sha-256\nhost all guarded all scram-sha-256\nhost all all all trust\n',
  )
})
afterAll(() => postgres.stop())

const as = (user: string) => postgres.url.replace(/\/\/.*@/, `//${user}@`)

test('behavior: a server that accepts its user', async () => {
  expect(await checkDatabase(postgres.url)).toEqual({ status: 'usable' })
})

test('error: a server that does not answer may answer later', async () => {
  const port = await freePort()
  const found = await checkDatabase(`postgres://me:s3cret@127.0.0.1:${port}/none`)
  expect(found).toEqual({ status: 'silent', message: `connect ECONNREFUSED 127.0.0.1:${port}` })
})

test('error: a socket that does not exist yet may exist later', async () => {
  expect(await checkDatabase('postgres://me@/none?host=/nowhere')).toMatchObject({ status: 'silent' })
})

test.each([
  ['rights', () => as('reader'), /permission denied for database postgres: user reader may not create schemas/],
  ['user', () => as('stranger'), 'DATABASE_URL cannot be used. PostgreSQL says: role "stranger" does not exist.'],
  ['name', () => postgres.url.replace(/postgres$/, 'missing'), /says: database "missing" does not exist.$/],
  ['password', () => as('guarded:wrong-word'), /says: password authentication failed for user "guarded".$/],
  ['file', () => `${postgres.url}?sslrootcert=/nowhere.pem`, /^DATABASE_URL cannot be used. ENOENT.*nowhere.pem'.$/],
])('error: tells what is wrong with the %s', async (_, url, message) => {
  await expect
    .poll(() => checkDatabase(url()))
    .toEqual({ status: 'refused', message: expect.stringMatching(message as RegExp) })
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
])('%s: %j', (text, expected) => expect(isDatabaseUrl(text)).toBe(expected))
