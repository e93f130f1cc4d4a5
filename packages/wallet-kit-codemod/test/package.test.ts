import { execFile, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packPackage } from '../../../scripts/lib/packPackage.ts'

const run = promisify(execFile)
const codemod = join(import.meta.dirname, '..')
// Inside the codemod, so that its dependencies are resolved.
const folder = join(codemod, 'reports/packed')
const installed = join(folder, 'package')
const readInstalled = (file: string) => readFileSync(join(installed, file), 'utf8')
const bin = () => join(installed, JSON.parse(readInstalled('package.json')).bin['lineage-wallet-kit-codemod'])

let app: string
beforeAll(async () => {
  await packPackage('wallet-kit-codemod', folder)
  app = mkdtempSync(join(tmpdir(), 'codemod-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(app, { recursive: true, force: true })
})

test('behavior: it holds no source, and imports its dependencies alone', () => {
  expect(readdirSync(installed).sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json'])
  const { dependencies } = JSON.parse(readInstalled('package.json'))
  const code = readFileSync(bin(), 'utf8')
  const imported = [...code.matchAll(/^import .*? ?from ?["'](.+?)["']/gm)].map(([, source = '']) => source)
  expect(new Set(imported.filter((source) => !isBuiltin(source)))).toEqual(new Set(Object.keys(dependencies)))
})

test('behavior: the command rewrites an app, and names what is left', () => {
  const fixture = join(codemod, 'fixtures/next')
  cpSync(join(fixture, 'before'), app, { recursive: true })
  expect(readFileSync(bin(), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin(), 'src'], { cwd: app, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('src/app/providers.tsx:18  `modalSize` is left out')
  const files = globSync('src/**/*.*', { cwd: app })
  expect(files).toHaveLength(3)
  for (const file of files)
    expect(readFileSync(join(app, file), 'utf8')).toBe(readFileSync(join(fixture, 'after', file), 'utf8'))
})

test('error: a folder that does not exist is named', () => {
  const { status, stderr } = spawnSync(process.execPath, [bin(), 'nowhere'], { cwd: app, encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, 'nowhere does not exist. Name the folder of your app.\n'])
})

test('behavior: a release publishes the command and its texts', async () => {
  const { stdout } = await run('pnpm', ['publish', '--dry-run', '--no-git-checks', '--json'], { cwd: codemod })
  const paths = JSON.parse(stdout).files.map(({ path }: { path: string }) => path)
  expect(paths).toEqual(expect.arrayContaining(['dist/cli.js', 'README.md', 'CHANGELOG.md', 'LICENSE', 'package.json']))
})
