import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '@lineage/referral-api/operations'
import { expect, test } from 'vitest'
import * as z from 'zod'
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

test('the methods of /v1/rpc are named', () => {
  const section = readme.split('\n## `/v1/rpc`\n')[1]?.split('\n## ')[0] ?? ''
  expect(section.match(/\b(eth|net)_\w+/g)?.filter((name) => name !== 'eth_sendRawTransaction')).toEqual([
    ...readMethods,
  ])
})
