import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { labelLimit } from '@lineage/referral-api/labels'
import { liveEvents } from '@lineage/referral-api/live'
import { operations } from '@lineage/referral-api/operations'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { queueLimit as statementLimit } from './accounts/openAccounts.ts'
import { mostSessions } from './accounts/siweStore.ts'
import { alertLimits, mostWatches } from './alerts/watchStore.ts'
import { queueLimit as writeLimit } from './api/forAccount.ts'
import { defaultTimeouts, mostConnections } from './http/listen.ts'
import { createLog, withRequestId } from './lib/log.ts'
import { defaultLiveLimits } from './live/createLive.ts'
import { defaultLimits } from './load/limits.ts'
import { defaultQueueLimits } from './load/loadQueue.ts'
import { waits } from './load/waitForBlock.ts'
import { createRequestLog } from './monitoring/observe.ts'
import { readMethods, rpcBudget } from './rpc/createRpc.ts'
import { environment } from './settings/settings.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const production = readFileSync(join(import.meta.dirname, '../../../docs/production.md'), 'utf8')

/** Returns the rows of the first table below a heading, without its header. */
function readTable(heading: string, text = readme): string[][] {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const code = (text: string) => `\`${text}\``

test('the table of settings has every environment variable, its default and its description', () => {
  const rows = Object.entries(environment.shape).map(([name, schema]) => {
    const { description, unset } = schema.meta() as { description: string; unset?: string }
    const isRequired = !schema.safeParse(undefined).success
    const preset = schema instanceof z.ZodPrefault ? code(String(schema.def.defaultValue)) : unset
    return [code(name), isRequired ? 'required' : (preset ?? 'none'), description]
  })
  expect(readTable('Settings')).toEqual(rows)
})

test('the table of routes has every operation that this server answers itself', () => {
  const own = operations.filter(({ tag }) => tag !== 'lookups')
  expect(readTable('Routes').map(([route]) => route)).toEqual(
    own.map(({ method, path }) => code(`${method.toUpperCase()} /v1${path}`)),
  )
})

test('the table of rate limits has every limit', () => {
  const rows = Object.entries(defaultLimits).map(([name, { burst, perSecond }]) => [
    name,
    String(burst),
    String(perSecond),
  ])
  expect(readTable('Rate limits').map((row) => row.slice(0, 3))).toEqual(rows)
})

test('the table of what is shared has the numbers of the code', () => {
  const mega = (bytes: number) => `${bytes / 1024 ** 2} MB`
  const seconds = (milliseconds: number) => `${milliseconds / 1_000} s`
  const { headers, request, idle, keepAlive } = defaultTimeouts
  const { requests, running, total, slow, patience, csv, csvParts, csvPerVisitor } = defaultQueueLimits
  const { streams, perVisitor, waiting } = defaultLiveLimits
  expect(request).toBe(idle)
  const named = new Map(readTable('What is shared', production).map(([what, limit]) => [what, limit]))
  for (const [what, limit] of [
    [
      'requests that wait for their turn',
      `${requests.toLocaleString('en')}, each for ${seconds(patience)}; one is started each turn of the event loop`,
    ],
    ['lookups', `${running} running; one that takes more than ${slow} ms lets another start`],
    ['lookups that wait', `${total} with the running ones, each for ${seconds(patience)}`],
    [
      'lookups that wait for a block of another server',
      `${waits.total.toLocaleString('en')}, ${waits.perVisitor} of one visitor, each for ${seconds(waits.patience)}`,
    ],
    ['CSV files', `${csv}, ${csvPerVisitor} of one visitor; ${csvParts} parts are made at once`],
    ['bytes of `/v1/rpc` in flight', `${mega(rpcBudget.total)}, ${mega(rpcBudget.perVisitor)} of one visitor`],
    ["statements of the accounts' database", `${statementLimit} waiting, ${writeLimit} writes of one account`],
    ['streams', `${streams.toLocaleString('en')}, ${perVisitor} of one visitor`],
    ['watches', `${mostWatches.toLocaleString('en')}, ${alertLimits.watches} of one account`],
    ['sessions', `${mostSessions} of one account`],
    ['labels', `${labelLimit.toLocaleString('en')} of one account`],
    ['connections', `${mostConnections.toLocaleString('en')}, or what the open files allow`],
  ])
    expect([what, named.get(what ?? '')]).toEqual([what, limit])
  expect(production).toContain(`has not read ${waiting / 1024} kB`)
  expect(production).toContain(
    `after ${seconds(headers)} without headers, ${seconds(request)} without a byte, ${seconds(keepAlive)} between requests`,
  )
})

test('the table of the log has every field of a line', () => {
  const lines: string[] = []
  const write = (line: string) => lines.push(line)
  let time = 0
  const log = createLog({ format: 'json', write, now: () => time })
  withRequestId('a', () => {
    log('message')
    log('message')
    time = 60_000
    log('message')
  })
  createRequestLog(
    { logVisitors: 'yes' },
    write,
  )({
    ...{ id: 'a', visitor: 'b', milliseconds: 1 },
    ...{ method: 'GET', route: 'page', status: 200 },
  })
  const fields = new Set(lines.flatMap((line) => Object.keys(JSON.parse(line))))
  const named = readTable('Log').flatMap(([cell = '']) => cell.replaceAll('`', '').split(', '))
  expect(named.toSorted()).toEqual([...fields].toSorted())
})

test('the methods of /v1/rpc are named', () => {
  const section = readme.split('\n## `/v1/rpc`\n')[1]?.split('\n## ')[0] ?? ''
  expect(section.match(/\b(eth|net)_\w+/g)?.filter((name) => name !== 'eth_sendRawTransaction')).toEqual([
    ...readMethods,
  ])
})

test('the README of the API lists the events of streams', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../packages/referral-api/README.md'), 'utf8')
  expect(readTable('Streams', text).map(([event]) => event)).toEqual(Object.keys(liveEvents).map(code))
})
