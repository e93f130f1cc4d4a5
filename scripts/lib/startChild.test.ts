import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type Child, startChild, withParent } from './startChild.ts'
import { createCleanUp, isAlive } from './testing.ts'

const made = createCleanUp()
afterEach(made.cleanUp)

/** A module that prints its process id, ignores SIGTERM and keeps running. */
const deaf = `process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1000)`

function start(parameters: Omit<Parameters<typeof startChild>[0], 'logFile'>) {
  const lines: string[] = []
  const logFile = join(made.folder(), 'logs/child.log')
  const child = startChild({ ...parameters, logFile, onLine: (line) => lines.push(line) })
  made.later(() => child.stop(0))
  return { child, lines, logFile }
}

async function firstNumber(lines: string[]): Promise<number> {
  await expect.poll(() => lines.length).toBeGreaterThan(0)
  const pid = Number(lines[0])
  made.later(() => isAlive(pid) && process.kill(pid, 'SIGKILL'))
  return pid
}

test('behavior: its output goes to its log, its tail and onLine', async () => {
  const { child, lines, logFile } = start({
    module: made.module(`console.log('one'); console.error('two'); process.exit(3)`),
  })
  expect(await child.ended).toEqual({ code: 3, signal: null })
  await expect.poll(() => lines.toSorted()).toEqual(['one', 'two'])
  expect(child.tail().toSorted()).toEqual(['one', 'two'])
  await expect.poll(() => readFileSync(logFile, 'utf8').split('\n').toSorted()).toEqual(['', 'one', 'two'])
})

test.skipIf(process.platform !== 'linux')('behavior: runs on when its log cannot be written', async () => {
  const child = startChild({
    module: made.module(`console.log('one'); setTimeout(() => console.log('two'), 300)`),
    logFile: '/dev/full',
  })
  expect(await child.ended).toEqual({ code: 0, signal: null })
  await expect.poll(() => child.tail()).toEqual(['one', 'two'])
})

test('behavior: messages go both ways; one to an ended process is dropped', async () => {
  const messages: unknown[] = []
  const echo = made.module(`process.on('message', (message) => { process.send(message); process.disconnect() })`)
  const { child } = start({ module: echo, onMessage: (message) => messages.push(message) })
  child.send({ hello: 1 })
  expect(await child.ended).toEqual({ code: 0, signal: null })
  expect(messages).toEqual([{ hello: 1 }])
  child.send({ hello: 2 })
})

test('behavior: stop ends a process that ignores SIGTERM, and its children', async () => {
  const { child, lines } = start(withParent(process.execPath, ['-e', deaf]))
  const pid = await firstNumber(lines)
  await child.stop(100)
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('error: a program that does not exist', async () => {
  const { child } = start(withParent('/no/such/program', []))
  expect((await child.ended).code).toBe(1)
  expect(child.tail().join()).toContain('/no/such/program did not start')
})

describe.skipIf(process.platform === 'win32')('no process is left behind', () => {
  test('behavior: Ctrl-C in the terminal reaches only the start itself', async () => {
    const { child, lines } = start(withParent(process.execPath, ['-e', deaf]))
    const pid = await firstNumber(lines)
    const groupOf = (one: number) => execFileSync('ps', ['-o', 'pgid=', '-p', String(one)], { encoding: 'utf8' }).trim()
    expect(groupOf(pid)).toBe(String(child.pid))
    expect(groupOf(process.pid)).not.toBe(groupOf(pid))
  })

  test('behavior: the program ends with its killed wrapper', async () => {
    const { child, lines } = start(withParent(process.execPath, ['-e', deaf]))
    const pid = await firstNumber(lines)
    process.kill(child.pid, 'SIGKILL')
    expect((await child.ended).signal).toBe('SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('behavior: reports the signal that ended the program', async () => {
    const { child, lines } = start(withParent(process.execPath, ['-e', deaf]))
    process.kill(await firstNumber(lines), 'SIGKILL')
    expect(await child.ended).toEqual({ code: null, signal: 'SIGKILL' })
  })

  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'behavior: %s of the parent ends the wrapper and the program',
    async (signal) => {
      const polite = deaf.replace('() => {}', '() => process.exit()')
      const parent = made.module(`
      import { withParent, startChild } from ${JSON.stringify(new URL('startChild.ts', import.meta.url).href)}
      const program = withParent(process.execPath, ['-e', ${JSON.stringify(polite)}])
      const child = startChild({ ...program, logFile: ${JSON.stringify(join(made.folder(), 'x.log'))}, onLine: (pid) => {
        console.log(JSON.stringify([child.pid, Number(pid)]))
      } })
    `)
      const running = spawn(process.execPath, [parent], { stdio: ['ignore', 'pipe', 'inherit'] })
      const pids: number[] = JSON.parse(String((await once(running.stdout, 'data'))[0]))
      made.later(() => pids.filter(isAlive).map((pid) => process.kill(pid, 'SIGKILL')))
      expect(pids.map(isAlive)).toEqual([true, true])
      running.kill(signal)
      await expect.poll(() => pids.map(isAlive)).toEqual([false, false])
    },
  )
})

test('behavior: the tail has 30 lines', async () => {
  const many = made.module(`for (let line = 0; line < 100; line++) console.log(line)`)
  const { child, lines } = start({ module: many })
  await child.ended
  await expect.poll(() => lines.length).toBe(100)
  expect((child satisfies Child).tail()).toEqual(Array.from({ length: 30 }, (_, index) => String(index + 70)))
})
