import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { claimDirectory, DirectoryInUseError } from './claimDirectory.ts'

let folder: string
let directory: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lineage-claim-'))
  directory = join(folder, 'index')
  file = `${directory}.pid`
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

/** The id of no process. */
const ended = '999999999'
const unexpected = () => {
  throw new Error('The claim was lost.')
}

function claim() {
  const onLost = vi.fn()
  return { ...claimDirectory(directory, onLost), onLost }
}

test('behavior: a claim lasts while its file is there', () => {
  const { left, onLost } = claim()
  vi.advanceTimersByTime(60_000)
  expect([left, existsSync(file), onLost.mock.calls.length]).toEqual(['empty', true, 0])
})

test('behavior: a released folder is closed, and the next claim says so', () => {
  mkdirSync(directory)
  claim().release()
  expect(existsSync(file)).toBe(false)
  expect(claim().left).toBe('closed')
})

test('behavior: the folder of a process that was killed is claimed, also when another has its number now', () => {
  mkdirSync(directory)
  writeFileSync(file, ended)
  const first = claimDirectory(directory, unexpected)
  expect(first.left).toBe('killed')
  first.release()
  writeFileSync(file, String(process.ppid))
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(file, longAgo, longAgo)
  expect(claimDirectory(directory, unexpected).left).toBe('killed')
})

test('error: a folder that another process has open is refused', () => {
  writeFileSync(file, String(process.ppid))
  expect(() => claimDirectory(directory, unexpected)).toThrow(DirectoryInUseError)
  expect(() => claimDirectory(directory, unexpected)).toThrow(
    `${directory} is open in process ${process.ppid}, which must end first`,
  )
})

test('error: a deleted folder is reported once', () => {
  const { onLost } = claim()
  rmSync(folder, { recursive: true })
  vi.advanceTimersByTime(60_000)
  expect(onLost.mock.calls).toEqual([[undefined]])
})

test('error: a claim of another process is reported once, and neither refreshed nor removed', () => {
  const { onLost, release } = claim()
  writeFileSync(file, ended)
  vi.advanceTimersByTime(60_000)
  expect(onLost.mock.calls).toEqual([[Number(ended)]])
  release()
  expect(readFileSync(file, 'utf8')).toBe(ended)
})

test('error: a deleted folder that another process has claimed since is reported again', () => {
  const { onLost } = claim()
  rmSync(file)
  vi.advanceTimersByTime(10_000)
  writeFileSync(file, ended)
  vi.advanceTimersByTime(2_000)
  expect(onLost.mock.calls).toEqual([[undefined], [Number(ended)]])
})
