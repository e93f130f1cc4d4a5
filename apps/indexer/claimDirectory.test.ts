import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { claimDirectory } from './claimDirectory.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lineage-claim-'))
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

function claim() {
  const directory = join(folder, 'index')
  const onLost = vi.fn()
  expect(claimDirectory(directory, onLost)).toBe('empty')
  return { file: `${directory}.pid`, onLost }
}

test('behavior: a claim lasts while its file is there', () => {
  const { file, onLost } = claim()
  vi.advanceTimersByTime(60_000)
  expect([existsSync(file), onLost.mock.calls.length]).toEqual([true, 0])
})

test('error: a deleted folder is reported once', () => {
  const { onLost } = claim()
  rmSync(folder, { recursive: true })
  vi.advanceTimersByTime(60_000)
  expect(onLost).toHaveBeenCalledOnce()
})

test('error: a claim of another process is reported, and neither refreshed nor removed', () => {
  const { file, onLost } = claim()
  writeFileSync(file, '999999999')
  vi.advanceTimersByTime(60_000)
  expect(onLost).toHaveBeenCalledOnce()
  process.emit('exit', 0)
  expect(readFileSync(file, 'utf8')).toBe('999999999')
})
