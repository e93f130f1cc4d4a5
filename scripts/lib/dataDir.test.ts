import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { DataDirError, dataDir } from './dataDir.ts'
import { createCleanUp } from './testing.ts'

const made = createCleanUp()
afterEach(made.cleanUp)

const hash = `0x${'ab'.repeat(32)}`

function put(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'kept')
  return path
}

test('behavior: deletes indexes of demo chains, never accounts or the index of a real chain', async () => {
  const base = made.folder()
  const data = dataDir(base, 5173)
  const demo = put(join(data.index('demo', hash), 'pg/file'))
  const lock = put(`${data.index('demo', hash)}.pid`)
  const kept = [
    put(join(data.index('chain', hash), 'pg/file')),
    put(join(data.root, 'accounts/pg/file')),
    put(join(data.root, 'accounts/demo-named/file')),
    put(join(dataDir(base, 5174).index('demo', hash), 'pg/file')),
  ]
  await data.forgetDemos()
  expect([existsSync(demo), existsSync(lock)]).toEqual([false, false])
  expect(kept.map((path) => readFileSync(path, 'utf8'))).toEqual(kept.map(() => 'kept'))
})

test('behavior: an empty folder', async () => {
  const data = dataDir(join(made.folder(), 'new'), 5173)
  await data.forgetDemos()
  expect(await data.claimant()).toBeUndefined()
})

test('behavior: each chain and each port has its own folder', () => {
  const data = dataDir('/data', 5173)
  const places = [
    data.index('demo', hash),
    data.index('demo', `0x${'cd'.repeat(32)}`),
    data.index('chain', hash),
    dataDir('/data', 5174).index('demo', hash),
  ]
  expect(new Set(places).size).toBe(4)
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
