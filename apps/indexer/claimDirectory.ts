import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

type Database = { query(sql: string): Promise<unknown>; close(): Promise<void> }

const heartbeat = 2_000
/** A process that has not been heard of for so long is another one that got the same number. */
const patience = 10_000

/**
 * Makes a PGlite directory this process's own: two at once would ruin it. Where its last holder was killed, Ponder's
 * lock is released, which would otherwise be waited for up to 25 seconds.
 */
export async function claimDirectory(directory: string, schema: string): Promise<'claimed' | { heldBy: number }> {
  const file = `${directory}.pid`
  if (existsSync(file)) {
    const heldBy = Number(readFileSync(file, 'utf8'))
    if (isRunning(heldBy) && Date.now() - statSync(file).mtimeMs < patience) return { heldBy }
    if (existsSync(directory)) await releaseLock(directory, schema)
  }
  mkdirSync(dirname(directory), { recursive: true })
  writeFileSync(file, String(process.pid))
  setInterval(() => utimesSync(file, new Date(), new Date()), heartbeat).unref()
  process.once('exit', () => rmSync(file, { force: true }))
  return 'claimed'
}

async function releaseLock(directory: string, schema: string): Promise<void> {
  console.log('The index was not closed: its lock is released.')
  // The very version that Ponder opens the directory with.
  const { PGlite } = createRequire(import.meta.resolve('ponder'))('@electric-sql/pglite') as {
    PGlite: { create(directory: string): Promise<Database> }
  }
  const database = await PGlite.create(directory)
  await database
    .query(`update "${schema}"._ponder_meta set value = jsonb_set(value, '{is_locked}', '0')`)
    // Killed before its first table, or filled for another configuration: there is no lock.
    .catch(() => undefined)
  await database.close()
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
