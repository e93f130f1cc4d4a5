import type { ServerResponse } from 'node:http'
import type { LiveLine } from '@lineage/referral-api/live'
import { problem } from '../problem.ts'
import { type Channel, createChannel, type Reader } from './createChannel.ts'
import { createTeamCounts } from './createTeamCounts.ts'
import { readLines } from './readLines.ts'

/** Limits of the streams of all visitors. */
const defaultLiveLimits = {
  streams: 5_000,
  perVisitor: 12,
  /** Bytes that wait for a reader who is slow; beyond them the stream ends. */
  waiting: 256 * 1024,
}

export type LiveParameters = {
  /** Port of the indexer on 127.0.0.1. */
  port: number
  limits?: Partial<typeof defaultLiveLimits>
  /** Milliseconds between two signs of life: less than proxies wait, and than connections may be idle. */
  beat?: number
  /** Milliseconds for the indexer to begin, and between two of its lines. */
  timeout?: number
}

type OpenParameters = {
  community: string
  /** Address in lower case; `null` for the whole community. */
  team: string | null
  /** The `Last-Event-ID` of a reader who resumes. */
  id: string | undefined
  visitor: string
  outgoing: ServerResponse
  headers: Record<string, string>
}

export type Live = ReturnType<typeof createLive>

const lineLimit = 64 * 1024 * 1024

/** Creates the streams of all communities. While a community has readers, one connection to the indexer feeds them. */
export function createLive({ port, limits, beat = 10_000, timeout = 10_000 }: LiveParameters) {
  const { streams, perVisitor, waiting } = { ...defaultLiveLimits, ...limits }
  const feeds = new Map<string, Feed>()
  const visitors = new Map<string, number>()
  const ends = new Set<() => void>()
  const timer = setInterval(() => {
    for (const { channel } of feeds.values()) channel.beat()
  }, beat)
  timer.unref()

  /** Returns the feed of a community once the indexer has begun to answer, or its refusal. */
  function findFeed(community: string): Feed {
    const known = feeds.get(community)
    if (known) return known
    const url = `http://127.0.0.1:${port}/v1/communities/${encodeURIComponent(community)}`
    const feed = createFeed(url, timeout, () => {
      if (feeds.get(community) === feed) feeds.delete(community)
    })
    feeds.set(community, feed)
    return feed
  }

  function refuse(visitor: string): Response | undefined {
    if (ends.size >= streams)
      return problem('unavailable', {
        detail: 'The server has as many streams as it can. Try again in 30 s.',
        retryAfter: 30,
      })
    if ((visitors.get(visitor) ?? 0) < perVisitor) return undefined
    const detail = `You have ${perVisitor} streams, as many as you may. Close one, or try again in 30 s.`
    return problem('rate_limited', { detail, retryAfter: 30 })
  }

  function count(visitor: string, by: 1 | -1): void {
    const rest = (visitors.get(visitor) ?? 0) + by
    if (rest === 0) visitors.delete(visitor)
    else visitors.set(visitor, rest)
  }

  return {
    /** Begins a stream, or returns the problem why there is none. */
    async open({ community, team, id, visitor, outgoing, headers }: OpenParameters): Promise<Response | undefined> {
      const refusal = refuse(visitor)
      if (refusal) return refusal
      // Counted from here on: others may ask while the indexer is asked.
      const end = () => void outgoing.end()
      ends.add(end)
      count(visitor, 1)
      const free = () => {
        ends.delete(end)
        count(visitor, -1)
      }
      const feed = findFeed(community)
      const release = feed.use()
      const problemOfFeed = await feed.begun
      if (problemOfFeed || outgoing.destroyed) {
        release()
        free()
        return problemOfFeed?.clone() ?? new Response(null)
      }
      outgoing.writeHead(200, { ...headers, ...streamHeaders })
      // Not all at one moment, when the indexer starts again.
      outgoing.write(`retry: ${Math.round(1_000 + Math.random() * 4_000)}\n\n`)
      const remove = feed.channel.add(createReader({ team, id, outgoing, waiting }))
      const stopWatch = feed.onEnd(end)
      outgoing.once('close', () => {
        remove()
        stopWatch()
        release()
        free()
      })
      return undefined
    },
    get size() {
      return ends.size
    },
    /** Ends all streams, so that the server can stop. */
    close(): void {
      clearInterval(timer)
      for (const end of ends) end()
      for (const feed of feeds.values()) feed.close()
    },
  }
}

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // Asks nginx not to hold it back.
  'x-accel-buffering': 'no',
  'cross-origin-resource-policy': 'same-origin',
}

type ReaderParameters = Pick<Reader, 'team' | 'id'> & { outgoing: ServerResponse; waiting: number }

/** Creates a reader who is dropped when more waits for it than it may. It resumes where it was. */
function createReader({ team, id, outgoing, waiting }: ReaderParameters): Reader {
  return {
    team,
    id,
    send(bytes) {
      if (outgoing.destroyed || outgoing.writableEnded) return
      // The first bytes of a reader who resumes may be many.
      if (outgoing.writableLength > waiting) outgoing.destroy()
      else outgoing.write(bytes)
    },
  }
}

type Feed = ReturnType<typeof createFeed>

/** Connects to the feed of a community. It ends with the connection, or with its last stream. */
function createFeed(url: string, timeout: number, onEnded: () => void) {
  const abort = new AbortController()
  const channel: Channel = createChannel({
    teams: createTeamCounts(async (addresses) => {
      const body = JSON.stringify({ addresses })
      const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(timeout)])
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`${url}/members/batch`, { method: 'POST', headers, body, signal })).json()
    }),
  })
  const listeners = new Set<() => void>()
  let users = 0
  let begin: (problem: Response | undefined) => void = () => undefined
  const begun = new Promise<Response | undefined>((resolve) => {
    begin = resolve
  })

  async function run(): Promise<void> {
    let timer = setTimeout(() => abort.abort(), timeout)
    try {
      const response = await fetch(`${url}/feed`, { signal: abort.signal })
      if (!response.ok || !response.body) return begin(await toProblem(response))
      for await (const line of readLines<LiveLine>(response.body, lineLimit)) {
        clearTimeout(timer)
        timer = setTimeout(() => abort.abort(), timeout)
        channel.take(line)
        if (channel.state === 'ready') begin(undefined)
      }
    } catch {
      // The streams end, and their readers ask again.
    } finally {
      clearTimeout(timer)
      onEnded()
      begin(problem('unavailable', { detail: 'The index does not answer. Try again in 5 s.', retryAfter: 5 }))
      abort.abort()
      for (const listener of listeners) listener()
    }
  }

  void run()
  return {
    channel,
    /** Resolves once the first line is there, or to the problem why there is none. */
    begun,
    close: () => abort.abort(),
    onEnd(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Counts a user. Returns a function that is called once by it; after the last one the connection ends. */
    use(): () => void {
      users++
      return () => {
        users--
        if (users > 0) return
        onEnded()
        abort.abort()
      }
    },
  }
}

/** Passes on the indexer's refusal. */
async function toProblem(response: Response): Promise<Response> {
  const text = await response.text()
  if (response.status === 404 || response.status === 503)
    return new Response(text, {
      status: response.status,
      headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'retry-after': '5' },
    })
  return problem('unavailable', { detail: 'The index cannot answer this now. Try again later.', retryAfter: 5 })
}
