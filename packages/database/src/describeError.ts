/** Reason why the database did not do its work. */
export type DatabaseFault = keyof typeof databaseFaults

export const databaseFaults = {
  unreachable: 'the database does not respond',
  crowded: 'the database has no connection left: raise max_connections, or the size of its pool',
  refused: 'the database refuses the user, its password, its rights or the name',
  untrusted: 'no trusted TLS connection to the database can be opened',
  read_only: 'the database is read-only',
  disk_full: 'the disk of the database is full',
  damaged: 'the tables of the database are damaged',
}

/**
 * Describes any thrown value for the log, without the database's own text, which may contain queries, names and
 * addresses.
 */
export function describeError(error: unknown): string {
  const fault = findDatabaseFault(error)
  const code = findCode(error)
  if (fault) return code ? `${databaseFaults[fault]} (${code})` : databaseFaults[fault]
  if (code) return `error ${code}`
  const { shortMessage, message = '' } = (error ?? {}) as { shortMessage?: string; message?: string }
  const [line = ''] = (shortMessage ?? message).split('\n')
  return line.replaceAll(/\w+:\/\/\S+/g, 'a URL').slice(0, 300)
}

/**
 * Classifies an error of the database by its code.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 * @see https://nodejs.org/api/tls.html#x509-certificate-error-codes
 */
export function findDatabaseFault(error: unknown): DatabaseFault | undefined {
  const code = findCode(error) ?? ''
  if (code === '53100' || code === 'ENOSPC') return 'disk_full'
  if (/^XX00[12]$/.test(code) || code === '58P01') return 'damaged'
  if (code === '53300') return 'crowded'
  if (code === '25006') return 'read_only'
  // The user or its password (class 28), the name (3D) or the rights.
  if (/^(28...|3D...|42501)$/.test(code)) return 'refused'
  if (/^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_)/.test(code)) return 'untrusted'
  if (/^(08|57P|57014)|^(ECONN|ETIMEDOUT|EPIPE|EHOST|ENET|ENOTFOUND|EAI_)/.test(code)) return 'unreachable'
  // The driver has no code for these errors.
  if ((error as Error | undefined)?.message === withoutTls) return 'untrusted'
  return isUnreachable(error) ? 'unreachable' : undefined
}

/** Error of the driver if PostgreSQL refuses TLS. */
export const withoutTls = 'The server does not support SSL connections'

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
export function findCode(error: unknown): string | undefined {
  const { code, cause, errors } = (error ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown[] }
  if (typeof code === 'string' && /^[A-Z0-9_]{5,40}$/.test(code)) return code
  return cause === undefined && !errors?.length ? undefined : findCode(cause ?? errors?.[0])
}
