import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createLookupQueue } from './lookupQueue.ts'

/** Largest delay of the event loop before requests are refused, in milliseconds. */
export const delayLimit = 25
/**
 * Number of requests in an interval from which a late event loop counts as load. With fewer, another program is using
 * the processor.
 */
export const requestLimit = 10
/** Number of lookups in progress, per indexer, from which visitors with many requests are refused. */
export const lookupLimit = 24
/** Interval between two measurements of the load, in milliseconds. */
export const measureInterval = 100
/** Milliseconds after which a request counts as half. */
const halfLife = 5_000
/**
 * Number of recent requests above which a visitor is refused at level 0. At level 1 the limit is a fraction of the
 * average.
 */
const highestLimit = 256
const partOfAverage = 0.6
/**
 * Number of recent requests of all visitors that is never too much: if the server is slow then, another program is
 * using the processor.
 */
const harmless = 300
/** Number of requests over which the average is taken. */
const averageOver = 200
/** Largest number of remembered visitors; beyond it, those without recent requests are forgotten. */
const visitorLimit = 20_000

export type Overload = {
  /** Counts a request. Returns `refused` if the server is overloaded and the visitor has too many recent requests. */
  admit: (visitor: string, cost?: number) => 'admitted' | 'refused'
  /** Resolves once the indexer may get the lookup, to a function that ends it, or to `undefined` if too many wait. */
  startLookup: (visitor: string) => Promise<(() => void) | undefined>
  /** Returns the level: from 0, all visitors are admitted, to 1, only visitors with few recent requests are. */
  level: () => number
  /** Returns the number of lookups in progress, and how many requests and lookups were refused so far. */
  counts: () => { lookups: number; refusedRequests: number; refusedLookups: number }
  close: () => void
}

export type OverloadParameters = {
  /** Returns the number of indexers that answer. @default one */
  indexers?: () => number
  now?: () => number
  /** Returns a number from 0 to 1. */
  random?: () => number
  /** Returns by how many milliseconds the event loop was late since the last call. */
  readDelay?: () => number
}

/**
 * Creates the overload control, which refuses requests while the server is overloaded, starting with the visitors
 * with the most recent requests. So a visitor with few requests is answered while others ask continuously.
 *
 * Libraries such as toobusy-js and overload-protection measure only the delay of the event loop, and refuse all
 * visitors alike.
 */
export function createOverload(parameters: OverloadParameters = {}): Overload {
  const { now = () => performance.now(), random = Math.random, readDelay, indexers = () => 1 } = parameters
  const monitor = readDelay ? undefined : watchEventLoop()
  const read = readDelay ?? monitor?.read ?? (() => 0)
  const recent = new Map<string, Recent>()
  let level = 0
  let mostLookups = 0
  let requests = 0
  let refused = 0
  /** Average number of recent requests of a visitor, over requests: a visitor counts once per request. */
  let average = 0
  /** Recent requests of all visitors. */
  let all: Count = { count: 0, at: now() }
  let lastAt = now()
  const queue = createLookupQueue({ now, indexers, rank: (visitor) => countAt(recent.get(visitor), now()) })

  const timer = setInterval(() => {
    // On a busy thread the timer fires late, so the step is scaled by the time that has passed.
    const passed = Math.max(measureInterval, now() - lastAt)
    lastAt = now()
    level = nextLevel(
      level,
      toLoad({ delay: read(), requests, lookups: mostLookups / indexers() }),
      passed / measureInterval,
    )
    queue.refuseOld()
    mostLookups = queue.size()
    requests = 0
    if (recent.size > visitorLimit) forgetQuietVisitors(recent, now())
  }, measureInterval)
  timer.unref()

  return {
    admit(visitor, cost = 1) {
      requests++
      const at = now()
      const known = recent.get(visitor)
      const count = countAt(known, at)
      const weight = known?.weight ?? 2 ** (random() - 0.5)
      average += (count - average) / averageOver
      // Refused requests count too: a visitor who keeps asking stays refused until the load drops.
      recent.set(visitor, { count: count + cost, at, weight })
      all = { count: countAt(all, at) + cost, at }
      if (level === 0 || all.count <= harmless || count * weight <= recentLimit(level, average)) return 'admitted'
      refused++
      return 'refused'
    },
    startLookup(visitor) {
      const entered = queue.enter(visitor)
      mostLookups = Math.max(mostLookups, queue.size())
      return entered
    },
    level: () => level,
    counts: () => ({ lookups: queue.size(), refusedRequests: refused, refusedLookups: queue.refused() }),
    close() {
      clearInterval(timer)
      monitor?.close()
    },
  }
}

/** Recent requests; each counts half after `halfLife`. */
type Count = { count: number; at: number }

/**
 * Recent requests of a visitor. The weight, from 0.7 to 1.4, spreads the moments at which visitors are admitted
 * again.
 */
type Recent = Count & { weight: number }

/** Returns the load of an interval; above 1 it is too much. */
export function toLoad({ delay, requests, lookups }: { delay: number; requests: number; lookups: number }): number {
  return Math.max(requests >= requestLimit ? delay / delayLimit : 0, lookups / lookupLimit)
}

/** Returns the level after some intervals: up quickly when the load is above 1, down slowly when it is below. */
export function nextLevel(level: number, load: number, intervals = 1): number {
  const step = load > 1 ? Math.min(0.2, 0.05 * load) : -0.04
  return Math.min(1, Math.max(0, level + step * intervals))
}

/**
 * Returns how many recent requests a visitor may have at a level. The limit follows the average of active visitors,
 * so that a visitor who asks much less than the others is answered, whether few or many visitors cause the load.
 */
export const recentLimit = (level: number, average: number): number =>
  highestLimit ** (1 - level) * Math.max(1, partOfAverage * average) ** level

const countAt = (visitor: Count | undefined, time: number): number =>
  visitor ? visitor.count * 2 ** ((visitor.at - time) / halfLife) : 0

function forgetQuietVisitors(recent: Map<string, Recent>, time: number): void {
  for (const [visitor, entry] of recent) if (countAt(entry, time) < 0.1) recent.delete(visitor)
}

function watchEventLoop() {
  const resolution = 10
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  let lastAt = performance.now()
  return {
    read: () => {
      // Without a measurement the mean is NaN.
      const mean = histogram.count === 0 ? measureInterval : histogram.mean / 1e6 - resolution
      const late = performance.now() - lastAt - measureInterval
      lastAt = performance.now()
      histogram.reset()
      return Math.max(mean, late)
    },
    close: () => histogram.disable(),
  }
}
