import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigInput } from '@lineage/communities'
import { type AmountKind, amountKinds } from '@lineage/referral-api/amounts'
import { warning } from '@lineage/referral-api/schemas'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
const readme = read('README.md')

/** Returns the names in the first column of the table with this header. */
function namesIn(head: string): string[] {
  const [, table = ''] = readme.split(`\n| ${head} |`)
  const rows = table.split('\n\n')[0]?.split('\n').slice(2) ?? []
  return rows.flatMap((row) => [...(row.split('|')[1]?.matchAll(/`([^`]+)`/g) ?? [])].map(([, name = '']) => name))
}

/** Lists every field but those of amounts; the compiler reports a missing one. */
const fields: Record<Exclude<keyof ConfigInput['communities'][number], `${AmountKind}s`>, true> = {
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
  where: true,
  roots: true,
  rebind: true,
  unbind: true,
  more: true,
  tokens: true,
  parent: true,
  candidates: true,
  changes: true,
  explorer: true,
}

test('behavior: the README lists every field of the configuration', () => {
  const names = [...Object.keys(fields), ...amountKinds.map((kind) => `${kind}s`)]
  expect(namesIn('field | meaning').toSorted()).toEqual(names.toSorted())
})

test('behavior: the README lists every variable of the environment that is read', () => {
  const found = new Set(read('src/settings.ts').match(/\b(LINEAGE_[A-Z_]+|DATABASE_URL)\b/g))
  expect(namesIn('variable | meaning').toSorted()).toEqual([...found].toSorted())
})

test('behavior: the README lists every warning', () => {
  expect(namesIn('kind | meaning')).toEqual(warning.shape.kind.options)
})

test('behavior: the README lists the exit codes', () => {
  expect(namesIn('exit code | meaning')).toEqual(['0', '1', '75'])
  expect(read('src/main.ts')).toContain('const tryAgain = 75')
})

test('behavior: the README names files that exist', () => {
  const files = namesIn('file | does')
  expect(files.length).toBeGreaterThan(9)
  for (const file of files) expect(existsSync(join(import.meta.dirname, file)), file).toBe(true)
})
