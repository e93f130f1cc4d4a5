/** Reason why the database did not answer. */
export type DatabaseFault = 'unreachable' | 'disk_full' | 'damaged'

/**
 * Describes any thrown value for the log, without the database's own text, which may contain queries, names and
 * addresses.
 */
export function describeError(error: unknown): string {
  const fault = findDatabaseFault(error)
  const code = findCode(error)
  if (fault) return code ? `${meanings[fault]} (${code})` : meanings[fault]
  if (isRefusal(error)) return `the database refuses the user, its password, its rights or the name (${code})`
  if (code) return `error ${code}`
  const { shortMessage, message = '' } = (error ?? {}) as { shortMessage?: string; message?: string }
  const [line = ''] = (shortMessage ?? message).split('\n')
  return line.replaceAll(/\w+:\/\/\S+/g, 'a URL').slice(0, 300)
}

/** Returns whether an operator must change the user or password (class 28), the name (3D) or the rights (42501). */
export const isRefusal = (error: unknown): boolean => /^(28...|3D...|42501)$/.test(findCode(error) ?? '')

const meanings: Record<DatabaseFault, string> = {
  unreachable: 'the database does not respond',
  disk_full: 'the disk of the database is full',
  damaged: 'the tables of the database are damaged',
}

/**
 * Classifies an error of the database by its code.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function findDatabaseFault(error: unknown): DatabaseFault | undefined {
  const code = findCode(error) ?? ''
  if (code === '53100' || code === 'ENOSPC') return 'disk_full'
  if (/^XX00[12]$/.test(code) || code === '58P01') return 'damaged'
  if (/^(08|57P|57014|53300)|^(ECONN|ETIMEDOUT|EPIPE|EHOST|ENET|ENOTFOUND|EAI_)/.test(code)) return 'unreachable'
  // The driver has no code for these errors.
  return isUnreachable(error) ? 'unreachable' : undefined
}

function isUnreachable(error: unknown): boolean {
  const { message = '', cause } = (error ?? {}) as { message?: string; cause?: unknown }
  if (
    /connection terminated|timeout expired|timeout exceeded when trying to connect|query read timeout|is not queryable|pglite is closed/i.test(
      message,
    )
  )
    return true
  return cause !== undefined && isUnreachable(cause)
}

/** Returns the code of an error or of its causes: five characters of PostgreSQL, or the name of a system error. */
function findCode(error: unknown): string | undefined {
  const { code, cause, errors } = (error ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown[] }
  if (typeof code === 'string' && /^[A-Z0-9_]{5,40}$/.test(code)) return code
  return cause === undefined && !errors?.length ? undefined : findCode(cause ?? errors?.[0])
}
