import { resolve } from 'node:path'
import * as z from 'zod'
import type { AccountsPlace } from './accounts/database.ts'

export type Settings = {
  port: number
  /** Where the indexer listens, on 127.0.0.1. */
  apiPort: number
  /** The nodes `/v1/rpc` asks, in this order. */
  rpcUrls: string[]
  /** Nodes the browser may read from by itself. */
  publicRpcUrls: string[]
  relayProjectId: string | null
  /** The relay wallets are met at; `null` is WalletConnect's. */
  relayUrl: string | null
  /** Where names of accounts come from, besides the chain. */
  names: NameService | null
  /** How many proxies stand in front and append to `X-Forwarded-For`; 0 trusts none. */
  trustedProxies: number
  /** Where people sign in, as their browsers name it. */
  origins: [string, ...string[]]
  /** The first signs sessions; the others are still believed. */
  sessionSecrets: [string, ...string[]]
  /** Where accounts are kept. */
  accounts: AccountsPlace
  /** The built app; `null` serves `/v1` alone. */
  webDir: string | null
}

export type NameService = {
  /** Asked at `/v1/resolve-ens` below it. */
  url: string
  /** Sent in `header`; `null` sends none. */
  apiKey: string | null
  header: string
}

/** What is wrong with the environment, one line a variable. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

const whole = (from: number, to: number) => {
  const error = `must be a whole number from ${from} to ${to}`
  return z
    .string()
    .regex(/^\d{1,6}$/, error)
    .transform(Number)
    .pipe(z.int().min(from, error).max(to, error))
}
const port = whole(1, 65_535)
const urls = z
  .string({ error: 'is missing: give the JSON-RPC nodes of BNB Smart Chain, separated by commas' })
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .pipe(
    z
      .array(z.url({ protocol: /^https?$/, error: 'must be http(s) URLs, separated by commas' }))
      .min(1, 'must name at least one node'),
  )

const originsError =
  'must be https origins such as https://lineage.example, separated by commas; http only for localhost'
const origins = z.string().transform((text, context) => {
  const [first, ...rest] = text.split(',').map((part) => part.trim())
  const all: [string, ...string[]] = [first ?? '', ...rest]
  if (!all.every(isOrigin)) context.addIssue({ code: 'custom', message: originsError })
  return all
})

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.origin === text && isGuarded(url)
}

function isService(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && isGuarded(url) && !/[?#@]/.test(text)
}

/** Nobody on the way can read along. */
function isGuarded({ protocol, hostname }: URL): boolean {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLocal)
}

const secret = (missing: string) =>
  z.string({ error: missing }).refine((text) => Buffer.byteLength(text) >= 32, 'must have at least 32 bytes')

const environment = z.object({
  PORT: port.default(5173),
  API_PORT: port.default(42_069),
  LINEAGE_RPC_URLS: urls,
  LINEAGE_PUBLIC_RPC_URLS: urls.default([]),
  LINEAGE_PROJECT_ID: z
    .string()
    .regex(/^[0-9A-Za-z-]{1,64}$/, 'must be the id the relay gave: letters, digits and dashes')
    .optional(),
  LINEAGE_RELAY_URL: z
    // What stands in its host stands in a policy.
    .url({ protocol: /^wss?$/, hostname: /^[\w.:[\]-]+$/, error: 'must be a ws(s) URL, such as wss://relay.example' })
    .optional(),
  LINEAGE_NAMES_URL: z
    .string()
    .refine(isService, 'must be an https URL without ? and #, such as https://names.example; http only for localhost')
    .optional(),
  LINEAGE_NAMES_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,1000}$/, 'must be letters, digits and signs of ASCII, without spaces')
    .optional(),
  LINEAGE_NAMES_HEADER: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be the name of a header, such as x-api-key')
    .default('x-api-key'),
  LINEAGE_TRUST_PROXY: whole(0, 9).default(0),
  LINEAGE_ORIGIN: origins.optional(),
  LINEAGE_SESSION_SECRET: secret('is missing: give at least 32 random bytes, as `openssl rand -base64 32` makes them'),
  LINEAGE_SESSION_SECRET_OLD: secret('').optional(),
  LINEAGE_ACCOUNTS_DIR: z.string().optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  LINEAGE_WEB_DIR: z.string().default(resolve(import.meta.dirname, '../../web/dist')),
})

/**
 * Reads the settings from environment variables. An empty variable counts as unset.
 *
 * @example readSettings(process.env).port
 * @throws {SettingsError} naming each variable that is wrong
 */
export function readSettings(variables: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const lines = new Set(parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`))
    throw new SettingsError([...lines].join('\n'))
  }
  const { data } = parsed
  return {
    port: data.PORT,
    apiPort: data.API_PORT,
    rpcUrls: data.LINEAGE_RPC_URLS,
    publicRpcUrls: data.LINEAGE_PUBLIC_RPC_URLS,
    relayProjectId: data.LINEAGE_PROJECT_ID ?? null,
    relayUrl: data.LINEAGE_RELAY_URL ?? null,
    names: data.LINEAGE_NAMES_URL
      ? {
          url: data.LINEAGE_NAMES_URL.replace(/\/+$/, ''),
          apiKey: data.LINEAGE_NAMES_API_KEY ?? null,
          header: data.LINEAGE_NAMES_HEADER,
        }
      : null,
    trustedProxies: data.LINEAGE_TRUST_PROXY,
    origins: data.LINEAGE_ORIGIN ?? [`http://localhost:${data.PORT}`, `http://127.0.0.1:${data.PORT}`],
    sessionSecrets: [
      data.LINEAGE_SESSION_SECRET,
      ...(data.LINEAGE_SESSION_SECRET_OLD ? [data.LINEAGE_SESSION_SECRET_OLD] : []),
    ],
    accounts: data.DATABASE_URL
      ? { kind: 'postgres', url: data.DATABASE_URL }
      : { kind: 'embedded', directory: data.LINEAGE_ACCOUNTS_DIR ?? null },
    webDir: data.LINEAGE_WEB_DIR === 'none' ? null : data.LINEAGE_WEB_DIR,
  }
}
