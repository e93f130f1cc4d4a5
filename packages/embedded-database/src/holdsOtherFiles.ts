import { readdirSync, statSync } from 'node:fs'

/** Returns whether there is something else than an embedded database, or than an empty folder, at a path. */
export function holdsOtherFiles(directory: string): boolean {
  const stats = statSync(directory, { throwIfNoEntry: false })
  if (!stats) return false
  if (!stats.isDirectory()) return true
  const files = readdirSync(directory)
  return files.length > 0 && !files.includes('PG_VERSION')
}
