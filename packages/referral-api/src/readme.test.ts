import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operations } from './operations.ts'
import { problems } from './problems.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/** Returns the rows of the first table below a heading, without its header. */
const tableBelow = (heading: string) =>
  readme
    .split(`\n## ${heading}\n`)[1]
    ?.match(/(?:^\|.*\n)+/m)?.[0]
    .trim()
    .split('\n')
    .slice(2)

test('behavior: the README lists every lookup', () => {
  const lookups = operations.filter(({ tag }) => tag === 'lookups')
  expect(tableBelow('Lookups')).toEqual(
    lookups.map(({ method, path, summary }) => `| \`${method.toUpperCase()} ${path}\` | ${summary} |`),
  )
})

test('behavior: the README lists every problem', () => {
  expect(tableBelow('Problems')).toEqual(
    Object.entries(problems).map(([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`),
  )
})

test('behavior: the README names files that exist', () => {
  const files = tableBelow('Files')?.flatMap((row) => row.match(/`(?:src|test)\/\w+\.ts`/g) ?? [])
  expect(files?.length).toBeGreaterThan(8)
  for (const file of files ?? []) readFileSync(new URL(`../${file.replaceAll('`', '')}`, import.meta.url))
})
