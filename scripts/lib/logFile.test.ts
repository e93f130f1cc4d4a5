import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openLogFile } from './logFile.ts'
import { createCleanUp } from './testing.ts'

const made = createCleanUp()
afterEach(made.cleanUp)

test('behavior: a log is kept over restarts, and rotated at its size, also one of an earlier start', () => {
  const folder = join(made.folder(), 'logs')
  const file = join(folder, 'server.log')
  const write = (from: number, to: number) => {
    const append = openLogFile(file, { maxBytes: 20, kept: 2 })
    for (let line = from; line < to; line++) append(`line ${line}`)
  }
  write(1, 3)
  write(3, 4)
  expect(readFileSync(file, 'utf8')).toBe('line 3\n')
  write(4, 9)
  expect(readdirSync(folder).toSorted()).toEqual(['server.log', 'server.log.1', 'server.log.2'])
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  expect([read('server.log.2'), read('server.log.1'), read('server.log')]).toEqual([
    'line 3\nline 4\n',
    'line 5\nline 6\n',
    'line 7\nline 8\n',
  ])
})

test('behavior: a log that cannot be written is tried again', () => {
  const folder = join(made.folder(), 'logs')
  const file = join(folder, 'server.log')
  const append = openLogFile(file)
  rmSync(folder, { recursive: true })
  append('lost')
  mkdirSync(folder)
  append('kept')
  expect(readFileSync(file, 'utf8')).toBe('kept\n')
})
