import { renameSync, rmSync } from 'node:fs'
import { openPglite } from './openDatabase.ts'

/**
 * Creates an embedded database under another name and renames it when it is complete: PGlite cannot open one whose creation
 * was killed.
 */
export async function createPgliteDirectory(directory: string): Promise<void> {
  const unfinished = `${directory}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const created = await openPglite(unfinished)
  await created.close()
  renameSync(unfinished, directory)
}
