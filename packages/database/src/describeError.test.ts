import { expect, test } from 'vitest'
import { describeError, findDatabaseFault } from './describeError.ts'
import { createIndexTables } from './indexTables.ts'
import { openPool } from './openPool.ts'
import { startTestPostgres } from './testing.ts'

const caused = (code: string) =>
  new Error('Failed query: select member from bind_event\nparams: 0xsecret', {
    cause: Object.assign(new Error('x'), { code }),
  })

test.each([
  ['ECONNREFUSED', 'closed', 'no database listens at its address (ECONNREFUSED)'],
  ['ECONNRESET', 'unreachable', 'the database does not respond (ECONNRESET)'],
  ['ETIMEDOUT', 'unreachable', 'the database does not respond (ETIMEDOUT)'],
  ['ENOTFOUND', 'unknown_host', 'the host of the database is not found (ENOTFOUND)'],
  ['EAI_AGAIN', 'unknown_host', 'the host of the database is not found (EAI_AGAIN)'],
  ['EHOSTUNREACH', 'cut_off', 'no network leads to the host of the database (EHOSTUNREACH)'],
  ['57P03', 'starting', 'the database is starting, stopping or recovering (57P03)'],
  ['57P01', 'unreachable', 'the database does not respond (57P01)'],
  ['08006', 'unreachable', 'the database does not respond (08006)'],
  ['57014', 'unreachable', 'the database does not respond (57014)'],
  ['53100', 'disk_full', 'the disk of the database is full (53100)'],
  ['ENOSPC', 'disk_full', 'the disk of the database is full (ENOSPC)'],
  ['55P03', 'locked', 'another session of the database holds a lock that is needed: see pg_locks (55P03)'],
  ['XX001', 'damaged', 'the tables of the database are damaged (XX001)'],
  ['42P01', undefined, 'error 42P01'],
  [
    '53300',
    'crowded',
    'the database has no connection left: raise max_connections, the limit of the role or database, or the size of its pool (53300)',
  ],
  ['25006', 'read_only', 'the database is read-only (25006)'],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'untrusted',
    'no trusted TLS connection to the database can be opened (SELF_SIGNED_CERT_IN_CHAIN)',
  ],
  ['28P01', 'password', 'the database refuses the user or its password (28P01)'],
  [
    '28000',
    'user',
    'the database does not let the user in: it has no such role, or pg_hba.conf does not allow it (28000)',
  ],
  ['3D000', 'name', 'the database of that name does not exist (3D000)'],
  ['42501', 'rights', 'the database refuses a right to the user (42501)'],
])('behavior: %s', (code, fault, words) => {
  expect(findDatabaseFault(caused(code))).toBe(fault)
  expect(describeError(caused(code))).toBe(words)
})

const pooled = (message: string) => Object.assign(new Error(message), { code: '08P01' })
const noConnectionLeft =
  'the database has no connection left: raise max_connections, the limit of the role or database, or the size of its pool (08P01)'

test.each([
  [pooled('query_wait_timeout'), noConnectionLeft],
  [new Error('Failed query', { cause: pooled('no more connections allowed (max_client_conn)') }), noConnectionLeft],
  [pooled('server conn crashed?'), 'the database does not respond (08P01)'],
  [new Error('Connection terminated unexpectedly'), 'the database does not respond'],
  [new Error('The server does not support SSL connections'), 'no trusted TLS connection to the database can be opened'],
  [new Error('timeout expired'), 'the database does not respond'],
  [new Error('Client has encountered a connection error and is not queryable'), 'the database does not respond'],
  [
    new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })]),
    'no database listens at its address (ECONNREFUSED)',
  ],
  [new Error('request to https://user:key@node.example/key failed\nmore'), 'request to a URL failed'],
  [
    Object.assign(new Error('URL: http://127.0.0.1/key'), { shortMessage: 'HTTP request failed.' }),
    'HTTP request failed.',
  ],
  [undefined, ''],
])('behavior: %s', (error, words) => {
  expect(describeError(error)).toBe(words)
})

test('error: a missing right is told with its object, and with what to grant', async () => {
  const postgres = await startTestPostgres()
  const admin = openPool({ url: postgres.url })
  await createIndexTables(admin)
  await admin.query(`create role guest login; create sequence lineage_1.counter; revoke all on database postgres from public;
    grant connect on database postgres to guest`)
  await postgres.setRules('host all all all trust\n')
  const guest = openPool({ url: postgres.url.replace(/\/\/.*@/, '//guest@') })
  const refuse = (text: string) => guest.query(text).catch(describeError)
  await expect
    .poll(() => refuse('select from lineage_1.event'))
    .toBe('permission denied for schema lineage_1: grant usage, create on schema lineage_1 to the role of DATABASE_URL')
  expect(await refuse('create schema more')).toBe(
    'permission denied for database postgres: grant create on database "postgres" to the role of DATABASE_URL',
  )
  await admin.query('grant usage on schema lineage_1 to guest')
  expect(await refuse('select from lineage_1.event')).toBe(
    'permission denied for table event: grant select, insert, update, delete on it to the role of DATABASE_URL, or make that role its owner',
  )
  expect(await refuse(`select nextval('lineage_1.counter')`)).toBe(
    'permission denied for sequence counter: grant all on sequence counter to the role of DATABASE_URL',
  )
  expect(await refuse('alter table lineage_1.event add column more integer')).toBe(
    'must be owner of table event: make the role of DATABASE_URL its owner',
  )
  await Promise.all([admin.end(), guest.end()])
  await postgres.stop()
})
