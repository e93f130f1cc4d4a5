import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { Delivery } from '@lineage/referral-api'
import { Webhook } from 'standardwebhooks'
import { summarizeError } from '../lib/log.ts'
import {
  hostOf,
  parseWebhookUrl,
  type Resolve,
  resolveTarget,
  type WebhookScope,
  WebhookTargetError,
} from './webhookTarget.ts'

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
