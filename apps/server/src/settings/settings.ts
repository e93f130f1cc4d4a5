import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { createRedactor, findUnknownVariables, type ServerVariable } from '@lineage/communities'
import { findUrlFault, withVerifiedTls } from '@lineage/database'
import { config } from '@lineage/referral-api/schemas'
import * as z from 'zod'

/** The settings of the server, parsed from environment variables. */
export type Settings = ReturnType<typeof readSettings>
export type NameServiceSettings = NonNullable<Settings['nameService']>

/** Thrown for invalid environment variables. The message has one line for each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

const text = (pattern: RegExp, error: string) => z.string().regex(pattern, error)

const wholeNumber = (from: number, to: number) => {
  const error = `must be a whole number from ${from} to ${to}`
  return text(/^\d{1,6}$/, error)
    .transform(Number)
    .pipe(z.int().min(from, error).max(to, error))
}
const port = wholeNumber(1, 65_535)

const ipAddress = z
  .string()
  .refine((text) => text === 'localhost' || isIP(text) !== 0, 'must be an IP address, such as 127.0.0.1')

const list = (missing?: string) =>
  z.string({ error: missing }).transform((text) =>
    text
      .trim()
      .split(/\s*,\s*/)
      .filter(Boolean),
  )

const httpUrls = z
  .array(z.url({ protocol: /^https?$/, error: 'must be http(s) URLs, separated by commas' }))
  .min(1, 'must name at least one node')

/** Requires URLs without credentials, since browsers receive them. */
const publicHttpUrls = httpUrls.refine(
  (urls) => urls.every((url) => new URL(url).username === '' && new URL(url).password === ''),
  'must not have a user or a password: every visitor sees these URLs',
)

const origins = z
  .array(z.string())
  .refine(
    (all) => all.length > 0 && all.every(isOrigin),
    'must be https origins such as https://lineage.example, separated by commas; http only for localhost',
  )
  .transform((all) => all as [string, ...string[]])

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text && isPrivate(new URL(text))

/** Returns whether a URL is encrypted or local to this machine. */
function isPrivate({ protocol, hostname }: URL): boolean {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLocal)
}

const secret = (missing?: string) =>
  z.string({ error: missing }).refine((text) => Buffer.byteLength(text) >= 32, 'must have at least 32 bytes')

/**
 * All environment variables of this server, with their validation. `description` and `unset` are the columns of the
 * table in the README; `isSecret` marks values that must not be shown or logged.
 */
export const environment = z.object({
  PORT: port.prefault('5173').meta({ description: 'port of the pages and the API' }),
  LINEAGE_HOST: ipAddress
    .optional()
    .meta({ description: 'address to listen on; the demo listens on `127.0.0.1`', unset: 'all' }),
  LINEAGE_CONNECTIONS: wholeNumber(16, 100_000).optional().meta({
    description: 'connections at once',
    unset: '14,000, or what the open files allow',
  }),
  LINEAGE_LIMIT_LOOKUPS: wholeNumber(1, 100_000)
    .prefault('60')
    .meta({ description: 'lookups of one visitor a second; ten times as many at once' }),
  LINEAGE_LIMIT_RPC: wholeNumber(1, 100_000)
    .prefault('20')
    .meta({ description: 'calls of `/v1/rpc` of one visitor a second; ten times as many at once' }),
  LINEAGE_CONFIG: z
    .string('is missing: give the path of a configuration, a TypeScript or JSON file with the communities')
    .transform((path) => resolve(path))
    .meta({ description: 'configuration of the communities, the same as the reader’s' }),
  LINEAGE_COMMUNITIES: list()
    .pipe(z.array(z.string()).min(1, 'must name at least one community of the configuration'))
    .optional()
    .meta({ description: 'ids of the communities that this server holds, separated by commas', unset: 'all' }),
  LINEAGE_MAX_AGE: text(/^\d{1,9}$/, 'must be a number of seconds, or 0 for no limit')
    .transform(Number)
    .prefault('60')
    .meta({
      description:
        'seconds after which the newest block is too old for `/v1/ready`, 133 blocks of BNB Smart Chain by default; 0 for no limit',
    }),
  DATABASE_URL: z
    .string('is missing: give the PostgreSQL database that the reader writes, as postgres://user:password@host/name')
    .refine((text) => findUrlFault(text) === undefined, { error: ({ input }) => findUrlFault(String(input)) })
    .transform(withVerifiedTls)
    .meta({ description: 'PostgreSQL database of the index and the accounts', isSecret: true }),
  LINEAGE_RPC_URLS: list('is missing: give the JSON-RPC nodes of BNB Smart Chain, separated by commas')
    .pipe(httpUrls)
    .meta({ description: 'JSON-RPC nodes of `/v1/rpc`, in order of preference', isSecret: true }),
  LINEAGE_PUBLIC_RPC_URLS: list()
    .pipe(publicHttpUrls)
    .optional()
    .meta({ description: 'nodes that browsers may use directly; their origins join `connect-src`' }),
  LINEAGE_PROJECT_ID: text(/^[0-9A-Za-z-]{1,64}$/, 'must be the id the relay gave: letters, digits and dashes')
    .optional()
    .meta({ description: 'relay project id; with it the relay joins `connect-src` and `frame-src`' }),
  LINEAGE_RELAY_URL: z
    // The host becomes part of a policy.
    .url({ protocol: /^wss?$/, hostname: /^[\w.:[\]-]+$/, error: 'must be a ws(s) URL, such as wss://relay.example' })
    .refine(
      (url) => !URL.canParse(url) || new URL(url).password === '',
      'must not have a password: every visitor sees it',
    )
    .optional()
    .meta({ description: 'a relay of your own instead of WalletConnect’s', unset: 'WalletConnect’s relay' }),
  LINEAGE_NAMES_URL: z
    .string()
    .refine(
      (text) => URL.canParse(text) && isPrivate(new URL(text)) && !/[?#@]/.test(text),
      'must be an https URL without ? and #, such as https://names.example; http only for localhost',
    )
    .transform((text) => text.replace(/\/+$/, ''))
    .optional()
    .meta({ description: 'name service, asked at `/v1/resolve-ens` below this URL' }),
  LINEAGE_NAMES_API_KEY: text(/^[\x21-\x7e]{1,1000}$/, 'must be letters, digits and signs of ASCII, without spaces')
    .optional()
    .meta({ description: 'API key of the name service', isSecret: true }),
  LINEAGE_NAMES_HEADER: text(/^[\w-]{1,64}$/, 'must be the name of a header, such as x-api-key')
    .prefault('x-api-key')
    .meta({ description: 'header that carries the API key' }),
  LINEAGE_TRUST_PROXY: wholeNumber(0, 9)
    .prefault('0')
    .meta({ description: 'how many proxies in front append to `X-Forwarded-For`' }),
  LINEAGE_ORIGIN: list().pipe(origins).optional().meta({
    description: 'origins people sign in on, separated by commas',
    unset: '`http://localhost:PORT`, `http://127.0.0.1:PORT`',
  }),
  LINEAGE_SESSION_SECRET: secret(
    'is missing: give at least 32 random bytes, as `openssl rand -base64 32` makes them',
  ).meta({ description: 'signs sessions, at least 32 bytes', isSecret: true }),
  LINEAGE_SESSION_SECRET_OLD: secret()
    .optional()
    .meta({ description: 'an earlier secret whose sessions are still accepted', isSecret: true }),
  LINEAGE_MCP: z
    .enum(['on', 'off'], 'must be on or off')
    .prefault('on')
    .meta({ description: '`off` closes `/mcp`, where programs and agents ask the lookups' }),
  LINEAGE_WEBHOOKS: z.enum(['public', 'any', 'off'], 'must be public, any or off').prefault('public').meta({
    description:
      'where alerts may be delivered: `public` is https to public addresses; `any` also http and private ones, for a closed network; `off` offers no webhooks',
  }),
  LINEAGE_LOG: z
    .enum(['text', 'json'], 'must be text or json')
    .prefault('text')
    .meta({ description: '`text` writes faults; `json` writes them and each request, as lines of JSON' }),
  LINEAGE_LOG_VISITORS: z
    .enum(['no', 'yes'], 'must be yes or no')
    .prefault('no')
    .meta({ description: '`yes` adds the visitor’s address to each request in the log' }),
  LINEAGE_METRICS_PORT: port.optional().meta({ description: 'port of the metrics for Prometheus' }),
  LINEAGE_METRICS_HOST: ipAddress
    .prefault('127.0.0.1')
    .meta({ description: 'address to listen on for the metrics, which visitors must not reach' }),
  LINEAGE_WEB_DIR: z
    .string()
    .default(resolve(import.meta.dirname, '../../../web/dist'))
    .meta({ description: 'folder of the built web app; `none` serves `/v1` only', unset: '`apps/web/dist`' }),
} satisfies Record<ServerVariable, z.ZodType>)

/** The environment, with checks that the ports and the secrets differ. */
const consistentEnvironment = environment
  .refine(({ PORT, LINEAGE_METRICS_PORT: metrics }) => metrics !== PORT, {
    path: ['LINEAGE_METRICS_PORT'],
    error: 'must be another port than PORT',
  })
  // While the secret is changed, this would end all sessions of the other one.
  .refine(({ LINEAGE_SESSION_SECRET: secret, LINEAGE_SESSION_SECRET_OLD: old }) => old !== secret, {
    path: ['LINEAGE_SESSION_SECRET_OLD'],
    error: 'must be another secret than LINEAGE_SESSION_SECRET: the previous one or the next one, or nothing',
  })

/**
 * Reads the settings from environment variables. An empty variable counts as unset.
 *
 * @example readSettings(process.env).port
 * @throws {SettingsError} naming each invalid variable
 */
export function readSettings(variables: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()))
  const { data, error } = consistentEnvironment.safeParse(given)
  if (error) {
    const lines = new Set(error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`))
    // A missing one may be misspelt.
    throw new SettingsError([...lines, ...findUnknownVariables(given)].join('\n'))
  }
  const { LINEAGE_NAMES_URL: namesUrl, LINEAGE_SESSION_SECRET_OLD: oldSecret } = data
  const sessionSecrets: [string, ...string[]] = [data.LINEAGE_SESSION_SECRET, ...(oldSecret ? [oldSecret] : [])]
  const localOrigins: [string, ...string[]] = [`http://localhost:${data.PORT}`, `http://127.0.0.1:${data.PORT}`]
  return {
    port: data.PORT,
    host: data.LINEAGE_HOST ?? null,
    connections: data.LINEAGE_CONNECTIONS ?? null,
    lookupsPerSecond: data.LINEAGE_LIMIT_LOOKUPS,
    rpcPerSecond: data.LINEAGE_LIMIT_RPC,
    configPath: data.LINEAGE_CONFIG,
    communities: data.LINEAGE_COMMUNITIES ?? null,
    maxAge: data.LINEAGE_MAX_AGE,
    databaseUrl: data.DATABASE_URL,
    // The start script alone sets this variable.
    demo: given.LINEAGE_DEMO === undefined ? null : config.shape.demo.parse(JSON.parse(given.LINEAGE_DEMO)),
    rpcUrls: data.LINEAGE_RPC_URLS,
    publicRpcUrls: data.LINEAGE_PUBLIC_RPC_URLS ?? [],
    relayProjectId: data.LINEAGE_PROJECT_ID ?? null,
    relayUrl: data.LINEAGE_RELAY_URL ?? null,
    nameService: namesUrl
      ? { url: namesUrl, apiKey: data.LINEAGE_NAMES_API_KEY ?? null, header: data.LINEAGE_NAMES_HEADER }
      : null,
    trustedProxies: data.LINEAGE_TRUST_PROXY,
    origins: data.LINEAGE_ORIGIN ?? localOrigins,
    sessionSecrets,
    mcp: data.LINEAGE_MCP,
    webhooks: data.LINEAGE_WEBHOOKS,
    log: data.LINEAGE_LOG,
    logVisitors: data.LINEAGE_LOG_VISITORS,
    metrics: data.LINEAGE_METRICS_PORT ? { port: data.LINEAGE_METRICS_PORT, host: data.LINEAGE_METRICS_HOST } : null,
    webDir: data.LINEAGE_WEB_DIR === 'none' ? null : data.LINEAGE_WEB_DIR,
  }
}

type Secrets = Pick<Settings, 'rpcUrls' | 'nameService' | 'sessionSecrets' | 'databaseUrl'>

/** Creates a function that removes the secrets of the settings from a text. */
export const createSettingsRedactor = ({ rpcUrls, nameService, sessionSecrets, databaseUrl }: Secrets) =>
  createRedactor({
    urls: [...rpcUrls, ...(nameService ? [nameService.url] : []), databaseUrl],
    keys: [...sessionSecrets, nameService?.apiKey ?? ''],
  })
