import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

test('behavior: the driver of Ponder is found without NODE_PATH, which the commands of pnpm set and production does not', () => {
  const code = `import { requireFromPonder } from './openDatabase.ts'
    console.log(requireFromPonder.resolve('pg').length > 0)`
  const env = { ...process.env, NODE_PATH: undefined, NODE_OPTIONS: undefined }
  const args = ['--input-type=module', '--eval', code]
  expect(execFileSync(process.execPath, args, { cwd: import.meta.dirname, env, encoding: 'utf8' })).toBe('true\n')
})

test('behavior: the embedded database is opened with the copy that Ponder uses', () => {
  const ponder = realpathSync(findPackageJSON('ponder', import.meta.url) ?? '')
  const own = findPackageJSON('@electric-sql/pglite', import.meta.url) ?? ''
  expect(realpathSync(own)).toBe(realpathSync(findPackageJSON('@electric-sql/pglite', pathToFileURL(ponder)) ?? ''))
})
