import pg from 'pg'
import { isRefusal } from './describeError.ts'

export type CheckDatabaseReturnType =
  | { status: 'usable' }
  /** The database may answer later: it is starting or cannot be reached. */
  | { status: 'silent'; message: string }
  /** The database refuses until an operator changes the password, the rights or the name. */
  | { status: 'refused'; message: string }

/**
 * Returns whether a text is a URL of a PostgreSQL database. The driver's own error would contain the URL, and the driver
 * takes a text without a scheme for a database's name. A fragment, or an @ in the name, is the rest of a password with a
 * sign that is not escaped: a part of it would be taken for the host.
 */
export function isDatabaseUrl(text: string): boolean {
  if (!/^(postgres(ql)?:\/\/|socket:|\/(?!\/))/i.test(text)) return false
  const url = URL.parse(text.replace('@/', '@host/'), 'postgres://host')
  return url !== null && !url.pathname.includes('@') && url.hash === ''
}

/** Time limit of the check, in milliseconds. */
const timeout = 5_000

/**
 * Checks whether the PostgreSQL server at the URL of DATABASE_URL accepts its user and lets it create schemas. `message`
 * tells it in PostgreSQL's own text, as a sentence if it refuses.
 */
export async function checkDatabase(url: string): Promise<CheckDatabaseReturnType> {
  let client: pg.Client | undefined
  try {
    client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeout, query_timeout: timeout })
    // A lost connection also rejects the query, which reports it.
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query<{ user: string; database: string; may: boolean }>(
      `select current_user as user, current_database() as database, has_database_privilege(current_database(), 'create') as may`,
    )
    const [row] = rows
    if (!row || row.may) return { status: 'usable' }
    return refuse(
      `PostgreSQL says: permission denied for database ${row.database}: user ${row.user} may not create schemas. Run: grant create on database "${row.database}" to "${row.user}"`,
    )
  } catch (error) {
    // If several addresses were tried, the last error is enough.
    const { message } = error instanceof AggregateError ? error.errors.at(-1) : (error as Error)
    const text = message.replace(/\.$/, '')
    // For example a file of certificates that does not exist.
    if (client === undefined) return refuse(text)
    return isRefusal(error) ? refuse(`PostgreSQL says: ${text}`) : { status: 'silent', message: text }
  } finally {
    await client?.end().catch(() => undefined)
  }
}

const refuse = (reason: string) => ({
  status: 'refused' as const,
  message: `DATABASE_URL cannot be used. ${reason}.`,
})
