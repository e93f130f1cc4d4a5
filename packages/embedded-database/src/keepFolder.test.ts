import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { copyFolder, keepFolder } from './keepFolder.ts'

const parent = mkdtempSync(join(tmpdir(), 'lineage-kept-'))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

const create = async (folder: string) => {
  mkdirSync(join(folder, 'global'), { recursive: true })
  writeFileSync(join(folder, 'version'), '17')
  writeFileSync(join(folder, 'global', 'control'), 'whole')
}
const readControl = (folder: string) => readFileSync(join(folder, 'global', 'control'), 'utf8')

test('behavior: a folder is created once', async () => {
  const made = vi.fn(create)
  const kept = join(parent, 'once')
  for (let time = 0; time < 3; time++) expect(readControl(await keepFolder(kept, made))).toBe('whole')
  expect(made).toHaveBeenCalledTimes(1)
})

test.each<[string, (kept: string) => void]>([
  ['a missing file', (kept) => rmSync(join(kept, 'data/version'))],
  ['a truncated file', (kept) => truncateSync(join(kept, 'data/global/control'), 1)],
  ['a missing list', (kept) => rmSync(join(kept, 'files.json'))],
  ['no file', (kept) => rmSync(join(kept, 'data'), { recursive: true })],
  [
    'a file in its place',
    (kept) => {
      rmSync(kept, { recursive: true })
      writeFileSync(kept, '')
    },
  ],
])('behavior: a folder with %s is created again', async (name, damage) => {
  const kept = join(parent, name)
  await keepFolder(kept, create)
  damage(kept)
  expect(readControl(await keepFolder(kept, create))).toBe('whole')
})

test('error: a folder that cannot be created leaves nothing', async () => {
  const kept = join(parent, 'never')
  await expect(keepFolder(kept, () => Promise.reject(new Error('full')))).rejects.toThrow('full')
  expect(readdirSync(parent).filter((name) => name.startsWith('never'))).toEqual([])
})

test('behavior: a copy of a read-only folder may be written', async () => {
  const from = await keepFolder(join(parent, 'original'), create)
  const [file, folder] = ['global/control', 'global']
  chmodSync(join(from, file), 0o444)
  chmodSync(join(from, folder), 0o555)
  const to = join(parent, 'copy')
  copyFolder(from, to)
  expect([file, folder].map((name) => statSync(join(to, name)).mode & 0o777)).toEqual([0o600, 0o700])
  expect(readControl(to)).toBe('whole')
})

test('behavior: of several at once, all get the folder', async () => {
  const kept = join(parent, 'several')
  const folders = await Promise.all([1, 2, 3].map(() => keepFolder(kept, create)))
  for (const folder of folders) expect(readControl(folder)).toBe('whole')
})
