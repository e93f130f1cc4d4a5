import type { ServerResponse } from 'node:http'
import type { LiveLine } from '@lineage/referral-api/live'
import type { Indexers } from '../indexer/createIndexers.ts'
import type { Reader } from './createChannel.ts'
import { createIndexerConnection, type IndexerConnection } from './createIndexerConnection.ts'
import { createStreamLimit, type StreamLimit } from './createStreamLimit.ts'

/** Limits of the streams of all visitors. */
export const defaultLiveLimits = {
  streams: 5_000,
  perVisitor: 12,
  /** Bytes that may wait for a slow reader; above this the stream ends. */
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
  subscribe?: ((send: (text: string) => void) => () => void) | undefined
}

export type Live = ReturnType<typeof createLive>

/** The state of the streams. */
type LiveState = {
  indexers: Indexers
  timeout: number
  /** Bytes that may wait for a slow reader. */
  waiting: number
  /** The connections to the indexers, by community. */
  connections: Map<string, IndexerConnection>
  streamLimit: StreamLimit
}

/** Creates the streams of all communities. A community with readers has one connection to an indexer. */
export function createLive({ indexers, limits, beat = 10_000, timeout = 10_000 }: LiveParameters) {
  const { waiting, ...counts } = { ...defaultLiveLimits, ...limits }
  const connections: LiveState['connections'] = new Map()
  const streamLimit = createStreamLimit(counts)
  const live: LiveState = { indexers, timeout, waiting, connections, streamLimit }
  indexers.onSwitch(() => {
    for (const connection of connections.values()) connection.moveOn()
  })
  const timer = setInterval(() => {
    for (const { channel } of connections.values()) channel.beat()
  }, beat).unref()
  return {
    /** Begins a stream, or returns the problem that prevents it. */
    open: (parameters: OpenParameters): Promise<Response | undefined> => openStream(live, parameters),
    get size() {
      return streamLimit.size
    },
    /**
     * Calls a listener after each line of a community's steps, and reconnects when the connection ends. Returns a
     * function that stops it.
     */
    subscribe: (community: string, listener: LineListener): (() => void) => subscribe(live, community, listener),
    /** Ends all streams, so that the server can stop. */
    close(): void {
      clearInterval(timer)
      streamLimit.endAll()
      for (const connection of connections.values()) connection.close()
    },
  }
}

/** Returns the connection of a community; connects it for the first user. */
function connect({ connections, indexers, timeout }: LiveState, community: string, id?: string): IndexerConnection {
  const known = connections.get(community)
  if (known) return known
  const connection = createIndexerConnection({
    indexers,
    community,
    timeout,
    block: blockOf(id),
    onEnded: () => {
      if (connections.get(community) === connection) connections.delete(community)
    },
  })
  connections.set(community, connection)
  return connection
}

async function openStream(
  live: LiveState,
  { community, team, id, visitor, outgoing, headers, subscribe: subscribeMore }: OpenParameters,
): Promise<Response | undefined> {
  const { indexers, waiting, streamLimit } = live
  const end = () => void outgoing.end()
  // Taken now, because other streams may be opened while the indexer is asked.
  const place = streamLimit.take(visitor, end)
  if (place instanceof Response) return place
  const connection = connect(live, community, id)
  const release = connection.use()
  const refusal = await connection.begun
  if (refusal || outgoing.destroyed) {
    release()
    place.free()
    return refusal?.clone() ?? new Response(null)
  }
  outgoing.writeHead(200, { ...headers, ...streamHeaders })
  // Random, so that not all readers reconnect at once when the indexer restarts.
  outgoing.write(`retry: ${Math.round(1_000 + Math.random() * 4_000)}\n\n`)
  const onBlock = (block: number) => indexers.noteSeen(visitor, block)
  const reader = createReader({ team, id, outgoing, waiting, onBlock })
  const stops = [
    connection.channel.add(reader),
    connection.onEnd(end),
    subscribeMore?.((text) => write(outgoing, waiting, text)),
  ]
  outgoing.once('close', () => {
    for (const stop of stops) stop?.()
    release()
    place.free()
  })
  return undefined
}

type LineListener = (type: LiveLine['type']) => void

/** Milliseconds until a subscription connects again. */
const reconnectDelay = 2_000

function subscribe(live: LiveState, community: string, listener: LineListener): () => void {
  let stops: (() => void)[] = []
  let retry: NodeJS.Timeout | undefined
  const leave = () => {
    for (const stop of stops.splice(0)) stop()
  }
  const start = () => {
    const connection = connect(live, community)
    const onEnd = () => {
      leave()
      retry = setTimeout(start, reconnectDelay).unref()
    }
    stops = [connection.use(), connection.channel.onLine(listener), connection.onEnd(onEnd)]
  }
  start()
  return () => {
    clearTimeout(retry)
    leave()
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

/** Writes to a reader, or disconnects it if too many bytes wait. Returns whether it was open. */
function write(outgoing: ServerResponse, waiting: number, bytes: Buffer | string): boolean {
  if (outgoing.destroyed || outgoing.writableEnded) return false
  // The first bytes of a reader that resumes may be many, so check after sending them.
  if (outgoing.writableLength > waiting) outgoing.destroy()
  else outgoing.write(bytes)
  return true
}

/** Returns the block in an id of a stream; 0 if there is none. */
const blockOf = (id: string | undefined): number => Number(/^\d{1,15}(?=-)/.exec(id ?? '')?.[0] ?? 0)
