import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const isTest = (file: string) => /\.(test|spec|stories|d)\.tsx?$|\/(test|vitest)\//.test(file)
const read = (patterns: string[]) =>
  globSync(patterns, { cwd: root, exclude: (name) => /node_modules|dist/.test(name) })
    .filter((file) => !isTest(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

const sources = read(['{packages,apps}/*/src/**/*.{ts,tsx}', 'scripts/**/*.ts'])
/** Files that name what is published or started by itself. */
const lists = read(['{,packages/*/,apps/*/}{package,knip}.json', '{packages,apps}/*/*.config.ts', 'scripts/run.mjs'])
const importOf = /(from|import) '[^']*'/g
/** All other mentions of files: dynamic imports, workers, programs. */
const mentions = [...sources, ...lists].map(({ text }) => text.replaceAll(importOf, '')).join('\n')

/** Returns whether a file exists for two others, or by itself: it is published, started, or loaded later. */
function isNeeded(file: string): boolean {
  const name = basename(file)
  const importers = sources.filter(({ text }) => text.match(importOf)?.some((one) => one.endsWith(`/${name}'`)))
  const isPublished = importers.some(({ file: by }) => /\/(index|exports\/[\w-]+)\.ts$/.test(by))
  return importers.length > 1 || isPublished || new RegExp(`[/{,"']${name.replace(/\.tsx?$/, '')}\\b`).test(mentions)
}

test('behavior: a file of fewer than 20 lines has two importers, is an entry, or loads later', () => {
  const small = sources.filter(({ text }) => text.split('\n').length <= 20).map(({ file }) => file)
  expect(small.length).toBeGreaterThan(20)
  expect(small.filter((file) => !isNeeded(file))).toEqual([])
})

test('behavior: processes load one instance of viem and its parts', () => {
  const [, snapshots = ''] = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8').split('\nsnapshots:\n')
  // A workspace package without the development dependency `typescript` gets an instance of its own.
  const versions = [...snapshots.matchAll(/^ {2}((viem|ox|abitype)@[\d.]+).*:$/gm)].map(([, version]) => version)
  expect(versions.length).toBeGreaterThanOrEqual(3)
  expect(versions).toEqual([...new Set(versions)])
})
