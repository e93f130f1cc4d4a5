import { setTimeout as delay } from 'node:timers/promises'
import { type LockSession, openLockSession } from './openDatabase.ts'

export type TakeWriterLockParameters = {
  url: string
  /** The schema that one process at a time may write to. */
  schema: string
  /** Called once if another process holds the lock. */
  onWaiting: () => void
  /** Called when another process has taken the lock over after the connection was lost: this one must stop at once. */
  onLost: () => void
}

/** Milliseconds between two tries. */
const interval = 500

/**
 * Waits until no other process writes to a schema, and keeps them out as long as this process lives: the lock belongs to a
 * connection, so that PostgreSQL releases it however its owner ends.
 *
 * @see https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
 */
export async function takeWriterLock({ url, schema, onWaiting, onLost }: TakeWriterLockParameters): Promise<void> {
  /** `false` if another process holds the lock. */
  async function tryOnce(): Promise<boolean> {
    const session = await openLockSession(url, `${schema}_lock`)
    if (!(await tryLock(session, schema))) {
      await session.close()
      return false
    }
    session.onEnd(() => void retake())
    return true
  }

  /** After a restart of the database the process goes on, unless a standby was faster. */
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
 * Locks the schema for one writer, and the database for as many as there are: everything read from the chain is deleted only
 * while none of them lives.
 */
async function tryLock({ query }: LockSession, schema: string): Promise<boolean> {
  const { rows } = await query(`select pg_try_advisory_lock_shared(${keyOf('lineage')})
    and ${schemaLock(schema, 'take')} as taken`)
  return (rows as { taken: boolean }[])[0]?.taken ?? false
}

/** Expression that takes the lock of a schema's writer if no process has it, or releases it. */
export const schemaLock = (schema: string, action: 'take' | 'release'): string =>
  `${action === 'take' ? 'pg_try_advisory_lock' : 'pg_advisory_unlock'}(${keyOf(schema)})`

/** Key of a lock that no process shares. */
export const exclusiveLock = `select pg_try_advisory_lock(${keyOf('lineage')}) as taken`

function keyOf(name: string): string {
  return `hashtextextended('lineage writer ${name}', 0)`
}
