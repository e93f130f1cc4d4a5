import { readdirSync, statSync } from 'node:fs'

/**
 * Returns whether a path holds files of others: a file, or a folder that is neither empty nor an embedded database. The
 * folder of a PostgreSQL server differs by `postmaster.opts`, which only the server writes.
 */
export function holdsOtherFiles(directory: string): boolean {
  const stats = statSync(directory, { throwIfNoEntry: false })
  if (!stats) return false
  if (!stats.isDirectory()) return true
  const files = readdirSync(directory)
  return files.length > 0 && (!files.includes('PG_VERSION') || files.includes('postmaster.opts'))
}
