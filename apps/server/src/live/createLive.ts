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
      const feed = findFeed(community, id)
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
      const remove = feed.channel.add(
        createReader({ team, id, outgoing, waiting, onBlock: (block) => indexers.noteSeen(visitor, block) }),
      )
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
    /**
     * Calls a listener after each line of a community's feed, which is connected again when it has ended. Returns a function that
     * stops it.
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
  // Asks nginx not to hold it back.
  'x-accel-buffering': 'no',
  'cross-origin-resource-policy': 'same-origin',
}

type ReaderParameters = Pick<Reader, 'team' | 'id'> & {
  outgoing: ServerResponse
  waiting: number
  /** Called with the block that the reader is told of: what it asks next must not be older. */
  onBlock: (block: number) => void
}

/** Creates a reader that is dropped when more bytes wait for it than the limit. It can resume where it was. */
function createReader({ team, id, outgoing, waiting, onBlock }: ReaderParameters): Reader {
  return {
    team,
    id,
    send(bytes, block) {
      if (outgoing.destroyed || outgoing.writableEnded) return
      onBlock(block)
      // The first bytes of a reader who resumes may be many.
      if (outgoing.writableLength > waiting) outgoing.destroy()
      else outgoing.write(bytes)
    },
  }
}

/** Returns the block in an id of a stream; 0 if there is none. */
const blockOf = (id: string | undefined): number => Number(/^\d{1,15}(?=-)/.exec(id ?? '')?.[0] ?? 0)

/** Returns the newest block that an indexer has told; infinity before the first. */
const newestBlock = ({ all }: Indexers): number =>
  Math.max(...all.map(({ block }) => block)) || Number.POSITIVE_INFINITY

type Feed = ReturnType<typeof createFeed>

type FeedParameters = {
  indexers: Indexers
  path: string
  timeout: number
  /** Block that the first reader has; 0 for none. */
  block: number
}

/**
 * Connects to the feed of a community. When the connection ends it moves on to another indexer: ids are positions on chain, so
 * readers get there what they have missed. It ends when none feeds it, or with its last stream.
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

  /** Reads the feed of an indexer until it ends. Returns its refusal, or how many lines it sent. */
  async function readFrom(one: KnownIndexer): Promise<Response | number> {
    const silence = new AbortController()
    moveOn = () => silence.abort()
    let timer = setTimeout(() => silence.abort(), timeout)
    let lines = 0
    try {
      const signal = AbortSignal.any([abort.signal, silence.signal])
      // Another indexer may be a moment behind the one that has ended.
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
      // The connection was lost, or nothing came for too long.
    } finally {
      clearTimeout(timer)
      silence.abort()
    }
    return lines
  }

  async function run(): Promise<void> {
    let one = indexers.choose()
    // Ends when all have failed one after the other; one that has sent more than the state counts as working.
    let refusal = problem('unavailable', { detail: 'The index does not answer. Try again in 5 s.', retryAfter: 5 })
    for (let failures = 0; one && failures < indexers.all.length && !abort.signal.aborted; failures++) {
      const result = await readFrom(one)
      if (typeof result !== 'number') refusal = result
      else if (result > 1) failures = 0
      // None of the others knows this community either.
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
    /** Resolves once the first line is there, or to the problem why there is none. */
    begun,
    close: () => abort.abort(),
    /** Ends the connection to the indexer, and connects to another one. */
    moveOn: () => moveOn(),
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
