import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '@lineage/referral-api/operations'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { createApiHandlers } from './apiHandlers.ts'
import { defaultLimits } from './limits.ts'
import { readMethods } from './rpc/createRpc.ts'
import { environment } from './settings.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

/** Returns the rows of the first table below a heading, without its header. */
function readTable(heading: string): string[][] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
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
  const { operations: handlers } = createApiHandlers({
    settings: {
      rpcUrls: ['http://127.0.0.1:2'],
      origins: ['http://localhost'],
      sessionSecrets: ['a'.repeat(32)],
      accounts: { kind: 'embedded', directory: null },
    } as never,
    startup: {} as never,
    accounts: { labels: {} } as never,
    overload: {} as never,
    indexers: {} as never,
    live: {} as never,
    alerts: {} as never,
  })
  const own = operations.filter(({ id }) => id in handlers)
  expect(own.map(({ id }) => id).sort()).toEqual(Object.keys(handlers).sort())
  const passedOn = operations.filter((one) => !own.includes(one))
  expect(passedOn.filter(({ tag }) => tag !== 'lookups').map(({ id }) => id)).toEqual([])
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

test('the methods of /v1/rpc are named', () => {
  const section = readme.split('\n## `/v1/rpc`\n')[1]?.split('\n## ')[0] ?? ''
  expect(section.match(/\b(eth|net)_\w+/g)?.filter((name) => name !== 'eth_sendRawTransaction')).toEqual([
    ...readMethods,
  ])
})
