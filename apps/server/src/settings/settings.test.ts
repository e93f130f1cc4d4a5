import { expect, test } from 'vitest'
import { createSettingsRedactor, readSettings, SettingsError } from './settings.ts'

const secret = 'a secret for tests, of thirty-two bytes'
const required = {
  LINEAGE_CONFIG: '/etc/lineage.config.ts',
  DATABASE_URL: 'postgres://db.example/lineage',
  LINEAGE_SESSION_SECRET: secret,
  LINEAGE_RPC_URLS: 'https://a.example, http://127.0.0.1:8545/',
}

test('default: only the required variables', () => {
  expect(readSettings(required)).toEqual({
    port: 5173,
    host: null,
    connections: null,
    lookupsPerSecond: 60,
    rpcPerSecond: 20,
    configPath: '/etc/lineage.config.ts',
    communities: null,
    maxAge: 60,
    databaseUrl: 'postgres://db.example/lineage',
    demo: null,
    rpcUrls: ['https://a.example', 'http://127.0.0.1:8545/'],
    publicRpcUrls: [],
    relayProjectId: null,
    relayUrl: null,
    nameService: null,
    trustedProxies: 0,
    origins: ['http://localhost:5173', 'http://127.0.0.1:5173'],
    sessionSecrets: [secret],
    mcp: 'on',
    webhooks: 'public',
    log: 'text',
    logVisitors: 'no',
    metrics: null,
    webDir: expect.stringMatching(/web[/\\]dist$/),
  })
})

test('error: a missing variable that is misspelt is named with its setting', () => {
  const { LINEAGE_RPC_URLS: LINEAGE_RPC_URL, ...others } = required
  expect(() => readSettings({ ...others, LINEAGE_RPC_URL })).toThrow(
    /^LINEAGE_RPC_URLS is missing: .*\.\nLINEAGE_RPC_URL is not a setting, .* Did you mean LINEAGE_RPC_URLS\?/,
  )
})

test('behavior: all variables', () => {
  const demo = { privateKeys: [`0x${'ab'.repeat(32)}`], contract: null }
  const given = {
    PORT: '80',
    LINEAGE_HOST: '::1',
    LINEAGE_COMMUNITIES: 'one, two',
    LINEAGE_MAX_AGE: '0',
    LINEAGE_DEMO: JSON.stringify(demo),
    LINEAGE_PUBLIC_RPC_URLS: 'https://b.example',
    LINEAGE_PROJECT_ID: 'abc123',
    LINEAGE_RELAY_URL: 'wss://relay.example/v1',
    LINEAGE_NAMES_URL: 'https://names.example/api/',
    LINEAGE_NAMES_API_KEY: 'k3y',
    LINEAGE_NAMES_HEADER: 'authorization',
    LINEAGE_TRUST_PROXY: '2',
    LINEAGE_ORIGIN: 'https://lineage.example, http://localhost:8080',
    LINEAGE_SESSION_SECRET_OLD: `older ${secret}`,
    LINEAGE_WEB_DIR: 'none',
    LINEAGE_CONNECTIONS: '100',
    LINEAGE_LIMIT_LOOKUPS: '7',
    LINEAGE_LIMIT_RPC: '8',
    LINEAGE_LOG: 'json',
    LINEAGE_LOG_VISITORS: 'yes',
    LINEAGE_METRICS_PORT: '9464',
    LINEAGE_METRICS_HOST: '0.0.0.0',
  }
  expect(readSettings({ ...required, ...given })).toMatchObject({
    port: 80,
    host: '::1',
    communities: ['one', 'two'],
    maxAge: 0,
    demo,
    publicRpcUrls: ['https://b.example'],
    relayProjectId: 'abc123',
    relayUrl: 'wss://relay.example/v1',
    nameService: { url: 'https://names.example/api', apiKey: 'k3y', header: 'authorization' },
    trustedProxies: 2,
    origins: ['https://lineage.example', 'http://localhost:8080'],
    sessionSecrets: [secret, `older ${secret}`],
    webDir: null,
    connections: 100,
    lookupsPerSecond: 7,
    rpcPerSecond: 8,
    log: 'json',
    logVisitors: 'yes',
    metrics: { port: 9464, host: '0.0.0.0' },
  })
})

test('behavior: an empty variable counts as unset', () => {
  expect(readSettings({ ...required, PORT: '', LINEAGE_PROJECT_ID: ' ', LINEAGE_RELAY_URL: ' ' })).toMatchObject({
    port: 5173,
    relayProjectId: null,
    relayUrl: null,
  })
})

test('behavior: a name service needs only a URL', () => {
  expect(readSettings({ ...required, LINEAGE_NAMES_URL: 'http://localhost:1' }).nameService).toEqual({
    url: 'http://localhost:1',
    apiKey: null,
    header: 'x-api-key',
  })
  expect(readSettings({ ...required, LINEAGE_NAMES_API_KEY: 'k3y' }).nameService).toBeNull()
})

test.each([
  [
    'no node',
    { ...required, LINEAGE_RPC_URLS: '' },
    'LINEAGE_RPC_URLS is missing: give the JSON-RPC nodes of BNB Smart Chain, separated by commas.',
  ],
  ['only commas', { ...required, LINEAGE_RPC_URLS: ' , ' }, 'LINEAGE_RPC_URLS must name at least one node.'],
  [
    'not http',
    { ...required, LINEAGE_RPC_URLS: 'file:///etc/passwd' },
    'LINEAGE_RPC_URLS must be http(s) URLs, separated by commas.',
  ],
  ['a port out of range', { ...required, PORT: '70000' }, 'PORT must be a whole number from 1 to 65535.'],
  [
    'a name to listen on',
    { ...required, LINEAGE_HOST: 'example.com' },
    'LINEAGE_HOST must be an IP address, such as 127.0.0.1.',
  ],
  [
    'a password in a public URL',
    { ...required, LINEAGE_PUBLIC_RPC_URLS: 'https://b.example,https://me:pass@c.example' },
    'LINEAGE_PUBLIC_RPC_URLS must not have a user or a password: every visitor sees these URLs.',
  ],
  [
    'a password in the URL of the relay',
    { ...required, LINEAGE_RELAY_URL: 'wss://me:pass@relay.example' },
    'LINEAGE_RELAY_URL must not have a password: every visitor sees it.',
  ],
  ['a port that is not a number', { ...required, PORT: 'abc' }, 'PORT must be a whole number from 1 to 65535.'],
  [
    'a number of proxies that is not a number',
    { ...required, LINEAGE_TRUST_PROXY: 'yes' },
    'LINEAGE_TRUST_PROXY must be a whole number from 0 to 9.',
  ],
  ...['https://relay.example', 'relay.example', 'wss://', "wss://relay';script-src.example"].map(
    (url): [string, Record<string, string>, string] => [
      `the relay ${url}`,
      { ...required, LINEAGE_RELAY_URL: url },
      'LINEAGE_RELAY_URL must be a ws(s) URL, such as wss://relay.example.',
    ],
  ),
  ...['http://names.example', 'names.example', 'https://names.example/?a', 'https://me:pass@names.example'].map(
    (url): [string, Record<string, string>, string] => [
      `the name service ${url}`,
      { ...required, LINEAGE_NAMES_URL: url },
      'LINEAGE_NAMES_URL must be an https URL without ? and #, such as https://names.example; http only for localhost.',
    ],
  ),
  [
    'an invalid API key and header',
    { ...required, LINEAGE_NAMES_API_KEY: 'a\nb', LINEAGE_NAMES_HEADER: 'x: y' },
    'LINEAGE_NAMES_API_KEY must be letters, digits and signs of ASCII, without spaces.\nLINEAGE_NAMES_HEADER must be the name of a header, such as x-api-key.',
  ],
  [
    'no secret',
    { ...required, LINEAGE_SESSION_SECRET: '' },
    'LINEAGE_SESSION_SECRET is missing: give at least 32 random bytes, as `openssl rand -base64 32` makes them.',
  ],
  [
    'a short secret',
    { ...required, LINEAGE_SESSION_SECRET: 'short' },
    'LINEAGE_SESSION_SECRET must have at least 32 bytes.',
  ],
  [
    'a short old secret',
    { ...required, LINEAGE_SESSION_SECRET_OLD: 'short' },
    'LINEAGE_SESSION_SECRET_OLD must have at least 32 bytes.',
  ],
  [
    'an origin without https',
    { ...required, LINEAGE_ORIGIN: 'http://lineage.example' },
    'LINEAGE_ORIGIN must be https origins such as https://lineage.example, separated by commas; http only for localhost.',
  ],
  [
    'no configuration',
    { ...required, LINEAGE_CONFIG: '' },
    'LINEAGE_CONFIG is missing: give the path of a configuration, a TypeScript or JSON file with the communities.',
  ],
  [
    'no database',
    { ...required, DATABASE_URL: '' },
    'DATABASE_URL is missing: give the PostgreSQL database that the reader writes, as postgres://user:password@host/name.',
  ],
  [
    'no community',
    { ...required, LINEAGE_COMMUNITIES: ',' },
    'LINEAGE_COMMUNITIES must name at least one community of the configuration.',
  ],
  [
    'a database other than PostgreSQL',
    { ...required, DATABASE_URL: 'mysql://db' },
    'DATABASE_URL must be the URL postgres://user:password@host/name, with special characters as %40.',
  ],
  [
    'several hosts of a database',
    { ...required, DATABASE_URL: 'postgres://me:s3cret@a,b/name' },
    'DATABASE_URL names several hosts, and can name only one: give the address that always leads to the primary, which a managed service or a proxy has.',
  ],
  ['a log of another kind', { ...required, LINEAGE_LOG: 'xml' }, 'LINEAGE_LOG must be text or json.'],
  ['another word for MCP', { ...required, LINEAGE_MCP: 'yes' }, 'LINEAGE_MCP must be on or off.'],
  ['visitors in the log', { ...required, LINEAGE_LOG_VISITORS: 'true' }, 'LINEAGE_LOG_VISITORS must be yes or no.'],
  [
    'a limit of none',
    { ...required, LINEAGE_LIMIT_LOOKUPS: '0' },
    'LINEAGE_LIMIT_LOOKUPS must be a whole number from 1 to 100000.',
  ],
  [
    'too few connections',
    { ...required, LINEAGE_CONNECTIONS: '2' },
    'LINEAGE_CONNECTIONS must be a whole number from 16 to 100000.',
  ],
  [
    'metrics on the port of the pages',
    { ...required, LINEAGE_METRICS_PORT: '5173' },
    'LINEAGE_METRICS_PORT must be another port than PORT.',
  ],
  [
    'the same secret twice',
    { ...required, LINEAGE_SESSION_SECRET_OLD: secret },
    'LINEAGE_SESSION_SECRET_OLD must be another secret than LINEAGE_SESSION_SECRET: the previous one or the next one, or nothing.',
  ],
  [
    'two invalid variables',
    { ...required, PORT: '0', LINEAGE_PROJECT_ID: "x'; script-src *" },
    'PORT must be a whole number from 1 to 65535.\nLINEAGE_PROJECT_ID must be the id the relay gave: letters, digits and dashes.',
  ],
])('error: %s', (_, given, message) => {
  expect(() => readSettings(given)).toThrow(new SettingsError(message))
})

test('behavior: no secret of the settings is left in a text', () => {
  const redact = createSettingsRedactor(
    readSettings({
      ...required,
      DATABASE_URL: 'postgres://lineage:s3cret-word@db.example/lineage',
      LINEAGE_RPC_URLS: 'https://a.example/0123456789abcdef',
      LINEAGE_SESSION_SECRET_OLD: 'an older secret for tests, of thirty-two bytes',
      LINEAGE_NAMES_URL: 'https://names.example/k3y42x',
      LINEAGE_NAMES_API_KEY: 'names-k3y',
    }),
  )
  const secrets = ['s3cret-word', '0123456789abcdef', secret, 'an older secret for tests, of thirty-two bytes']
  for (const one of [...secrets, 'k3y42x', 'names-k3y']) expect(redact(`of ${one}!`)).toBe('of ***!')
})
