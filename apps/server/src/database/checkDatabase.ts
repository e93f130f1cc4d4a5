import pg from 'pg'
import { summarizeError } from '../lib/log.ts'

export type CheckDatabaseReturnType =
  | { status: 'usable' }
  /** The database may answer later: it is starting or cannot be reached. */
  | { status: 'silent'; message: string }
  /** The database refuses until an operator changes the password, the rights or the name. */
  | { status: 'refused'; message: string }

/** Time limit of the check, in milliseconds. */
const timeout = 5_000

/**
 * Checks whether the PostgreSQL server at a URL accepts its user and lets it create schemas. `message` is
 * PostgreSQL's own text.
 */
export async function checkDatabase(url: string): Promise<CheckDatabaseReturnType> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeout, query_timeout: timeout })
  // A lost connection also rejects the query, which reports it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ user: string; database: string; may: boolean }>(
      `select current_user as user, current_database() as database, has_database_privilege(current_database(), 'create') as may`,
    )
    const [row] = rows
    if (!row || row.may) return { status: 'usable' }
    const rights = `permission denied for database ${row.database}: user ${row.user} may not create schemas`
    return { status: 'refused', message: `${rights}. Run: grant create on database "${row.database}" to "${row.user}"` }
  } catch (error) {
    const message = summarizeError(error)
    return { status: isFinal((error as { code?: unknown }).code) ? 'refused' : 'silent', message }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Returns whether an error is about the user (28), the name of the database (3D) or rights (42). */
const isFinal = (code: unknown): boolean => typeof code === 'string' && /^(28|3D|42)...$/.test(code)
