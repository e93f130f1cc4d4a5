import { renameSync, rmSync } from 'node:fs'
import { openPglite } from './openDatabase.ts'

/**
 * Creates an embedded database under a temporary name and renames it when it is complete, because PGlite cannot open
 * a database whose creation was interrupted.
 */
export async function createPgliteDirectory(directory: string): Promise<void> {
  const unfinished = `${directory}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const created = await openPglite(unfinished)
  await created.close()
  renameSync(unfinished, directory)
}
