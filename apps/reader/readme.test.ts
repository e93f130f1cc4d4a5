import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reason, warning } from '@lineage/referral-api/schemas'
import { expect, test } from 'vitest'
import type { ConfigInput } from './config/index.ts'
import { eventKinds, eventTable } from './eventTables.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
const readme = read('README.md')

/** Returns the names in the first column of the table with this header. */
function namesIn(head: string): string[] {
  const [, table = ''] = readme.split(`\n| ${head} |`)
  const rows = table.split('\n\n')[0]?.split('\n').slice(2) ?? []
  return rows.flatMap((row) => [...(row.split('|')[1]?.matchAll(/`([^`]+)`/g) ?? [])].map(([, name = '']) => name))
}

/** Lists every field; the compiler reports a missing one. */
const fields: Record<keyof ConfigInput['communities'][number], true> = {
  id: true,
  name: true,
  chainId: true,
  address: true,
  startBlock: true,
  preset: true,
  order: true,
  event: true,
  member: true,
  referrer: true,
  roots: true,
  rebind: true,
  unbind: true,
  volumes: true,
  rewards: true,
  more: true,
  tokens: true,
  parentView: true,
  explorer: true,
}

test('behavior: the README lists every field of the configuration', () => {
  expect(namesIn('field | meaning')).toEqual(Object.keys(fields))
})

test('behavior: the README lists every variable of the environment that is read', () => {
  const code = ['start.ts', 'ponder.config.ts', 'src/index.ts', 'src/api/index.ts'].map(read).join()
  const found = new Set([...code.matchAll(/env\.([A-Z_]+)/g)].map(([, name]) => name))
  // `start.ts` sets these for Ponder and for code that Ponder runs.
  for (const name of ['PORT', 'DATABASE_SCHEMA', 'LINEAGE_NODES_URL', 'LINEAGE_ROLE', 'PONDER_TELEMETRY_DISABLED'])
    expect(found.delete(name), name).toBe(true)
  expect(namesIn('variable | meaning').sort()).toEqual([...found, 'PONDER_LOG_LEVEL'].sort())
})

test('behavior: the README lists every warning', () => {
  expect(namesIn('kind | meaning')).toEqual(warning.shape.kind.options)
})

test('behavior: the README lists every reason', () => {
  expect(namesIn('reason | meaning')).toEqual(reason.shape.code.options)
})

test('behavior: the README lists the exit codes', () => {
  const codes = [...read('start.ts').matchAll(/process\.exit\((\d+)\)/g)].map(([, code]) => code)
  expect(namesIn('exit code | meaning')).toEqual([...new Set(['0', ...codes])].sort())
})

test('behavior: the README names files and tables that exist', () => {
  const files = namesIn('file | does')
  expect(files.length).toBeGreaterThan(9)
  for (const file of files) expect(existsSync(join(import.meta.dirname, file)), file).toBe(true)
  expect(readme).toContain(`\`${eventTable('bind')}\`, \`${eventTable('volume')}\` and \`${eventTable('reward')}\``)
  expect(eventKinds).toHaveLength(3)
})
