import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LiveBind } from '@lineage/referral-api/live'
import { operations } from '@lineage/referral-api/operations'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { queueLimit as writeLimit } from './accounts/createTurns.ts'
import { queueLimit as statementLimit } from './accounts/openAccounts.ts'
import { defaultTimeouts, mostConnections, mostConnectionsPerAddress } from './http/connections.ts'
import { createLog } from './lib/log.ts'
import { withRequestId } from './lib/requestId.ts'
import { defaultLiveLimits } from './live/createLive.ts'
import { alertsText, beatText, countsText, resetText, stepText } from './live/liveText.ts'
import { defaultLimits } from './load/limits.ts'
import { patience, runningLimit, slowAfter, totalLimit } from './load/lookupQueue.ts'
import { delayLimit, lookupLimit, measureInterval, requestLimit } from './load/overload.ts'
import { createRequestLog } from './monitoring/observe.ts'
import { readMethods, rpcBudget } from './rpc/createRpc.ts'
import { environment } from './settings/settings.ts'
import { startMessage } from './settings/startupState.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

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

test('the table of limits under load has the numbers of the code', () => {
  const mega = (bytes: number) => `${bytes / 1024 ** 2} MB`
  const seconds = (milliseconds: number) => `${milliseconds / 1_000} s`
  const { firstRequest, body, idle, reading } = defaultTimeouts
  const { streams, perVisitor, waiting } = defaultLiveLimits
  expect([body, patience]).toEqual([idle, 1_000])
  expect(readTable('Under load').map((row) => row.slice(0, 2))).toEqual([
    ['event loop', `${delayLimit} ms late on average of ${measureInterval} ms with ${requestLimit} requests or more`],
    ['lookups', `${lookupLimit} running and waiting, of each indexer`],
    ['lookups at an indexer', `${runningLimit}; one that takes more than ${slowAfter} ms lets another start`],
    ['bytes of `/v1/rpc` in flight', `${mega(rpcBudget.total)}, ${mega(rpcBudget.perVisitor)} of one visitor`],
    ["statements of the accounts' database", `${statementLimit} waiting, ${writeLimit} writes of one account`],
    ['streams', `${streams.toLocaleString('en')}, ${perVisitor} of one visitor`],
    ['bytes that wait for the reader of a stream', `${waiting / 1024} kB`],
    [
      'connections',
      `${mostConnections.toLocaleString('en')}, or half of the open files the system allows; ${mostConnectionsPerAddress} of one address (or IPv6 /64) without a proxy`,
    ],
    [
      'time',
      `${seconds(firstRequest)} for the first request, ${seconds(body)} for a body or without a byte, ${seconds(reading)} to read the rest of an answer`,
    ],
  ])
  expect(readme).toContain(`wait for a second at most, up to ${totalLimit} lookups per indexer in all;`)
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

test('the table of messages has every message of the start script, with its fields', () => {
  const rows = startMessage.options.map(({ shape }) => [shape.type.value, Object.keys(shape)])
  const named = readTable('Messages of the start script').map(([cell = '']) => {
    const fields = cell.replaceAll(/^`\{ | \}`$/g, '').replaceAll(/\{.*?\}/g, '')
    return [/type: '(\w+)'/.exec(fields)?.[1], fields.split(', ').map((field) => field.replace(/:.*/, ''))]
  })
  expect(named).toEqual(rows)
})

test('the methods of /v1/rpc are named', () => {
  const section = readme.split('\n## `/v1/rpc`\n')[1]?.split('\n## ')[0] ?? ''
  expect(section.match(/\b(eth|net)_\w+/g)?.filter((name) => name !== 'eth_sendRawTransaction')).toEqual([
    ...readMethods,
  ])
})

test('the README of the API lists the events of streams', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../packages/referral-api/README.md'), 'utf8')
  const asOf = { block: 1, timestamp: 1, finalizedBlock: 1 }
  const counts = { asOf, members: 1 }
  const step = { id: 'a', at: 1, block: 1 }
  const sent = [
    stepText({ ...step, event: 'bind' }, [{} as LiveBind]),
    stepText({ ...step, event: 'retracted' }, []),
    countsText('a', counts),
    resetText('a', counts),
    beatText('a', asOf),
    alertsText,
  ]
  const events = sent.map((one) => code(/^event: (\w+)$/m.exec(one)?.[1] ?? ''))
  expect(readTable('Streams', text).map(([event]) => event)).toEqual(events)
})
