import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { DataDirError, dataDir } from './dataDir.ts'
import { createCleanUp } from './testing.ts'

const made = createCleanUp()
afterEach(made.cleanUp)

function put(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'kept')
  return path
}

test('behavior: an empty folder', async () => {
  expect(await dataDir(join(made.folder(), 'new'), 5173).claimant()).toBeUndefined()
})

test('behavior: each port has its own database', () => {
  expect(dataDir('/data', 5173).postgres).not.toBe(dataDir('/data', 5174).postgres)
})

test('behavior: a claim counts while its process runs', async () => {
  const data = dataDir(made.folder(), 5173)
  await data.claim()
  // The claim of this process does not count.
  expect(await data.claimant()).toBeUndefined()
  const file = join(data.root, 'running.json')
  writeFileSync(file, JSON.stringify({ pid: process.ppid, since: 'then' }))
  expect(await data.claimant()).toEqual({ pid: process.ppid, since: 'then' })
  for (const text of [JSON.stringify({ pid: 2 ** 30, since: 'then' }), '{', '{}', 'null']) {
    writeFileSync(file, text)
    expect(await data.claimant()).toBeUndefined()
  }
  await data.release()
  expect(existsSync(file)).toBe(false)
})

test('error: the folder is a file', async () => {
  const data = dataDir(put(join(made.folder(), 'file')), 5173)
  const error = await data.claim().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(DataDirError)
  expect((error as Error).message).toMatch(/^Cannot write to .*LINEAGE_DATA_DIR to another\.$/)
})

test.runIf(existsSync('/dev/full'))('error: the disk of the folder is full', async () => {
  const folder = made.folder()
  const data = dataDir(folder, 5173)
  mkdirSync(join(folder, '5173'))
  symlinkSync('/dev/full', join(folder, '5173', 'running.json'))
  const error = await data.claim().catch((reason: unknown) => reason)
  expect((error as Error).message).toMatch(/Make room on its disk, or set LINEAGE_DATA_DIR to another\.$/)
})
