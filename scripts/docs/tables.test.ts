import { parseEnv } from 'node:util'
import { bindPresets, otherVariables, readerVariables, rewardPresets } from '@lineage/communities'
import { expect, test } from 'vitest'
import { environment } from '../../apps/server/src/settings/settings.ts'
import { readStartSettings } from '../lib/startSettings.ts'
import { readText, repositoryFiles, tableRows } from './markdown.ts'

const plain = (cell = '') => cell.replaceAll('`', '')

/** Variables in `.env.example`; `undefined` for those that are commented out. */
const example = new Map(
  [...readText('.env.example').matchAll(/^(# )?([A-Z_]+)=(.*)$/gm)].map(([, comment, name = '', value]) => [
    name,
    comment ? undefined : value,
  ]),
)

const variables = tableRows(readText('README.md'), 'variable', 'default').map(
  ([name, value]) => [plain(name), plain(value)] as const,
)

test('behavior: .env.example names every variable that the settings read', () => {
  const ofStart = [...readText('scripts/lib/startSettings.ts').matchAll(/variables\.([A-Z_]+)/g)].map(
    ([, name]) => name,
  )
  const read = [...Object.keys(environment.shape), ...ofStart]
  expect([...example.keys()].toSorted()).toEqual([...new Set(read)].toSorted())
})

test('behavior: every LINEAGE_ name that the code reads is known, so that only others are reported as unknown', () => {
  const files = repositoryFiles.filter((path) => /^(apps|packages|scripts)\/.*(?<!\.test)\.m?ts$/.test(path))
  const names = files.flatMap((path) => readText(path).match(/\bLINEAGE_[A-Z_]+\b/g) ?? [])
  const known: string[] = [...Object.keys(environment.shape), ...readerVariables, ...otherVariables, 'LINEAGE_TEST_']
  expect([...new Set(names)].filter((name) => !known.includes(name) && name !== 'LINEAGE_ORIGINS')).toEqual([])
  const elsewhere = files
    .filter((path) => path !== 'packages/communities/src/variables.ts')
    .map(readText)
    .join('\n')
  expect([...readerVariables, ...otherVariables].filter((name) => !elsewhere.includes(name))).toEqual([])
})

test('behavior: .env.example shows the defaults', () => {
  const comparable = (values: Record<string, string | undefined>) => ({
    ...readStartSettings(values),
    sessionSecrets: [],
  })
  expect(comparable(parseEnv(readText('.env.example')) as Record<string, string>)).toEqual(comparable({}))
})

test('behavior: a copy of .env.example as .env changes no default of compose.yaml, whose servers are behind a proxy', () => {
  const defaults = [...readText('compose.yaml').matchAll(/\$\{([A-Z_]+):-([^}]*)\}/g)].map(([, name, value]) => ({
    name,
    value,
  }))
  expect(defaults.length).toBeGreaterThan(3)
  expect(defaults.filter(({ name = '', value }) => (example.get(name) ?? value) !== value)).toEqual([])
})

test('behavior: the README lists variables of .env.example, with their defaults', () => {
  expect(variables.length).toBeGreaterThan(5)
  expect(variables.filter(([name]) => !example.has(name))).toEqual([])
  const defaults = variables.filter(([name]) => example.get(name) !== undefined)
  expect(defaults).toEqual(defaults.map(([name]) => [name, example.get(name)]))
})

test('behavior: docs/referral-contracts.md lists every preset', () => {
  const text = readText('docs/referral-contracts.md')
  const binds = tableRows(text, '`preset`', 'event').map((row) => row.map(plain))
  expect(binds.map(([name, event]) => [name, `event ${event}`])).toEqual(
    Object.entries(bindPresets).map(([name, { event }]) => [name, event]),
  )
  expect(
    binds.map(([, , order]) =>
      order === 'member first' ? 'memberFirst' : order?.startsWith('referrer first') ? 'referrerFirst' : 'either',
    ),
  ).toEqual(Object.values(bindPresets).map(({ orders }) => orders))
  expect(tableRows(text, '`rewards.preset`', 'event').map((row) => row.map(plain))).toEqual(
    Object.entries(rewardPresets).map(([name, preset]) => [
      name,
      preset.event.replace('event ', ''),
      preset.member,
      'from' in preset ? preset.from : '',
    ]),
  )
})
