import type { ServerResponse } from 'node:http'
import { indexerHeaders } from '@lineage/referral-api/indexer-headers'
import type { LiveLine } from '@lineage/referral-api/live'
import type { KnownIndexer } from '../indexer/chooseIndexer.ts'
import type { Indexers } from '../indexer/createIndexers.ts'
import { problem } from '../problem.ts'
import { type Channel, createChannel, type Reader } from './createChannel.ts'
import { createTeamCounts } from './createTeamCounts.ts'
import { readLines } from './readLines.ts'

/** Limits of the streams of all visitors. */
const defaultLiveLimits = {
  streams: 5_000,
  perVisitor: 12,
  /** Bytes that may wait for a slow reader; beyond them the stream ends. */
  waiting: 256 * 1024,
}

export type LiveParameters = {
  indexers: Indexers
  limits?: Partial<typeof defaultLiveLimits>
  /** Milliseconds between two signs of life; shorter than the time-outs of proxies and idle connections. */
  beat?: number
  /** Time limit until the indexer begins, and between two of its lines, in milliseconds. */
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
  /** Sends other texts to the reader. Returns a function that stops it. */
  follow?: ((send: (text: string) => void) => () => void) | undefined
}

export type Live = ReturnType<typeof createLive>

const lineLimit = 64 * 1024 * 1024

/** Creates the streams of all communities. While a community has readers, one connection to an indexer feeds them. */
export function createLive({ indexers, limits, beat = 10_000, timeout = 10_000 }: LiveParameters) {
  const { streams, perVisitor, waiting } = { ...defaultLiveLimits, ...limits }
  const feeds = new Map<string, Feed>()
  const visitors = new Map<string, number>()
  const ends = new Set<() => void>()
  indexers.onSwitch(() => {
    for (const feed of feeds.values()) feed.moveOn()
  })
  const timer = setInterval(() => {
    for (const { channel } of feeds.values()) channel.beat()
  }, beat)
  timer.unref()

  /** Returns the feed of a community once the indexer has begun to answer, or its refusal. */
  function findFeed(community: string, id: string | undefined): Feed {
    const known = feeds.get(community)
    if (known) return known
    const path = `/v1/communities/${encodeURIComponent(community)}`
    const feed = createFeed({ indexers, path, timeout, block: blockOf(id) }, () => {
      if (feeds.get(community) === feed) feeds.delete(community)
    })
    feeds.set(community, feed)
    return feed
  }

  function refuse(visitor: string): Response | undefined {
    if (ends.size >= streams)
      return problem('unavailable', {
        detail: 'The server has reached its limit of streams. Try again in 30 s.',
        retryAfter: 30,
      })
    if ((visitors.get(visitor) ?? 0) < perVisitor) return undefined
    const detail = `You have reached the limit of ${perVisitor} streams. Close one, or try again in 30 s.`
    return problem('rate_limited', { detail, retryAfter: 30 })
  }

  function count(visitor: string, by: 1 | -1): void {
    const rest = (visitors.get(visitor) ?? 0) + by
    if (rest === 0) visitors.delete(visitor)
    else visitors.set(visitor, rest)
  }

  return {
    /** Begins a stream, or returns the problem that prevents it. */
    async open({
      community,
      team,
      id,
      visitor,
      outgoing,
      headers,
      follow,
    }: OpenParameters): Promise<Response | undefined> {
      const refusal = refuse(visitor)
      if (refusal) return refusal
      // Count the stream now, because other streams may be opened while the indexer is asked.
      const end = () => void outgoing.end()
      ends.add(end)
      count(visitor, 1)
      const free = () => {
        ends.delete(end)
        count(visitor, -1)
      }
      const feed = findFeed(community, id)
      const release = feed.use()
      const problemOfFeed = await feed.begun
      if (problemOfFeed || outgoing.destroyed) {
        release()
        free()
        return problemOfFeed?.clone() ?? new Response(null)
      }
      outgoing.writeHead(200, { ...headers, ...streamHeaders })
      // Random, so that not all readers reconnect at once when the indexer restarts.
      outgoing.write(`retry: ${Math.round(1_000 + Math.random() * 4_000)}\n\n`)
      const onBlock = (block: number) => indexers.noteSeen(visitor, block)
      const reader = createReader({ team, id, outgoing, waiting, onBlock })
      const stops = [feed.channel.add(reader), feed.onEnd(end), follow?.((text) => write(outgoing, waiting, text))]
      outgoing.once('close', () => {
        for (const stop of stops) stop?.()
        release()
        free()
      })
      return undefined
    },
    get size() {
      return ends.size
    },
    /**
     * Calls a listener after each line of a community's feed, and reconnects a feed that ended. Returns a function
     * that stops it.
     */
    follow(community: string, listener: (type: LiveLine['type']) => void): () => void {
      let stop = () => {}
      let retry: NodeJS.Timeout | undefined
      function connect(): void {
        const feed = findFeed(community, undefined)
        const ends = [feed.use(), feed.channel.onLine(listener), feed.onEnd(() => leave('retry'))]
        stop = () => leave('stop')
        function leave(then: 'retry' | 'stop'): void {
          for (const end of ends.splice(0)) end()
          if (then === 'retry') retry = setTimeout(connect, 2_000).unref()
        }
      }
      connect()
      return () => {
        clearTimeout(retry)
        stop()
      }
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
  // Tells nginx not to buffer the stream.
  'x-accel-buffering': 'no',
  'cross-origin-resource-policy': 'same-origin',
}

type ReaderParameters = Pick<Reader, 'team' | 'id'> & {
  outgoing: ServerResponse
  waiting: number
  /** Called with the newest block sent to the reader: later answers to it must not be older. */
  onBlock: (block: number) => void
}

/** Creates a reader whose connection is closed when too many bytes wait for it. It can resume where it stopped. */
function createReader({ team, id, outgoing, waiting, onBlock }: ReaderParameters): Reader {
  return {
    team,
    id,
    send(bytes, block) {
      if (write(outgoing, waiting, bytes)) onBlock(block)
    },
  }
}

/** Writes to a reader, or drops one for whom too much waits. Returns whether it was open. */
function write(outgoing: ServerResponse, waiting: number, bytes: Buffer | string): boolean {
  if (outgoing.destroyed || outgoing.writableEnded) return false
  // The first bytes of a reader that resumes may be many, so check after sending them.
  if (outgoing.writableLength > waiting) outgoing.destroy()
  else outgoing.write(bytes)
  return true
}

/** Returns the block in an id of a stream; 0 if there is none. */
const blockOf = (id: string | undefined): number => Number(/^\d{1,15}(?=-)/.exec(id ?? '')?.[0] ?? 0)

/** Returns the newest block of all indexers; infinity before the first answer. */
const newestBlock = ({ all }: Indexers): number =>
  Math.max(...all.map(({ block }) => block)) || Number.POSITIVE_INFINITY

type Feed = ReturnType<typeof createFeed>

type FeedParameters = {
  indexers: Indexers
  path: string
  timeout: number
  /** Newest block that the first reader has; 0 for none. */
  block: number
}

/**
 * Connects to the feed of a community. When the connection ends, it continues with another indexer: ids are positions
 * on chain, so readers get the missed steps there. It ends when no indexer feeds it, or with its last stream.
 */
function createFeed({ indexers, path, timeout, block }: FeedParameters, onEnded: () => void) {
  const abort = new AbortController()
  let source: KnownIndexer | undefined
  let moveOn = () => {}
  const channel: Channel = createChannel({
    teams: createTeamCounts(async (addresses) => {
      const body = JSON.stringify({ addresses })
      const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(timeout)])
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`${source?.origin}${path}/members/batch`, { method: 'POST', headers, body, signal })).json()
    }),
  })
  const listeners = new Set<() => void>()
  let users = 0
  let begin: (problem: Response | undefined) => void = () => undefined
  const begun = new Promise<Response | undefined>((resolve) => {
    begin = resolve
  })

  /** Reads the feed of an indexer until it ends. Returns the indexer's refusal, or the number of lines it sent. */
  async function readFrom(one: KnownIndexer): Promise<Response | number> {
    const silence = new AbortController()
    moveOn = () => silence.abort()
    let timer = setTimeout(() => silence.abort(), timeout)
    let lines = 0
    try {
      const signal = AbortSignal.any([abort.signal, silence.signal])
      // Another indexer may be a moment behind the previous one.
      const headers = { [indexerHeaders.atLeast]: String(channel.block ?? Math.min(block, newestBlock(indexers))) }
      const send = (silent: AbortSignal) =>
        fetch(`${one.origin}${path}/feed`, { signal: AbortSignal.any([signal, silent]), headers })
      const response = await indexers.track(one, send, () => signal.aborted)
      if (!response.ok || !response.body) return await toProblem(response)
      source = one
      for await (const line of readLines<LiveLine>(response.body, lineLimit)) {
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), timeout)
        channel.take(line)
        lines++
        if (channel.state === 'ready') begin(undefined)
      }
    } catch {
      // The connection was lost, or no line came in time.
    } finally {
      clearTimeout(timer)
      silence.abort()
    }
    return lines
  }

  async function run(): Promise<void> {
    let one = indexers.choose()
    // Ends when all indexers have failed in turn. One that has sent more than the state counts as working.
    let refusal = problem('unavailable', { detail: 'The index does not answer. Try again in 5 s.', retryAfter: 5 })
    for (let failures = 0; one && failures < indexers.all.length && !abort.signal.aborted; failures++) {
      const result = await readFrom(one)
      if (typeof result !== 'number') refusal = result
      else if (result > 1) failures = 0
      // The others do not know this community either.
      if (refusal.status < 500) break
      one = indexers.choose({ except: one })
    }
    onEnded()
    begin(refusal)
    abort.abort()
    for (const listener of listeners) listener()
  }

  void run()
  return {
    channel,
    /** Resolves once the first line has arrived, or to the problem that prevents it. */
    begun,
    close: () => abort.abort(),
    /** Ends the connection to this indexer and connects to another one. */
    moveOn: () => moveOn(),
    onEnd(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Adds a user. Returns a function that removes it; the connection ends with the last user. */
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
