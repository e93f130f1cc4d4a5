/** Reason why the database did not do its work. */
export type DatabaseFault = keyof typeof databaseFaults

/**
 * Each fault with its text, and the codes of PostgreSQL and of the system that tell it; the first one that has the code.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 * @see https://nodejs.org/api/tls.html#x509-certificate-error-codes
 */
export const databaseFaults = {
  disk_full: { text: 'the disk of the database is full', codes: /^(53100|ENOSPC)$/ },
  damaged: { text: 'the tables of the database are damaged', codes: /^(XX00[12]|58P01)$/ },
  crowded: {
    text: 'the database has no connection left: raise max_connections, the limit of the role or database, or the size of its pool',
    codes: /^53300$/,
  },
  read_only: { text: 'the database is read-only', codes: /^25006$/ },
  password: { text: 'the database refuses the user or its password', codes: /^28P01$/ },
  user: {
    text: 'the database does not let the user in: it has no such role, or pg_hba.conf does not allow it',
    codes: /^28...$/,
  },
  name: { text: 'the database of that name does not exist', codes: /^3D...$/ },
  rights: { text: 'the database refuses a right to the user', codes: /^42501$/ },
  untrusted: {
    text: 'no trusted TLS connection to the database can be opened',
    codes: /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_)/,
  },
  starting: { text: 'the database is starting, stopping or recovering', codes: /^57P03$/ },
  closed: { text: 'no database listens at its address', codes: /^ECONNREFUSED$/ },
  unknown_host: { text: 'the host of the database is not found', codes: /^(ENOTFOUND|EAI_)/ },
  cut_off: { text: 'no network leads to the host of the database', codes: /^E(HOST|NET)/ },
  locked: { text: 'another session of the database holds a lock that is needed: see pg_locks', codes: /^55P03$/ },
  unreachable: { text: 'the database does not respond', codes: /^(08|57P|57014|ECONN|ETIMEDOUT|EPIPE)/ },
} satisfies Record<string, { text: string; codes: RegExp }>

/**
 * Describes any thrown value for the log, without the database's own text, which may contain queries, names and
 * addresses. Only a missing right is told with its object, and with what to grant.
 */
export function describeError(error: unknown): string {
  const fault = findDatabaseFault(error)
  const code = findCode(error)
  if (fault === 'rights') return describeRight(error) ?? `${databaseFaults.rights.text} (${code})`
  if (fault) return code ? `${databaseFaults[fault].text} (${code})` : databaseFaults[fault].text
  if (code) return `error ${code}`
  const { shortMessage, message = '' } = (error ?? {}) as { shortMessage?: string; message?: string }
  const [line = ''] = (shortMessage ?? message).split('\n')
  return line.replaceAll(/\w+:\/\/\S+/g, 'a URL').slice(0, 300)
}

/** Returns which right is missing, and what to grant; `undefined` if PostgreSQL tells it in another language. */
export function describeRight(error: unknown): string | undefined {
  const { message = '', detail, cause } = (error ?? {}) as { message?: string; detail?: string; cause?: unknown }
  const [text, refusal, kind = '', name] =
    /^(permission denied for|must be owner of) (\w+(?: \w+)*?) "?([^\s"]+)"?$/.exec(message) ?? []
  if (text === undefined) return cause === undefined ? undefined : describeRight(cause)
  if (refusal === 'must be owner of') return `${text}: make the role of DATABASE_URL its owner`
  const owner = kind === 'table' ? ', or make that role its owner' : ''
  return `${text}: grant ${adviseGrant()} to the role of DATABASE_URL${owner}`

  function adviseGrant(): string {
    if (kind === 'database') return `${detail?.includes('CONNECT') ? 'connect' : 'create'} on database "${name}"`
    if (kind === 'schema') return `usage, create on schema ${name}`
    if (kind === 'table') return 'select, insert, update, delete on it'
    return `all on ${kind} ${name}`
  }
}

/** Classifies an error of the database by its code. */
export function findDatabaseFault(error: unknown): DatabaseFault | undefined {
  const code = findCode(error) ?? ''
  if (isRefusedByPooler(error)) return 'crowded'
  const faults = Object.entries(databaseFaults) as [DatabaseFault, { codes: RegExp }][]
  const known = faults.find(([, { codes }]) => codes.test(code))
  if (known) return known[0]
  // The driver has no code for these errors.
  if ((error as Error | undefined)?.message === withoutTls) return 'untrusted'
  return isUnreachable(error) ? 'unreachable' : undefined
}

/** Returns whether PgBouncer had no connection for a client: in time, or for one more client. Its code is that of other faults too. */
function isRefusedByPooler(error: unknown): boolean {
  const { message = '', cause } = (error ?? {}) as { message?: string; cause?: unknown }
  return (
    /^(query_wait_timeout|no more connections allowed)\b/.test(message) ||
    (cause !== undefined && isRefusedByPooler(cause))
  )
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
