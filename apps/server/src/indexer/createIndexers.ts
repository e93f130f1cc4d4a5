import { indexerHeaders } from '@lineage/referral-api/indexer-headers'
import { runningLimit } from '../lookupQueue.ts'
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
  /** Origins, those of a newer configuration first. */
  urls: readonly string[]
  /** Milliseconds between two checks of each, where there are several. */
  interval?: number
  /** Milliseconds that an indexer has to tell its status. */
  timeout?: number
}

export type Indexers = ReturnType<typeof createIndexers>

/**
 * Creates the list of the server's indexers: which of them answer, how far they are, and which one a lookup goes to. Several
 * are checked every second; what lookups find out meanwhile counts at once.
 */
export function createIndexers({ urls, interval = 1_000, timeout = 2_000 }: IndexersParameters) {
  const registry = createRegistry(urls)
  const { all } = registry
  const seen = createSeenBlocks()
  const tracker = createTracker()

  /** Chooses the indexer of a visitor's lookup; `undefined` if there is no other than `except`. */
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
      // It may have stopped without closing its connections: another one answers what it was asked.
      if (choose({ except: one })) tracker.giveUp(one)
    }
  })
  const checkAll = () => {
    for (const one of all) void check(one)
  }
  // A single one gets all lookups, whatever its state.
  const timer = all.length > 1 ? setInterval(checkAll, interval).unref() : undefined
  if (timer) checkAll()

  return {
    all,
    /** Returns how many answer lookups, and one at least. */
    count: () => Math.max(1, all.filter((one) => isAnswering(one) && one.index === registry.served()).length),
    choose,
    /** Returns the block that a visitor has seen, for which an indexer has to wait; `undefined` for none, or one indexer. */
    seenBy: (visitor: string) => (all.length > 1 ? seen.find(visitor) || undefined : undefined),
    noteSeen: seen.note,
    /**
     * Sends a request to an indexer, and notes what the answer tells of it. `send` gets the signal by which the request is given
     * up when the indexer falls silent. A failure counts as the indexer's, unless `isOurs`.
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
    /** Asks all for their status until one of them is ready. Returns the one that tells most. */
    async refresh(): Promise<KnownIndexer | undefined> {
      const ready = all.map(async (one) => {
        await check(one)
        if (one.state !== 'ready') throw new Error('not ready')
      })
      await Promise.any(ready).catch(() => undefined)
      return findBest(all, registry.served())
    },
    /** Calls a listener when another index is served. */
    onSwitch: registry.onSwitch,
    close: () => clearInterval(timer),
  }
}

/** Creates the list of the indexers with their states, and the name of the index that is served. */
function createRegistry(urls: readonly string[]) {
  const all: readonly KnownIndexer[] = urls.map(toUnknown)
  const listeners = new Set<() => void>()
  let served: string | undefined

  /** Notes the state of an indexer; serves another index when an indexer that is listed earlier has become ready. */
  function note(one: KnownIndexer, found: Partial<KnownIndexer>): void {
    Object.assign(one, found)
    const before = served
    served = findServedIndex(all, before)
    if (before === undefined || served === before) return
    console.info(`The index ${served} is served now instead of ${before}.`)
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

/** Returns the state of an indexer as the headers of its answer give it. */
const readHeaders = (one: KnownIndexer, { headers, status }: Response): Partial<KnownIndexer> => ({
  block: Number(headers.get(indexerHeaders.block) ?? one.block),
  index: headers.get(indexerHeaders.index) ?? one.index,
  ...(status < 500 && !isAnswering(one) && { state: 'answering', silentSince: undefined }),
})

/** Creates the function that checks an indexer; one that is being checked is not checked again. */
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
