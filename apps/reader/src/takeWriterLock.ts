import { setTimeout as delay } from 'node:timers/promises'
import { type LockSession, openLockSession } from './openDatabase.ts'

export type TakeWriterLockParameters = {
  url: string
  /** Schema that only one process may write to at a time. */
  schema: string
  /** Called once if another process holds the lock. */
  onWaiting: () => void
  /** Called when another process has taken over the lock after a lost connection: this process must stop at once. */
  onLost: () => void
}

/** Milliseconds between two attempts. */
const interval = 500

/**
 * Waits until no other process writes to a schema, then locks it as long as this process lives. The lock belongs to a
 * connection, so PostgreSQL releases it in any case when the process ends.
 *
 * @see https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
 */
export async function takeWriterLock({ url, schema, onWaiting, onLost }: TakeWriterLockParameters): Promise<void> {
  /** Tries to take the lock. Returns `false` if another process holds it. */
  async function tryOnce(): Promise<boolean> {
    const session = await openLockSession(url, `${schema}_lock`)
    let isTaken = false
    try {
      isTaken = await tryLock(session, schema)
    } finally {
      if (!isTaken) await session.close()
    }
    if (isTaken) session.onEnd(() => void retake())
    return isTaken
  }

  /** Takes the lock again after the database restarted. The process continues unless another process was faster. */
  async function retake(): Promise<void> {
    for (;;) {
      const taken = await tryOnce().catch(() => undefined)
      if (taken) return
      if (taken === false) return onLost()
      await delay(interval, undefined, { ref: false })
    }
  }

  if (await tryOnce()) return
  onWaiting()
  while (!(await tryOnce().catch(() => false))) await delay(interval)
}

/**
 * Locks the schema for one writer, and the database for any number of writers: data read from the chain can be
 * deleted only while no writer runs.
 */
async function tryLock({ query }: LockSession, schema: string): Promise<boolean> {
  const { rows } = await query(`select pg_try_advisory_lock_shared(${keyOf('lineage')})
    and ${schemaLock(schema, 'take')} as taken`)
  return (rows as { taken: boolean }[])[0]?.taken ?? false
}

/** Returns SQL that takes the lock of a schema's writer if it is free, or releases it. */
export const schemaLock = (schema: string, action: 'take' | 'release'): string =>
  `${action === 'take' ? 'pg_try_advisory_lock' : 'pg_advisory_unlock'}(${keyOf(schema)})`

/** SQL that takes the database's lock exclusively. */
export const exclusiveLock = `select pg_try_advisory_lock(${keyOf('lineage')}) as taken`

function keyOf(name: string): string {
  return `hashtextextended('lineage writer ${name}', 0)`
}
