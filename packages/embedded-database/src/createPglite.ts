import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { copyFolder, keepFolder } from './keepFolder.ts'

const { version } = JSON.parse(
  readFileSync(findPackageJSON('@electric-sql/pglite', import.meta.url) ?? '', 'utf8'),
) as { version: string }

/** An empty database of this version. Copying it takes a third of the time of creating another. */
const emptyDatabase = join(import.meta.dirname, `../node_modules/.cache/pglite-${version}`)

/**
 * Creates an embedded database under a temporary name and renames it when it is complete, because PGlite cannot open
 * a database whose creation was interrupted.
 */
export async function createPgliteDirectory(directory: string): Promise<void> {
  const unfinished = unfinishedOf(directory)
  const discard = () => rmSync(unfinished, { recursive: true, force: true })
  discard()
  try {
    copyFolder(await keepFolder(emptyDatabase, create), unfinished)
  } catch {
    // The packages of a production server may be read-only, or those of another user.
    discard()
    await create(unfinished).catch((error: unknown) => {
      discard()
      throw error
    })
  }
  renameSync(unfinished, directory)
}

/**
 * Deletes an embedded database. Renames it first, because the rest of an interrupted deletion could be neither opened
 * nor recognized. The next creation deletes it.
 */
export function deletePgliteDirectory(directory: string): void {
  const unfinished = unfinishedOf(directory)
  const remove = (path: string) => rmSync(path, { recursive: true, force: true })
  remove(unfinished)
  try {
    renameSync(directory, unfinished)
  } catch {
    // There is none, or a volume is mounted at its place.
    remove(directory)
  }
  remove(unfinished)
}

/** Returns where a database lies while it is created or deleted. */
const unfinishedOf = (directory: string) => `${directory}.new`

/**
 * Creates an embedded database in memory. Loads the files of an empty one, which takes half the time of
 * creating them, and keeps these files for the next time.
 */
export async function createPgliteInMemory(): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite')
  const file = `${emptyDatabase}.tar`
  try {
    if (existsSync(file)) return await PGlite.create('memory://', { loadDataDir: new Blob([readFileSync(file)]) })
  } catch {
    // A damaged file is replaced.
  }
  const created = await PGlite.create('memory://')
  const unfinished = `${file}.${process.pid}.${randomUUID()}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    const dumped = await created.dumpDataDir('none')
    writeFileSync(unfinished, new Uint8Array(await dumped.arrayBuffer()), { flush: true })
    renameSync(unfinished, file)
  } catch {
    // The packages of a production server may be read-only, or those of another user.
    rmSync(unfinished, { force: true })
  }
  return created
}

async function create(directory: string): Promise<void> {
  // Loaded only here, because most processes find the empty database.
  const { PGlite } = await import('@electric-sql/pglite')
  const created = await PGlite.create(directory)
  await created.close()
}
