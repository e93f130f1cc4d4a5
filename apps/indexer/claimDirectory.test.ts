import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { claimDirectory } from './claimDirectory.ts'

const folder = mkdtempSync(join(tmpdir(), 'lineage-claim-'))
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

test('error: a heartbeat after the folder was deleted does not end the process', () => {
  vi.useFakeTimers()
  const directory = join(folder, 'index')
  expect(claimDirectory(directory)).toBe('empty')
  expect(existsSync(`${directory}.pid`)).toBe(true)
  rmSync(folder, { recursive: true })
  expect(() => vi.advanceTimersByTime(10_000)).not.toThrow()
})
