import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Thrown when the embedded PostgreSQL cannot start. Its message tells an operator what to do. */
export class PostgresStartError extends Error {
  override readonly name = 'PostgresStartError'
}

/** Returns the error for a folder in which PostgreSQL could not start, with the reason in plain words where known. */
export function describeStartFailure(directory: string, reason: string): PostgresStartError {
  if (/ENOSPC|no space left|disk is full|free disk space/i.test(reason)) {
    const { bavail, bsize } = statfsSync(existsSync(directory) ? directory : dirname(directory))
    const free = Math.floor((bavail * bsize) / 1e6)
    return new PostgresStartError(
      `PostgreSQL needs more room on the disk of ${directory}, where ${free} MB are free. Make room, or choose another folder.`,
    )
  }
  if (/EROFS|EACCES|EPERM|read-only|permission denied|unable to open database file|not permitted/i.test(reason))
    return new PostgresStartError(
      `PostgreSQL cannot use ${directory}: ${reason}. Make the folder writable for this user, or choose another one.`,
    )
  return new PostgresStartError(`PostgreSQL did not start in ${directory}: ${reason}`)
}
