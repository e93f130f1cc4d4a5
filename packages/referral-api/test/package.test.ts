import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packPackage } from '../../../scripts/lib/installExamples.ts'

const run = promisify(execFile)
const folder = join(import.meta.dirname, '..')
const host = join(folder, 'reports/host')
let tarball: string

beforeAll(async () => {
  tarball = await packPackage('referral-api', host)
})
afterAll(() => rmSync(host, { recursive: true, force: true }))

test('publint finds nothing', async () => {
  const { messages, pkg } = await publint({ pkgDir: join(host, 'package'), pack: false, strict: true })
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
})

test('its types are found by every way in which ESM is resolved', async () => {
  // Exits with an error if it finds a problem.
  await run(join(folder, 'node_modules/.bin/attw'), [tarball, '--profile', 'esm-only'])
})

test('TypeScript before 5.7, which has no generic Uint8Array, reads its types', () => {
  expect(readFileSync(join(host, 'package/dist/index.d.ts'), 'utf8')).not.toContain('Uint8Array<')
})

test('it holds no source, and needs zod and leven alone', () => {
  expect(readdirSync(join(host, 'package')).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
  ])
  const {
    dependencies,
    peerDependencies = {},
    ...rest
  } = JSON.parse(readFileSync(join(host, 'package/package.json'), 'utf8'))
  expect([Object.keys(dependencies), Object.keys(peerDependencies)]).toEqual([['leven', 'zod'], []])
  expect(rest).toMatchObject({ license: 'MIT', type: 'module', sideEffects: false })
})

test('behavior: the client loads the schemas with the first response, not before', () => {
  const code = readFileSync(join(host, 'package/dist/index.js'), 'utf8')
  expect(code).toContain('import("./schemas.js")')
  expect(code).not.toMatch(/from ?["'](zod|\.\/schemas\.js)["']/)
})

test('behavior: a release publishes every entry with its types and texts', async () => {
  const { stdout } = await run('pnpm', ['publish', '--dry-run', '--no-git-checks', '--json'], { cwd: folder })
  const paths = new Set(JSON.parse(stdout).files.map(({ path }: { path: string }) => `./${path}`))
  const { exports } = JSON.parse(readFileSync(join(host, 'package/package.json'), 'utf8'))
  const targets = Object.values<Record<string, string>>(exports).flatMap((entry) => Object.values(entry))
  expect(targets).toHaveLength(14)
  for (const target of [...targets, './README.md', './CHANGELOG.md', './LICENSE']) expect(paths).toContain(target)
})
