import { indexerHeaders } from '@lineage/referral-api/indexer-headers'
import { runningLimit } from '../load/lookupQueue.ts'
import { checkIndexer } from './checkIndexer.ts'
import {
  type ChooseParameters,
  chooseIndexer,
  findBest,
  findServedIndex,
  isAnswering,
  type KnownIndexer,
} from './chooseIndexer.ts'
import { createSeenBlocks } from './createSeenBlocks.ts'
import { createTracker } from './createTracker.ts'

export type IndexersParameters = {
  /** Origins of the indexers; those of a newer configuration first. */
  urls: readonly string[]
  /** Milliseconds between two checks of each indexer, if there are several. */
  interval?: number
  /** Time limit for an indexer's status, in milliseconds. */
  timeout?: number
}

export type Indexers = ReturnType<typeof createIndexers>

/**
 * Creates the list of indexers, with the state and progress of each, and chooses one for each lookup. Several
 * indexers are checked every second; results of lookups in between count at once.
 */
export function createIndexers({ urls, interval = 1_000, timeout = 2_000 }: IndexersParameters) {
  const registry = createRegistry(urls)
  const { all } = registry
  const seen = createSeenBlocks()
  const tracker = createTracker()

  /** Chooses the indexer for a visitor's lookup. Returns `undefined` if `except` is the only one. */
  const choose = ({ visitor, ...more }: { visitor?: string } & Pick<ChooseParameters, 'except' | 'prefer'> = {}) =>
    chooseIndexer(all, {
      ...more,
      index: registry.served(),
      atLeast: visitor ? seen.find(visitor) : 0,
      most: runningLimit,
    })

  const check = createCheck(async (one) => {
    try {
      registry.note(one, await checkIndexer(one, timeout))
    } catch {
      registry.markSilent(one)
      // It may have stopped without closing its connections: let another one answer its open requests.
      if (choose({ except: one })) tracker.giveUp(one)
    }
  })
  const checkAll = () => {
    for (const one of all) void check(one)
  }
  // A single indexer gets all lookups in any state, and is not checked.
  const timer = all.length > 1 ? setInterval(checkAll, interval).unref() : undefined
  if (timer) checkAll()

  return {
    all,
    /** Returns how many indexers answer lookups; at least 1. */
    count: () => Math.max(1, all.filter((one) => isAnswering(one) && one.index === registry.served()).length),
    choose,
    /**
     * Returns the block that a visitor has seen, which an indexer has to wait for; `undefined` if there is none, or
     * only one indexer.
     */
    seenBy: (visitor: string) => (all.length > 1 ? seen.find(visitor) || undefined : undefined),
    noteSeen: seen.note,
    /**
     * Sends a request to an indexer and records the state that the answer shows. `send` gets a signal that aborts
     * when the indexer falls silent. A failure is blamed on the indexer, unless `isOurs`.
     */
    async track(one: KnownIndexer, send: (signal: AbortSignal) => Promise<Response>, isOurs = () => false) {
      const abort = new AbortController()
      const end = tracker.add(one, () => abort.abort())
      try {
        const response = await send(abort.signal)
        registry.note(one, readHeaders(one, response))
        return response
      } catch (error) {
        if (!isOurs()) registry.markSilent(one)
        throw error
      } finally {
        end()
      }
    },
    /** Asks all indexers for their status until one is ready. Returns the best one. */
    async refresh(): Promise<KnownIndexer | undefined> {
      const ready = all.map(async (one) => {
        await check(one)
        if (one.state !== 'ready') throw new Error('not ready')
      })
      await Promise.any(ready).catch(() => undefined)
      return findBest(all, registry.served())
    },
    /** Calls a listener when the server switches to another index. */
    onSwitch: registry.onSwitch,
    close: () => clearInterval(timer),
  }
}

/** Creates the registry of each indexer's state and of the served index. */
function createRegistry(urls: readonly string[]) {
  const all: readonly KnownIndexer[] = urls.map(toUnknown)
  const listeners = new Set<() => void>()
  let served: string | undefined

  /** Updates the state of an indexer. Switches to another index if an indexer listed earlier has become ready. */
  function note(one: KnownIndexer, found: Partial<KnownIndexer>): void {
    Object.assign(one, found)
    const before = served
    served = findServedIndex(all, before)
    if (before === undefined || served === before) return
    console.info(`The server now serves the index ${served} instead of ${before}.`)
    for (const listener of listeners) listener()
  }

  return {
    all,
    /** Returns the index that is served. */
    served: () => served,
    note,
    markSilent(one: KnownIndexer): void {
      if (one.state !== 'silent' && all.length > 1) console.error(`The ${one.name} does not respond.`)
      note(one, { state: 'silent', status: undefined, silentSince: one.silentSince ?? Date.now() })
    },
    onSwitch: (listener: () => void) => void listeners.add(listener),
  }
}

/** Returns the state of an indexer that the headers of its answer show. */
const readHeaders = (one: KnownIndexer, { headers, status }: Response): Partial<KnownIndexer> => ({
  block: Number(headers.get(indexerHeaders.block) ?? one.block),
  index: headers.get(indexerHeaders.index) ?? one.index,
  ...(status < 500 && !isAnswering(one) && { state: 'answering', silentSince: undefined }),
})

/** Creates a function that checks an indexer. Calls during a check share that check. */
function createCheck(checkNow: (one: KnownIndexer) => Promise<void>) {
  const checks = new Map<KnownIndexer, Promise<void>>()
  return (one: KnownIndexer): Promise<void> => {
    const checking = checks.get(one) ?? checkNow(one).finally(() => checks.delete(one))
    checks.set(one, checking)
    return checking
  }
}

const toUnknown = (url: string, index: number): KnownIndexer => ({
  name: `indexer ${index + 1} (${new URL(url).host})`,
  origin: new URL(url).origin,
  state: 'unknown',
  block: 0,
  index: undefined,
  running: 0,
  status: undefined,
  silentSince: undefined,
})
