import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

/** Runs a command and waits until its pipes close: none of its child processes may keep running. */
async function run(...args: string[]) {
  const child = spawn(process.execPath, ['scripts/run.mjs', ...args], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill())
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk))
  const [code] = await once(child, 'close')
  return { code, text }
}

describe('npm test', () => {
  test('behavior: runs the steps named, prints how many tests passed, and ends', async () => {
    const { code, text } = await run('test', 'chromium')
    expect(text.trim().split('\n').at(-1)).toBe('1 passed, 0 failed')
    expect(code).toBe(0)
  })

  test('error: unknown step', async () => {
    const { code, text } = await run('test', 'nothing')
    expect(text).toMatch(/There is no step "nothing"\. Steps: page, chromium, .*\blint, .*\btypes\b/)
    expect(code).toBe(1)
  })
})

test('error: unknown command', async () => {
  const { code, text } = await run('servr')
  expect(text).toBe('Unknown command "servr": use server, reader, inspect, accounts, deploy, start, test, example.\n')
  expect(code).toBe(1)
})
