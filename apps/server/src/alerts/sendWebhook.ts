import { lookup, Resolver } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { Delivery } from '@lineage/referral-api'
import ipaddr from 'ipaddr.js'
import { Webhook } from 'standardwebhooks'
import { summarizeError } from '../lib/log.ts'

type SendParameters = {
  url: string
  secret: string
  /** Id of the message, the same for every attempt, so that a receiver can detect repeats. */
  id: string
  body: object
}

export type SendWebhook = (message: SendParameters) => Promise<Omit<Delivery, 'alert'>>

/** Largest number of bytes read of a response. */
const answerLimit = 4_096
/** Largest number of characters kept of a response. */
const answerLength = 200
/** Time limit for the body of a response, in milliseconds. The status counts even if the body does not end. */
const bodyTime = 1_000
/** Connects to one address after the other. Each attempt has 2 s; the last one has the time limit of the exchange. */
const connecting = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2_000 }

export type WebhookSenderParameters = {
  scope: WebhookScope
  resolve: Resolve
  /** Time limit of the whole exchange, in milliseconds. */
  timeout?: number
}

/**
 * Creates the function that sends a signed message to a webhook, and returns its answer. It connects to an address that it has
 * checked, and follows no redirect.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function createWebhookSender({ scope, resolve, timeout = 10_000 }: WebhookSenderParameters): SendWebhook {
  return async ({ url: text, secret, id, body }) => {
    const startedAt = performance.now()
    const at = Math.floor(Date.now() / 1_000)
    const signal = AbortSignal.timeout(timeout)
    const exchange = async () => {
      const url = parseWebhookUrl(text, scope)
      const addresses = await withAbort(signal, () => resolveTarget(url, { scope, resolve, signal }))
      return post({ url, addresses, signal, ...sign(secret, id, body) })
    }
    const answer = await exchange().catch((error: Error) => ({ status: null, answer: toReason(error, timeout) }))
    return { at, milliseconds: Math.round(performance.now() - startedAt), ...answer }
  }
}

/** Rejects when the signal aborts, even if the work goes on. */
function withAbort<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work().then(resolve, reject)
  })
}

type Signed = { headers: Record<string, string>; payload: string }

function sign(secret: string, id: string, body: object): Signed {
  const payload = JSON.stringify(body)
  const now = new Date()
  return {
    payload,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Lineage-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, now, payload),
    },
  }
}

type PostParameters = Signed & { url: URL; addresses: readonly string[]; signal: AbortSignal }

/** Posts to the URL, connecting to the first of these addresses that accepts. The host is not resolved again. */
function post({
  url,
  addresses,
  signal,
  headers,
  payload,
}: PostParameters): Promise<Pick<Delivery, 'status' | 'answer'>> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const host = hostOf(url)
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        method: 'POST',
        host,
        lookup: (_hostname, _options, found) =>
          found(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          ),
        ...connecting,
        port: url.port || undefined,
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(payload) },
        // The certificate must match the host name, not the address.
        ...(isIP(host) === 0 && { servername: host }),
        agent: false,
        signal,
      },
      (response) => {
        let text = Buffer.alloc(0)
        const end = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          response.destroy()
          resolve({ status: response.statusCode ?? null, answer: toShown(text.toString('utf8')) })
        }
        const timer = setTimeout(end, bodyTime)
        signal.addEventListener('abort', end)
        response.on('data', (chunk: Buffer) => {
          text = Buffer.concat([text, chunk])
          if (text.length >= answerLimit) end()
        })
        response.on('end', end)
        response.on('error', end)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(payload)
  })
}

/** Shortens an untrusted text and removes characters that change how other text is displayed. */
const toShown = (text: string): string =>
  [...text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()].slice(0, answerLength).join('')

function toReason(error: Error, timeout: number): string {
  if (error instanceof WebhookTargetError) return error.message
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `No answer within ${timeout / 1_000} s.`
  return toShown(`No connection: ${summarizeError(error)}.`)
}

/** `public`: https to public addresses. `any`: http and private addresses too, for tests and closed networks. */
export type WebhookScope = 'public' | 'any'

/** Resolves a host name to all its addresses, until the signal aborts. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<string[]>

/** Thrown when a URL cannot be used as a webhook. The message says why. */
export class WebhookTargetError extends Error {
  override readonly name = 'WebhookTargetError'
}

/** Resolves names with the system's resolver, which also knows local names such as localhost. */
export const resolveLocal: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)

/** Creates a resolver that uses DNS only. Unlike `lookup`, it blocks no thread, and can be cancelled. */
export function createResolve(servers?: readonly string[]): Resolve {
  return async (hostname, signal) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    signal.removeEventListener('abort', cancel)
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

/** Global unicast, from which special ranges are excluded: https://www.iana.org/assignments/ipv6-address-space */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/** The host service of Azure, inside of each machine there. https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16 */
const azureHost = '168.63.129.16'

/**
 * Returns whether an IP address is public. Special ranges are not: loopback, private, shared, link-local, multicast,
 * documentation, and the forms of IPv6 that carry an IPv4 address (mapped, compatible, 6to4, Teredo, NAT64).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text === azureHost) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(globalUnicast)
}

/**
 * Parses the URL of a webhook. The URL parser turns every notation of an IPv4 address (`0x7f.1`, `2130706433`,
 * `127.1`) into four decimal numbers.
 *
 * @throws {WebhookTargetError}
 */
export function parseWebhookUrl(text: string, scope: WebhookScope): URL {
  if (!URL.canParse(text)) throw new WebhookTargetError('This is not a URL.')
  const url = new URL(text)
  const isEncrypted = url.protocol === 'https:'
  if (!isEncrypted && !(scope === 'any' && url.protocol === 'http:'))
    throw new WebhookTargetError('The URL must begin with https://.')
  if (url.username !== '' || url.password !== '')
    throw new WebhookTargetError('The URL must not have a user or a password.')
  const port = Number(url.port || (isEncrypted ? 443 : 80))
  if (scope === 'public' && port !== 443 && port < 1_024)
    throw new WebhookTargetError('The port must be 443, or 1024 and above.')
  const host = hostOf(url)
  if (scope === 'public' && ipaddr.isValid(host) && !isPublicAddress(host))
    throw new WebhookTargetError('The URL must lead to a public address.')
  return url
}

/** Returns the host without the brackets of IPv6. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/**
 * Resolves the host of a webhook once and returns the addresses to connect to. Throws if any of them is not public.
 *
 * @throws {WebhookTargetError}
 */
export async function resolveTarget(
  url: URL,
  { scope, resolve, signal }: { scope: WebhookScope; resolve: Resolve; signal: AbortSignal },
): Promise<string[]> {
  const host = hostOf(url)
  const addresses = ipaddr.isValid(host) ? [host] : await resolve(host, signal).catch(() => [])
  // One message for both cases, so that it does not reveal names of an internal network.
  if (addresses.length === 0 || (scope === 'public' && !addresses.every(isPublicAddress)))
    throw new WebhookTargetError('The host is unknown, or does not lead to public addresses.')
  return addresses
}
