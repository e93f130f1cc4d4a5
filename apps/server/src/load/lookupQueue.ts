import { ProblemError } from '../lib/problem.ts'

/** Limits of the lookups of a server. */
export const defaultQueueLimits = {
  /** Lookups that the index gets at once. It answers one after the other, so the others wait here. */
  running: 16,
  /** Lookups that run or wait. */
  total: 256,
  /** Milliseconds after which a running lookup most likely waits for the database, and another one may start. */
  slow: 250,
  /** Longest wait of a lookup, in milliseconds. */
  patience: 1_000,
  /** Parts of CSV files that are made at once, for all visitors. */
  csvParts: 2,
  /** CSV files that a visitor may download at once. */
  csvPerVisitor: 3,
  /** Pages that are made or wait. */
  pages: 256,
}

export type LookupQueue = ReturnType<typeof createLookupQueue>

/**
 * Creates the queue in front of the index. The lookups of the visitors with the fewest recent lookups come first, so a
 * visitor with few is answered while others ask continuously. When too many wait, one of the visitor with the most is
 * refused. Pages are made in turn in the same order. Assets and sign-in are never refused for load.
 *
 * @example
 * const end = await queue.enter('203.0.113.7')
 * await index.lookUp(request).finally(end)
 */
export function createLookupQueue({ now = () => performance.now(), ...given }: QueueParameters = {}) {
  const limits = { ...defaultQueueLimits, ...given }
  const recent = createRecentCounts(now)
  const lookups = createSemaphore({ ...limits, rank: recent.rank })
  const parts = createSemaphore({
    running: limits.csvParts,
    slow: Number.POSITIVE_INFINITY,
    total: Number.POSITIVE_INFINITY,
    patience: Number.POSITIVE_INFINITY,
    rank: recent.rank,
  })
  const pages = createSemaphore({
    running: 1,
    slow: Number.POSITIVE_INFINITY,
    total: limits.pages,
    patience: Number.POSITIVE_INFINITY,
    rank: recent.rank,
  })
  const downloads = new Map<string, number>()

  function endDownload(visitor: string): void {
    const left = (downloads.get(visitor) ?? 1) - 1
    if (left > 0) downloads.set(visitor, left)
    else downloads.delete(visitor)
  }

  return {
    /** Resolves once a lookup may start, to a function that ends it. @throws {ProblemError} if too many wait */
    enter(visitor: string): Promise<() => void> {
      recent.add(visitor)
      return lookups.enter(visitor)
    },
    /** Waits until it is the turn of a page: one for each turn of the event loop. @throws {ProblemError} if too many wait */
    async takePageTurn(visitor: string): Promise<void> {
      recent.add(visitor)
      setImmediate(await pages.enter(visitor))
    },
    /** Counts a download of a visitor. Returns a function that ends it. @throws {ProblemError} if there are too many */
    startDownload(visitor: string): () => void {
      const before = downloads.get(visitor) ?? 0
      if (before >= limits.csvPerVisitor)
        throw new ProblemError(
          'rate_limited',
          'Too many CSV files are being downloaded. Wait until one of them has ended.',
          { retryAfter: 5 },
        )
      downloads.set(visitor, before + 1)
      let state: 'running' | 'ended' = 'running'
      return () => {
        if (state === 'running') endDownload(visitor)
        state = 'ended'
      }
    },
    /** Returns a CSV whose parts are made in turn with those of all other visitors, so that lookups keep their time. */
    inTurns: (visitor: string, body: ReadableStream<Uint8Array>) =>
      readInTurns(body, () => {
        recent.add(visitor)
        return parts.enter(visitor)
      }),
    /** Returns the number of lookups that run or wait, and how many were refused so far. */
    counts: () => ({ lookups: lookups.size(), refused: lookups.refused() }),
  }
}

export type QueueParameters = Partial<typeof defaultQueueLimits> & {
  /** Milliseconds that only increase. */
  now?: () => number
}

function readInTurns(body: ReadableStream<Uint8Array>, enter: () => Promise<() => void>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      const leave = await enter()
      const { done, value } = await reader.read().finally(leave)
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

type SemaphoreParameters = {
  running: number
  total: number
  slow: number
  patience: number
  /** Returns a number by which the waiting are ordered, the lowest first. */
  rank: (visitor: string) => number
}

type Waiting = { rank: number; timer: NodeJS.Timeout | undefined; start: () => void; refuse: () => void }

/** Creates a semaphore whose waiting are ordered by rank, and by their arrival. */
function createSemaphore({ running: mostRunning, total, slow: slowAfter, patience, rank }: SemaphoreParameters) {
  const waiting = new Set<Waiting>()
  let running = 0
  let slow = 0
  let refused = 0

  const hasPlace = () => running - slow < mostRunning && running < total

  function start(): () => void {
    running++
    let state: 'running' | 'slow' | 'done' = 'running'
    const timer = Number.isFinite(slowAfter)
      ? setTimeout(() => {
          state = 'slow'
          slow++
          startNext()
        }, slowAfter)
      : undefined
    return () => {
      clearTimeout(timer)
      if (state === 'done') return
      if (state === 'slow') slow--
      state = 'done'
      running--
      startNext()
    }
  }

  function startNext(): void {
    while (waiting.size > 0 && hasPlace()) find(waiting, (one, best) => one.rank < best.rank)?.start()
  }

  function wait(visitor: string): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(one.timer)
        waiting.delete(one)
      }
      const refuse = () => {
        leave()
        refused++
        reject(new ProblemError('unavailable', 'The server is busy. Try again in 1 s.', { retryAfter: 1 }))
      }
      const one: Waiting = {
        rank: rank(visitor),
        timer: Number.isFinite(patience) ? setTimeout(refuse, patience) : undefined,
        start() {
          leave()
          resolve(start())
        },
        refuse,
      }
      waiting.add(one)
      if (running + waiting.size > total) find(waiting, (other, worst) => other.rank >= worst.rank)?.refuse()
    })
  }

  return {
    async enter(visitor: string): Promise<() => void> {
      return hasPlace() ? start() : wait(visitor)
    },
    size: () => running + waiting.size,
    refused: () => refused,
  }
}

/** Returns the best item; of equal ones the first. */
function find(all: Iterable<Waiting>, isBetter: (one: Waiting, best: Waiting) => boolean): Waiting | undefined {
  let best: Waiting | undefined
  for (const one of all) if (!best || isBetter(one, best)) best = one
  return best
}

/** Milliseconds after which a lookup counts as half. */
const halfLife = 5_000
/** Number of recent lookups up to which all visitors are equal. */
const fewLookups = 10
/** Milliseconds after which visitors without recent lookups are forgotten. */
const sweepInterval = 10_000

/** Counts the recent lookups of visitors. */
function createRecentCounts(now: () => number) {
  const visitors = new Map<string, { count: number; at: number }>()
  let sweptAt = now()
  const countOf = (visitor: string) => {
    const known = visitors.get(visitor)
    return known ? known.count * 2 ** ((known.at - now()) / halfLife) : 0
  }
  function forgetQuiet(): void {
    sweptAt = now()
    for (const visitor of visitors.keys()) if (countOf(visitor) < 0.1) visitors.delete(visitor)
  }
  return {
    add(visitor: string): void {
      visitors.set(visitor, { count: countOf(visitor) + 1, at: now() })
      if (now() - sweptAt > sweepInterval) forgetQuiet()
    },
    /** Returns the number of recent lookups; 0 for a few. */
    rank: (visitor: string): number => Math.max(0, Math.floor(countOf(visitor)) - fewLookups),
  }
}
