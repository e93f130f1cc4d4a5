import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createPgliteDirectory } from './createPglite.ts'
import { holdsOtherFiles } from './holdsOtherFiles.ts'

const folder = mkdtempSync(join(tmpdir(), 'lineage-other-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each<[string, boolean, (path: string) => unknown]>([
  ['nothing', false, () => undefined],
  ['an empty folder', false, (path) => mkdirSync(path)],
  ['a database', false, createPgliteDirectory],
  ['a file', true, (path) => writeFileSync(path, '')],
  ['a folder with a file', true, (path) => mkdirSync(join(path, 'photos'), { recursive: true })],
  [
    'the folder of a PostgreSQL server',
    true,
    async (path) => {
      await createPgliteDirectory(path)
      writeFileSync(join(path, 'postmaster.opts'), '')
    },
  ],
])('holdsOtherFiles: %s: %s', async (name, expected, place) => {
  const path = join(folder, name)
  await place(path)
  expect(holdsOtherFiles(path)).toBe(expected)
})
