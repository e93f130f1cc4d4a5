import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ReferralApiError } from './client.ts'
import { operations } from './operations.ts'
import { problems } from './problems.ts'
import type { ProblemCode } from './types.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/** Returns the rows of the first table below a heading, without its header. */
const tableBelow = (heading: string) =>
  readme
    .split(`\n## ${heading}\n`)[1]
    ?.match(/(?:^\|.*\n)+/m)?.[0]
    .trim()
    .split('\n')
    .slice(2)

test('behavior: the README lists every lookup and every problem', async () => {
  const lookups = operations.filter(({ tag }) => tag === 'lookups')
  const tables = {
    Lookups: lookups.map(({ method, path, summary }) => `| \`${method.toUpperCase()} ${path}\` | ${summary} |`),
    Problems: Object.entries(problems).map(([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`),
  }
  let written = readme
  for (const [heading, rows] of Object.entries(tables)) {
    const table = tableBelow(heading) ?? []
    expect(table.length, heading).toBeGreaterThan(9)
    written = written.replace(table.join('\n'), () => rows.join('\n'))
  }
  // `vitest -u` updates the README.
  await expect(written).toMatchFileSnapshot('../README.md')
})

test('behavior: the README names files that exist', () => {
  const files = tableBelow('Files')?.flatMap((row) => row.match(/`(?:src|test)\/[\w/]+\.ts`/g) ?? [])
  expect(files?.length).toBeGreaterThan(8)
  for (const file of files ?? []) readFileSync(new URL(`../${file.replaceAll('`', '')}`, import.meta.url))
})

test('behavior: the README lists every entry of the published package', () => {
  const { name, publishConfig } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const rows = readme.match(/^\| `@lineage.*\n(?:\|.*\n)+/m)?.[0] ?? ''
  const named = [...rows.matchAll(/`(@lineage\/referral-api|…\/[\w-]+)`/g)].map(([, entry = '']) => entry)
  const entries = Object.keys(publishConfig.exports).map((entry) => (entry === '.' ? name : entry.replace('.', '…')))
  expect(named.toSorted()).toEqual(entries.toSorted())
})

test('behavior: the README lists the errors of the client that are no problems of the API', () => {
  const own: Record<Exclude<ReferralApiError['code'], ProblemCode>, true> = { unreachable: true, malformed: true }
  const named = tableBelow('Errors of the client')?.flatMap((row) => row.split('|')[1]?.match(/(?<=`)\w+(?=`)/g) ?? [])
  expect(named?.filter((code) => !(code in problems))).toEqual(Object.keys(own))
})
