import { expect, test } from 'vitest'
import { describeError, findDatabaseFault } from './describeError.ts'

const caused = (code: string) =>
  new Error('Failed query: select member from bind_event\nparams: 0xsecret', {
    cause: Object.assign(new Error('x'), { code }),
  })

test.each([
  ['ECONNREFUSED', 'unreachable', 'the database does not respond (ECONNREFUSED)'],
  ['57P01', 'unreachable', 'the database does not respond (57P01)'],
  ['08006', 'unreachable', 'the database does not respond (08006)'],
  ['57014', 'unreachable', 'the database does not respond (57014)'],
  ['53100', 'disk_full', 'the disk of the database is full (53100)'],
  ['ENOSPC', 'disk_full', 'the disk of the database is full (ENOSPC)'],
  ['XX001', 'damaged', 'the tables of the database are damaged (XX001)'],
  ['42P01', undefined, 'error 42P01'],
  ['53300', 'crowded', 'the database has no connection left: raise max_connections, or the size of its pool (53300)'],
  ['25006', 'read_only', 'the database is read-only (25006)'],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'untrusted',
    'no trusted TLS connection to the database can be opened (SELF_SIGNED_CERT_IN_CHAIN)',
  ],
  ['28P01', 'refused', 'the database refuses the user, its password, its rights or the name (28P01)'],
  ['42501', 'refused', 'the database refuses the user, its password, its rights or the name (42501)'],
])('behavior: %s', (code, fault, words) => {
  expect(findDatabaseFault(caused(code))).toBe(fault)
  expect(describeError(caused(code))).toBe(words)
})

test.each([
  [new Error('Connection terminated unexpectedly'), 'the database does not respond'],
  [new Error('The server does not support SSL connections'), 'no trusted TLS connection to the database can be opened'],
  [new Error('timeout expired'), 'the database does not respond'],
  [new Error('Client has encountered a connection error and is not queryable'), 'the database does not respond'],
  [
    new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })]),
    'the database does not respond (ECONNREFUSED)',
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
