import type { Content } from '@lineage/referral-api/operations'
import { createPlaces } from '../lib/places.ts'
import { ProblemError } from '../lib/problem.ts'
import { networksOf } from '../lib/visitor.ts'
import type { FilePart } from '../lookups/fileStream.ts'
import { createFairQueue, type Task } from './fairQueue.ts'
import { networkShares } from './limits.ts'

/** Limits of a server. */
export const defaultQueueLimits = {
  /** Lookups that the index gets at once. It answers one after the other, so the others wait here. */
  running: 16,
  /** Lookups that run or wait. */
  total: 256,
  /** Milliseconds after which a running lookup most likely waits for the database, and another one may start. */
  slow: 250,
  /** Longest wait of a request, and then of its lookup, in milliseconds. */
  patience: 1_000,
  /** Requests that wait for their turn, except those that are never refused. */
  requests: 1_000,
  /** Pages that are rendered at once: while one waits for its lookups, the thread renders another. */
  pages: 2,
  /** Pages that are rendered or wait. */
  pagesTotal: 8,
  /** Milliseconds after which a page most likely waits for its lookups, and another one may start. */
  pageSlow: 100,
  /** Longest wait of a page, in milliseconds: the browser then renders it. */
  pagePatience: 150,
  /** Parts of CSV files that are made at once, for all visitors. */
  csvParts: 2,
  /** CSV files that are downloaded at once. */
  csv: 100,
  /** CSV files that a visitor may download at once. */
  csvPerVisitor: 3,
  /** Parquet files that are downloaded at once: each takes up to 20 MB, for a group of rows and the positions of all groups. */
  parquet: 4,
  /** Parquet files that a visitor may download at once. */
  parquetPerVisitor: 1,
}

/** Returns how an answer is downloaded: as a file, or at once. */
export function downloadKind(response: Content): 'csv' | 'parquet' | 'other' {
  if ('schema' in response) return 'other'
  return response.type === 'application/vnd.apache.parquet' ? 'parquet' : 'csv'
}

export type LoadQueue = ReturnType<typeof createLoadQueue>

/**
 * Creates the queues of a server: of requests for the thread that answers them, then of lookups for the index. In
 * both, the visitors come first who have, with their networks, the fewest recent requests, so a visitor with few is
 * answered while others ask continuously. When too many wait, one of the visitor with the most is refused.
 *
 * @example
 * const end = await queue.enter('203.0.113.7')
 * await index.lookUp(request).finally(end)
 */
export function createLoadQueue({ now = () => performance.now(), ...given }: QueueParameters = {}) {
  const limits = { ...defaultQueueLimits, ...given }
  const { patience } = limits
  const recent = createRecentCounts(now)
  const { rank } = recent
  /** Returns the problem of a visitor who is refused: its own, if it has much of what the server does in work. */
  const refusalOf = (visitor: string): Refusal => (recent.isGreedy(visitor) ? tooManyAtOnce : busy)
  const lookups = createFairQueue({ ...limits, rank })
  const requests = createFairQueue({ running: 1, total: limits.requests, patience, rank })
  const pages = createFairQueue({
    running: limits.pages,
    total: limits.pagesTotal,
    slow: limits.pageSlow,
    patience: limits.pagePatience,
    rank,
  })
  const parts = createFairQueue({ running: limits.csvParts, rank })
  const enter = (queue: typeof lookups, visitor: string): Promise<() => void> =>
    new Promise((resolve, reject) =>
      queue.enter({ visitor, start: resolve, refuse: () => reject(new ProblemError(...refusalOf(visitor))) }),
    )
  const downloads = {
    csv: createDownloadLimit({ most: limits.csv, mostPerVisitor: limits.csvPerVisitor }, refusalOf),
    parquet: createDownloadLimit({ most: limits.parquet, mostPerVisitor: limits.parquetPerVisitor }, refusalOf),
  }

  return {
    /** Starts a request when it is its turn: one for each turn of the event loop. `weight` is what it counts of a request. */
    takeTurn({ start, ...task }: Omit<Task, 'start'> & { start: () => void }, weight = 1): void {
      recent.add(task.visitor, weight)
      requests.enter({
        ...task,
        start(end) {
          setImmediate(end)
          start()
        },
      })
    },
    /** Resolves once a lookup may start, to a function that ends it. @throws {ProblemError} if too many wait */
    enter: (visitor: string) => enter(lookups, visitor),
    /** Resolves once a page may be rendered, to a function that ends it. @throws {ProblemError} if too many wait */
    enterPage: (visitor: string) => enter(pages, visitor),
    refusalOf,
    /** Returns whether a lookup of the visitor would be refused now. */
    isFullFor: (visitor: string, kind: keyof typeof downloads | 'other'): boolean =>
      lookups.isFullFor(visitor) || (kind !== 'other' && downloads[kind].isFullFor(visitor)),
    /**
     * Takes a place for a download of a visitor. Returns a function that frees it. `end` is called when a visitor of
     * another network takes the place. @throws {ProblemError} if there is none
     */
    startDownload: (kind: keyof typeof downloads, visitor: string, end: () => void): (() => void) =>
      downloads[kind].start(visitor, end),
    /** Returns a file whose parts are made in turn with those of other visitors, each charged with its work. */
    inTurns: (visitor: string, body: ReadableStream<FilePart>, charge: (work: number) => void) =>
      readInTurns(body, charge, () => {
        recent.add(visitor)
        return new Promise((resolve) => parts.enter({ visitor, start: resolve }))
      }),
    /** Returns the number of lookups that run or wait, and how many requests and lookups were refused so far. */
    counts: () => ({ lookups: lookups.size(), refused: requests.refused() + lookups.refused() }),
  }
}

export type Refusal = ConstructorParameters<typeof ProblemError>
/** The problem of a request for which the server has no time. */
const busy: Refusal = ['unavailable', 'The server is busy. Try again in 1 s.', { retryAfter: 1 }]
/** The problem of a request for which the server has no time because of others of its visitor. */
const tooManyAtOnce: Refusal = [
  'rate_limited',
  'Too many requests at once. Wait for the answers to those that were sent, and try again in 1 s.',
  { retryAfter: 1 },
]

export type QueueParameters = Partial<typeof defaultQueueLimits> & {
  /** Milliseconds that only increase. */
  now?: () => number
}

/** Creates the limit of downloads: a number of places, of which each visitor can take a few. */
function createDownloadLimit(
  { most, mostPerVisitor }: { most: number; mostPerVisitor: number },
  refusalOf: (visitor: string) => Refusal,
) {
  const places = createPlaces<() => void>()
  const isFull = () => places.count() >= most
  return {
    isFullFor: (visitor: string): boolean => isFull() && !places.findLoser(networksOf(visitor)),
    start(visitor: string, end: () => void): () => void {
      const networks = networksOf(visitor)
      if (places.count(networks) >= mostPerVisitor)
        throw new ProblemError(
          'rate_limited',
          `Too many files are being downloaded: at most ${mostPerVisitor} at once. Wait until one of them has ended.`,
          { retryAfter: 5 },
        )
      const loser = isFull() ? places.findLoser(networks) : undefined
      if (isFull() && !loser) throw new ProblemError(...refusalOf(visitor))
      loser?.()
      const leave = places.take(networks, lose)
      function lose(): void {
        leave()
        end()
      }
      return leave
    },
  }
}

function readInTurns(
  body: ReadableStream<FilePart>,
  charge: (work: number) => void,
  enter: () => Promise<() => void>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const leave = await enter()
        const { done, value } = await reader.read().finally(leave)
        if (done) return controller.close()
        charge(value.work)
        // A stream does not call again if a call adds nothing.
        if (value.bytes.length > 0) return controller.enqueue(value.bytes)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Milliseconds after which a request counts as half. */
const halfLife = 5_000
/** Number of recent requests up to which all visitors are equal: a page with its files and lookups. */
const fewRequests = 20
/** Number of recent requests from which a visitor may be greedy, and the least share of all recent requests that is greedy. */
const greedy = { requests: 16, share: 1 / 8 }
/** Milliseconds after which visitors without recent requests are forgotten. */
const sweepInterval = 10_000

/** Counts the recent requests of visitors and of their networks. */
function createRecentCounts(now: () => number) {
  const widths = networkShares.map((share) => ({ share, networks: new Map<string, { count: number; at: number }>() }))
  let all: { count: number; at: number } | undefined
  let sweptAt = now()
  const countOf = (known: { count: number; at: number } | undefined) =>
    known ? known.count * 2 ** ((known.at - now()) / halfLife) : 0
  function forgetQuiet(): void {
    sweptAt = now()
    for (const { networks } of widths)
      for (const [network, known] of networks) if (countOf(known) < 0.1) networks.delete(network)
  }
  return {
    add(visitor: string, weight = 1): void {
      const path = networksOf(visitor)
      for (const [width, { networks }] of widths.entries()) {
        const network = path[width] ?? ''
        networks.set(network, { count: countOf(networks.get(network)) + weight, at: now() })
      }
      all = { count: countOf(all) + weight, at: now() }
      if (now() - sweptAt > sweepInterval) forgetQuiet()
    },
    /** Returns whether a visitor alone sends much of all requests: it is refused for its own, not for those of others. */
    isGreedy(visitor: string): boolean {
      const count = countOf(widths.at(-1)?.networks.get(networksOf(visitor).at(-1) ?? ''))
      return count > greedy.requests && count > countOf(all) * greedy.share
    },
    /** Returns the number of recent requests beyond a few, in shares of the network that has most; 0 for a few. */
    rank(visitor: string): number {
      const path = networksOf(visitor)
      const ranks = widths.map(({ share, networks }, width) => countOf(networks.get(path[width] ?? '')) / share)
      return Math.max(0, Math.floor(Math.max(...ranks)) - fewRequests)
    },
  }
}
