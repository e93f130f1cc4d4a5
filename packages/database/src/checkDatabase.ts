import pg from 'pg'
import {
  type DatabaseFault,
  databaseFaults,
  describeRight,
  findCode,
  findDatabaseFault,
  withoutTls,
} from './describeError.ts'
import { prepareSession } from './openPool.ts'

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
function isDatabaseUrl(text: string): boolean {
  if (!/^(postgres(ql)?:\/\/|socket:|\/(?!\/))/i.test(text)) return false
  const url = URL.parse(text.replace('@/', '@host/'), 'postgres://host')
  return url !== null && !url.pathname.includes('@') && url.hash === ''
}

/** Returns why the text of DATABASE_URL cannot be used, as the rest of a sentence; `undefined` for the URL of one server. */
export function findUrlFault(text: string): string | undefined {
  if (namesHosts(text))
    return 'names several hosts, and can name only one: give the address that always leads to the primary, which a managed service or a proxy has'
  return isDatabaseUrl(text)
    ? undefined
    : 'must be the URL postgres://user:password@host/name, with special characters as %40'
}

/**
 * Replaces `sslmode=require`, `prefer` and `verify-ca` in a database URL by `verify-full`. The driver treats them alike, but prints a
 * warning of ten lines, and its next major version will verify less.
 */
export function withVerifiedTls(url: string): string {
  return url.includes('uselibpqcompat=')
    ? url
    : url.replace(/([?&]sslmode=)(require|prefer|verify-ca)(?=&|$)/, '$1verify-full')
}

/** Returns whether a URL names hosts as libpq takes them, in its authority or its parameters: `a:5432,b:5432`. */
function namesHosts(text: string): boolean {
  const [address = '', query = ''] = text.replace(/^\w+:\/\//, '').split('?')
  const [hosts = ''] = address.slice(address.lastIndexOf('@') + 1).split('/')
  const parameters = new URLSearchParams(query)
  return [hosts, parameters.get('host'), parameters.get('port')].some((one) => one?.includes(','))
}

/** Time limit of the check, in milliseconds. */
const timeout = 5_000

/** Faults that last until an operator changes something. */
const lasting: readonly DatabaseFault[] = ['password', 'user', 'name']

/** Version of PostgreSQL that has all that our statements and pg-boss's use. */
const oldestVersion = 14

/**
 * Checks whether the PostgreSQL server at the URL of DATABASE_URL can be used: its certificate, user, rights, version,
 * encoding, and that no pooler shares its connections. `message` tells what it says, as a sentence if it refuses.
 *
 * @param schemas Schemas that the process creates, or creates tables in.
 */
export async function checkDatabase(url: string, schemas: readonly string[]): Promise<CheckDatabaseReturnType> {
  const fault = findUrlFault(url)
  if (fault !== undefined) return { status: 'refused', message: `DATABASE_URL ${fault}.` }
  let client: pg.Client | undefined
  try {
    client = createClient(url)
    await client.connect()
    const { rows } = await client.query<Facts>(
      `select current_user as user, current_database() as database, has_database_privilege(current_database(), 'create') as may,
        array(select name from unnest($1::text[]) name where to_regnamespace(name) is null) as missing,
        array(select nspname::text from pg_namespace where nspname = any($1)
          and not (has_schema_privilege(nspname, 'usage') and has_schema_privilege(nspname, 'create'))) as closed,
        current_setting('server_version') as version, current_setting('server_encoding') as encoding`,
      [schemas],
    )
    const unfit = findUnfit(rows[0] as Facts) ?? (await findPooler(client, url))
    return unfit === undefined ? { status: 'usable' } : refuse(unfit)
  } catch (error) {
    // If several addresses were tried, the last error is enough.
    const { message } = error instanceof AggregateError ? error.errors.at(-1) : (error as Error)
    const text = message.replace(/\.$/, '')
    // For example a file of certificates that does not exist.
    if (client === undefined) return refuse(text)
    const fault = findDatabaseFault(error)
    // Node adds advice of its own after a semicolon.
    if (fault === 'untrusted') return refuse(describeTls(findCode(error), text.split(';')[0] ?? ''))
    if (fault === 'rights') return refuse(`PostgreSQL says: ${describeRight(error) ?? text}`)
    if (fault && lasting.includes(fault)) return refuse(`PostgreSQL says: ${text}`)
    return { status: 'silent', message: fault ? `${databaseFaults[fault].text}: ${text}` : text }
  } finally {
    await client?.end().catch(() => undefined)
  }
}

function createClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeout, query_timeout: timeout })
  // A lost connection also rejects the query, which reports it.
  return client.on('error', () => undefined)
}

type Facts = {
  user: string
  database: string
  version: string
  encoding: string
  /** Whether the user may create schemas. */
  may: boolean
  /** Schemas that do not exist, and those that the user may not use or fill. */
  missing: readonly string[]
  closed: readonly string[]
}

/** Returns why a database cannot be used; `undefined` if it can. */
export function findUnfit({ user, database, version, encoding, ...facts }: Facts): string | undefined {
  if (Number.parseInt(version, 10) < oldestVersion)
    return `It is PostgreSQL ${version}, and ${oldestVersion} or newer is needed`
  if (encoding !== 'UTF8')
    return `The database ${database} has the encoding ${encoding}, and UTF8 is needed. Run: create database "NAME" encoding 'UTF8' template template0`
  const [missing, closed] = [facts.missing.join(', '), facts.closed.join(', ')]
  if (closed)
    return `User ${user} may not use the schema ${closed}, or create tables in it. Run: grant usage, create on schema ${closed} to "${user}"`
  if (!missing || facts.may) return undefined
  return `PostgreSQL says: permission denied for database ${database}: user ${user} may not create schemas. Run: grant create on database "${database}" to "${user}"; or create ${missing} for it, and grant usage and create on them`
}

/** Returns why the database cannot be used if a pooler gives its connections to one client after the other. */
async function findPooler(client: pg.Client, url: string): Promise<string | undefined> {
  const other = createClient(url)
  const backendOf = async (one: pg.Client) => (await one.query('select pg_backend_pid() as pid')).rows[0].pid
  try {
    await other.connect()
    // A pooler that keeps a connection for a client with settings of its own may be used.
    for (const one of [client, other]) await prepareSession(one)
    const own = await backendOf(client)
    // Other clients of the pooler may hide it in a round.
    for (let round = 0; round < 3; round++) {
      if ((await backendOf(other)) === own) return sharedByPooler
      await other.query('begin')
      if ((await backendOf(client)) !== own) return sharedByPooler
      await other.query('rollback')
    }
  } catch {
    // A second connection may not be free now.
  } finally {
    await other.end().catch(() => undefined)
  }
  return undefined
}

const sharedByPooler =
  'It leads to a pooler in transaction mode, such as PgBouncer with pool_mode = transaction. Set session mode, or use the address of PostgreSQL itself'

function describeTls(code: string | undefined, text: string): string {
  if (text === withoutTls)
    return 'PostgreSQL offers no TLS. Turn it on there, or set sslmode=disable in the URL if you trust the network'
  if (code?.startsWith('ERR_SSL_')) return `No TLS connection can be opened: ${text}`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `The certificate of PostgreSQL is for another host: ${text}. Use a host of the certificate in the URL`
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `The certificate of PostgreSQL is not valid now: ${text}. Renew it`
  return `The certificate of PostgreSQL is not of a known authority: ${text}. Add sslrootcert=FILE with the certificate of its authority to the URL, or name that file in NODE_EXTRA_CA_CERTS`
}

const refuse = (reason: string) => ({
  status: 'refused' as const,
  message: `DATABASE_URL cannot be used. ${reason}.`,
})
