import type { ServerResponse } from 'node:http'
import type { LiveLine } from '@lineage/referral-api/live'
import type { Indexers } from '../indexer/createIndexers.ts'
import type { Reader } from './createChannel.ts'
import { createFeed, type Feed } from './createFeed.ts'
import { createPlaces } from './createPlaces.ts'

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

/** Creates the streams of all communities. While a community has readers, one connection to an indexer feeds them. */
export function createLive({ indexers, limits, beat = 10_000, timeout = 10_000 }: LiveParameters) {
  const { waiting, ...counts } = { ...defaultLiveLimits, ...limits }
  const feeds = new Map<string, Feed>()
  const places = createPlaces(counts)
  indexers.onSwitch(() => {
    for (const feed of feeds.values()) feed.moveOn()
  })
  const timer = setInterval(() => {
    for (const { channel } of feeds.values()) channel.beat()
  }, beat)
  timer.unref()

  /** Returns the feed of a community; connects it for the first reader. */
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
      const end = () => void outgoing.end()
      // Taken now, because other streams may be opened while the indexer is asked.
      const place = places.take(visitor, end)
      if (place instanceof Response) return place
      const feed = findFeed(community, id)
      const release = feed.use()
      const problemOfFeed = await feed.begun
      if (problemOfFeed || outgoing.destroyed) {
        release()
        place.free()
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
        place.free()
      })
      return undefined
    },
    get size() {
      return places.size
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
      places.endAll()
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
