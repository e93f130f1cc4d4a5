import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const run = (...args: string[]) => {
  const script = join(import.meta.dirname, '../bench/lookup.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('behavior: a command says its options instead of running', () => {
  const { status, stdout } = run('--help')
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^`pnpm bench:lookup \[--members 1000000\]/)])
})

test.each([
  ['--member', "Unknown option '--member'"],
  ['--members=many', '--members takes a number.'],
])('error: %s, with what the command takes', (option, message) => {
  const { status, stderr } = run(option)
  expect([status, stderr]).toEqual([1, expect.stringMatching(new RegExp(`^${message}.*\`pnpm bench:lookup`, 's'))])
})
