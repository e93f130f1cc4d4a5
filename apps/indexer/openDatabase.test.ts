import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('behavior: the drivers of Ponder are found without NODE_PATH, which the commands of pnpm set and production does not', () => {
  const code = `import { requireFromPonder } from './openDatabase.ts'
    console.log(['@electric-sql/pglite', 'pg'].map((name) => requireFromPonder.resolve(name)).length)`
  const env = { ...process.env, NODE_PATH: undefined, NODE_OPTIONS: undefined }
  const args = ['--input-type=module', '--eval', code]
  expect(execFileSync(process.execPath, args, { cwd: import.meta.dirname, env, encoding: 'utf8' })).toBe('2\n')
})
