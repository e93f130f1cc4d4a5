import type { Status } from '@lineage/referral-api'
import { communities, status as statusSchema } from '@lineage/referral-api/schemas'
import { proxy } from 'hono/proxy'
import type { Health } from '../findFaults.ts'
import { notFound, problem } from '../problem.ts'
import type { StartupState } from '../startupState.ts'
import { isApiTarget } from './isApiTarget.ts'
import { withIdleTimeout } from './withIdleTimeout.ts'

/** The request headers the indexer needs. It gets no cookies, origins or forwarded addresses. */
const requestHeaders = ['accept', 'content-type', 'if-none-match', 'if-modified-since']

/** The response headers that are Ponder's own: visitors do not talk to the indexer. */
const isPonderHeader = (name: string) =>
  ['server', 'set-cookie', 'x-powered-by'].includes(name) || name.startsWith('access-control-')

export type IndexerParameters = {
  /** On 127.0.0.1. */
  port: number
  startup: Pick<StartupState, 'progress' | 'note'>
  /** Milliseconds until the answer must begin, and between two of its chunks. */
  timeout: number
}

export type Indexer = {
  /** Passes a request on. `target` is its path and query as the visitor sent them, `body` its body if it has one. */
  forward: (request: Request, target: string, body: string | null) => Promise<Response>
  /** Reads a lookup's answer for the server itself; rejects unless it is a success. */
  read: (path: string) => Promise<unknown>
  /** Returns the status of the indexer, or of the startup while the indexer does not answer. */
  getStatus: () => Promise<Status>
  /** Returns the members of each community; none while the indexer does not answer. */
  countMembers: () => Promise<ReadonlyMap<string, number>>
  /** Returns whether the indexer answered the last time its status was asked for. */
  getHealth: () => Health
}

/** Creates the connection to the indexer. */
export function createIndexer({ port, startup, timeout }: IndexerParameters): Indexer {
  const origin = `http://127.0.0.1:${port}`
  let health: Health = { status: 'unknown' }
  return {
    getHealth: () => health,

    async forward(request, target, body) {
      if (!isApiTarget(target)) return notFound()
      const ending = new AbortController()
      const end = () => ending.abort()
      const timer = setTimeout(end, timeout)
      const { signal } = request
      try {
        const response = await proxy(`${origin}${target}`, {
          method: request.method,
          headers: requestHeaders.flatMap((name) => {
            const value = request.headers.get(name)
            return value === null ? [] : [[name, value] as [string, string]]
          }),
          // As bytes: for a string fetch would add a content-type.
          body: body === null ? null : new TextEncoder().encode(body),
          signal: ending.signal,
          redirect: 'manual',
        })
        // Not earlier: the indexer works until it answers, and this takes its place and is charged.
        signal.addEventListener('abort', end, { once: true })
        if (signal.aborted) end()
        if (response.status < 500 || response.status === 503) return toVisitorResponse(response, timeout)
        await response.body?.cancel()
        console.error(`The indexer answered with status ${response.status}. See its log.`)
        return problem('unavailable', { detail: 'The index cannot answer this now. Try again later.', retryAfter: 5 })
      } catch {
        return unavailable(startup)
      } finally {
        clearTimeout(timer)
      }
    },

    async read(path) {
      const response = await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(Math.min(timeout, 2_000)) })
      if (response.ok) return response.json()
      await response.body?.cancel()
      throw new Error(`The indexer answered with status ${response.status}.`)
    },

    async countMembers() {
      try {
        const response = await fetch(`${origin}/v1/communities`, { signal: AbortSignal.timeout(2_000) })
        const { items } = communities.parse(await response.json())
        return new Map(items.map(({ id, members }) => [id, members]))
      } catch {
        return new Map()
      }
    },

    async getStatus() {
      try {
        const response = await fetch(`${origin}/v1/status`, { signal: AbortSignal.timeout(Math.min(timeout, 2_000)) })
        const status = statusSchema.parse(await response.json())
        health = { status: 'working' }
        // The startup's note is about waiting, which is over.
        return { ...status, note: status.note ?? (status.state === 'ready' ? null : startup.note) } as Status
      } catch {
        if (health.status !== 'failing') health = { status: 'failing', since: Date.now() }
        const { progress, note } = startup
        const state = progress === null || progress.phase === 'starting' ? 'starting' : 'indexing'
        return { state, progress, asOf: null, headBlock: null, note, warnings: [], spotChecks: [] }
      }
    },
  }
}

function toVisitorResponse({ body, headers, status }: Response, timeout: number): Response {
  for (const name of [...headers.keys()]) if (isPonderHeader(name)) headers.delete(name)
  const createError = () => new Error(`The indexer sent nothing for ${timeout} ms.`)
  return new Response(body && withIdleTimeout(body, timeout, createError), { status, headers })
}

function unavailable({ progress, note }: IndexerParameters['startup']): Response {
  if (progress) return problem('indexing', { detail: note ?? 'The chain is being indexed.', progress, retryAfter: 2 })
  return problem('unavailable', { detail: 'The index does not answer. Try again later.', retryAfter: 5 })
}
