import type { Status } from '@lineage/referral-api'
import { bodyLimit } from '@lineage/referral-api/problems'
import { status as statusSchema } from '@lineage/referral-api/schemas'
import { readBody } from './body.ts'
import { problem } from './problem.ts'
import type { StartNews } from './startNews.ts'

/** What of a request the indexer needs. Cookies, origins and forwarded addresses are none of its business. */
const requestHeaders = ['accept', 'content-type', 'if-none-match', 'if-modified-since']

/** What of its answer stays behind: what concerns one hop, its open CORS, and encodings undone on the way. */
const droppedHeaders = [
  'connection',
  'content-encoding',
  'keep-alive',
  'proxy-authenticate',
  'server',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-powered-by',
]

export type Indexer = {
  /** Passes a request on, its path as the visitor wrote it. */
  forward: (request: Request, target: string) => Promise<Response>
  status: () => Promise<Status>
}

export function createIndexer({ port, news, patience = 10_000 }: IndexerParameters): Indexer {
  const origin = `http://127.0.0.1:${port}`

  return {
    async forward(request, target) {
      if (!isApiTarget(target)) return problem('not_found', { detail: 'There is no such path.' })
      const body = request.method === 'POST' ? await readBody(request, bodyLimit) : undefined
      if (body === 'too_large') return problem('payload_too_large', { detail: 'A request may hold 64 kB.' })
      const headers = new Headers({ 'accept-encoding': 'identity' })
      for (const name of requestHeaders) {
        const value = request.headers.get(name)
        if (value !== null) headers.set(name, value)
      }
      const limit = new AbortController()
      const timer = setTimeout(() => limit.abort(), patience)
      const signal = AbortSignal.any([request.signal, limit.signal])
      try {
        const init = { method: request.method, headers, signal, redirect: 'manual' } as const
        const response = await fetch(`${origin}${target}`, body ? { ...init, body } : init)
        return passOn(response, patience)
      } catch {
        return unanswered(news)
      } finally {
        clearTimeout(timer)
      }
    },

    async status() {
      try {
        const response = await fetch(`${origin}/v1/status`, { signal: AbortSignal.timeout(Math.min(patience, 2_000)) })
        const status = statusSchema.parse(await response.json())
        // What the start says is about waiting, and may be a moment older.
        return { ...status, note: status.note ?? (status.state === 'ready' ? null : news.note) } as Status
      } catch {
        const { progress, note } = news
        const state = progress === null || progress.phase === 'starting' ? 'starting' : 'indexing'
        return { state, progress, asOf: null, headBlock: null, note, warnings: [], spotChecks: [] }
      }
    },
  }
}

export type IndexerParameters = {
  port: number
  news: Pick<StartNews, 'progress' | 'note'>
  /** Milliseconds until the answer must begin, and between two pieces of it. */
  patience?: number
}

/**
 * Whether a request target, as written, names a path below `/v1` and no other. Dots and slashes that a later reader might
 * decode into a way out are refused instead of resolved, since readers differ in what they resolve.
 */
export function isApiTarget(target: string): boolean {
  const [path = ''] = target.split('?')
  if (!/^\/v1(\/([\w.~!$&'()*+,;=:@-]|%[0-9a-fA-F]{2})+)+$/.test(path)) return false
  if (/%(2f|5c|00|25)/i.test(path)) return false
  return !path.split('/').some((segment) => /^\.+$/.test(segment.replaceAll(/%2e/gi, '.')))
}

function passOn(response: Response, patience: number): Response {
  const headers = new Headers(response.headers)
  if (headers.has('content-encoding')) headers.delete('content-length')
  for (const name of [...headers.keys()])
    if (droppedHeaders.includes(name) || name.startsWith('access-control-')) headers.delete(name)
  return new Response(response.body && withPatience(response.body, patience), { status: response.status, headers })
}

/** Ends a stream that brings nothing for too long. Only waiting for the indexer counts, not a visitor who reads slowly. */
function withPatience(body: ReadableStream<Uint8Array>, patience: number): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const leave = (reason?: unknown) => reader.cancel(reason).catch(() => undefined)
  return new ReadableStream({
    async pull(controller) {
      let late = false
      const timer = setTimeout(() => {
        late = true
        controller.error(new Error(`The indexer brought nothing for ${patience} ms.`))
        void leave()
      }, patience)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (late) return
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: leave,
  })
}

function unanswered(news: IndexerParameters['news']): Response {
  if (news.progress)
    return problem('indexing', {
      detail: news.note ?? 'The chain is still being read.',
      progress: news.progress,
      retryAfter: 2,
    })
  return problem('unavailable', { detail: 'The index does not answer at the moment. Try again.', retryAfter: 5 })
}
