import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createLookupQueue } from './lookupQueue.ts'

/** Largest delay of the event loop before requests are refused, in milliseconds. */
const delayLimit = 25
/** Requests in an interval that count as load: with fewer, another program keeps the processor busy. */
const requestLimit = 10
/** Lookups running at once, of each indexer, from which on visitors with many requests are refused. */
const lookupLimit = 24
/** Interval between two measurements of the load, in milliseconds. */
const interval = 100
/** Milliseconds after which a request counts half. */
const halfLife = 5_000
/** The number of recent requests above which a visitor is refused at level 0. At level 1 it is a part of the average. */
const highestLimit = 256
const partOfAverage = 0.6
/** Recent requests of all visitors together that are never too much: another program keeps the processor busy then. */
const harmless = 300
/** Number of requests that the average is taken of. */
const averageOver = 200
/** Largest number of remembered visitors; beyond it, those without recent requests are forgotten. */
const visitorLimit = 20_000

export type Overload = {
  /** Counts a request, or returns `refused` if the server has too much to do for a visitor with so many recent ones. */
  admit: (visitor: string, cost?: number) => 'admitted' | 'refused'
  /** Resolves to what ends a lookup, once the indexer may have it, or to `undefined` if too many wait. */
  startLookup: (visitor: string) => Promise<(() => void) | undefined>
  /** From 0, everyone is admitted, to 1, only visitors with few recent requests are. */
  level: () => number
  /** Lookups that the indexer works on now, and the number of refusals so far. */
  counts: () => { lookups: number; refusedRequests: number; refusedLookups: number }
  close: () => void
}

export type OverloadParameters = {
  /** Number of indexers that answer. @default one */
  indexers?: () => number
  now?: () => number
  /** From 0 to 1. */
  random?: () => number
  /** Returns by how many milliseconds the event loop was late since the last call. */
  readDelay?: () => number
}

/**
 * Refuses requests while the server has more to do than it can in time, those of the visitors with the most recent requests
 * first. So a visitor who asks now and then is answered while many others ask without a pause.
 *
 * Libraries such as toobusy-js and overload-protection know the delay of the event loop alone, and refuse all visitors alike.
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
  /** Average number of recent requests of the visitor of a request. */
  let average = 0
  /** The recent requests of all visitors. */
  let all: Count = { count: 0, at: now() }
  let lastAt = now()
  const queue = createLookupQueue({ now, indexers, rank: (visitor) => countAt(recent.get(visitor), now()) })

  const timer = setInterval(() => {
    // On a thread without time this runs late, so a step is as large as the time that has passed.
    const passed = Math.max(interval, now() - lastAt)
    lastAt = now()
    level = nextLevel(level, toLoad({ delay: read(), requests, lookups: mostLookups / indexers() }), passed / interval)
    queue.refuseOld()
    mostLookups = queue.size()
    requests = 0
    if (recent.size > visitorLimit) forgetQuietVisitors(recent, now())
  }, interval)
  timer.unref()

  return {
    admit(visitor, cost = 1) {
      requests++
      const at = now()
      const known = recent.get(visitor)
      const count = countAt(known, at)
      const weight = known?.weight ?? 2 ** (random() - 0.5)
      average += (count - average) / averageOver
      // Refused ones count too: a visitor who keeps asking stays refused until the load drops.
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

/** The recent requests of a visitor. The weight, from 0.7 to 1.4, lets not all visitors be admitted again at one moment. */
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
 * Returns how many recent requests a visitor may have at a level. It follows the average of those who ask, so that a visitor
 * who asks much less than the others is answered, whether the load is of a few visitors or of many.
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
      const mean = histogram.count === 0 ? interval : histogram.mean / 1e6 - resolution
      const late = performance.now() - lastAt - interval
      lastAt = performance.now()
      histogram.reset()
      return Math.max(mean, late)
    },
    close: () => histogram.disable(),
  }
}
