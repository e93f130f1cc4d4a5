import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { claimDirectory, DirectoryInUseError } from './claimDirectory.ts'

const folder = mkdtempSync(join(tmpdir(), 'lineage-claim-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('error: a folder that another process has open is refused', () => {
  const directory = join(folder, 'a')
  writeFileSync(`${directory}.pid`, String(process.ppid))
  expect(() => claimDirectory(directory)).toThrow(DirectoryInUseError)
  expect(() => claimDirectory(directory)).toThrow(
    `${directory} is open in process ${process.ppid}, which must end first`,
  )
})

test('behavior: the folder of a process that was killed is claimed, also when another has its number now', () => {
  const directory = join(folder, 'b')
  writeFileSync(`${directory}.pid`, '999999999')
  claimDirectory(directory)()
  expect(existsSync(`${directory}.pid`)).toBe(false)
  writeFileSync(`${directory}.pid`, String(process.ppid))
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(`${directory}.pid`, longAgo, longAgo)
  claimDirectory(directory)()
})

test('error: a process whose folder another one has claimed ends, and leaves the claim', () => {
  vi.useFakeTimers()
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as () => never)
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
  const file = join(folder, 'c.pid')
  const release = claimDirectory(join(folder, 'c'))
  rmSync(file)
  vi.advanceTimersByTime(10_000)
  expect(exit).not.toHaveBeenCalled()
  writeFileSync(file, '999999999')
  vi.advanceTimersByTime(2_000)
  expect(exit).toHaveBeenCalledWith(75)
  expect(said).toHaveBeenCalledWith(expect.stringContaining('was opened by process 999999999'))
  release()
  expect(existsSync(file)).toBe(true)
})
