import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { runCommand } from './runCommand.ts'
import { createCleanUp, isAlive } from './testing.ts'

const made = createCleanUp()
afterEach(made.cleanUp)

/** A shell command that starts a long process, and writes its id to the standard output. */
const startOther = 'sleep 1000 & echo $!'

async function run(command: string, options: Parameters<typeof runCommand>[1] = {}) {
  const folder = made.folder()
  const [log, stdout] = [join(folder, 'log'), join(folder, 'stdout')]
  const code = await runCommand(['sh', '-c', command], {
    log,
    stdout,
    signal: new AbortController().signal,
    ...options,
  })
  return { code, log: readFileSync(log, 'utf8'), other: Number(readFileSync(stdout, 'utf8')) }
}

test.skipIf(process.platform === 'win32').each([
  ['that ends', `${startOther}; exit 3`, {}, 3, ''],
  [
    'that exceeds its time',
    `${startOther}; wait`,
    { timeout: 3_000 },
    1,
    /did not end within 0\.05 minutes[\s\S]*sleep 1000[\s\S]*was ended by SIGTERM/,
  ],
  [
    'that ignores SIGTERM',
    `trap '' TERM; ${startOther}; wait; sleep 1000`,
    { timeout: 3_000 },
    1,
    /sleep 1000[\s\S]*was ended by SIGKILL/,
  ],
])('behavior: no process is left of a program %s', async (_, command, options, code, log) => {
  const ended = await run(command, options)
  expect(ended.code).toBe(code)
  expect(ended.log).toMatch(log)
  await expect.poll(() => isAlive(ended.other)).toBe(false)
})

test('error: a program that does not exist', async () => {
  const log = join(made.folder(), 'log')
  expect(await runCommand(['lineage-nothing'], { log })).toBe(1)
  expect(readFileSync(log, 'utf8')).toContain('`lineage-nothing` did not start: spawn lineage-nothing ENOENT')
})
