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
 * Creates what the server knows of its indexers: which of them answer, how far they are, and which one a lookup goes to. Several
 * are checked every second; what lookups find out meanwhile counts at once.
 */
export function createIndexers({ urls, interval = 1_000, timeout = 2_000 }: IndexersParameters) {
  const all = urls.map(toUnknown)
  const seen = createSeenBlocks()
  const tracker = createTracker()
  const checks = new Map<KnownIndexer, Promise<void>>()
  const listeners = new Set<() => void>()
  let served: string | undefined

  /** Serves another index where one listed earlier has become ready. */
  function review(): void {
    const before = served
    served = findServedIndex(all, before)
    if (before === undefined || served === before) return
    console.info(`The index ${served} is served now instead of ${before}.`)
    for (const listener of listeners) listener()
  }

  /** Chooses the indexer of a visitor's lookup; `undefined` if there is no other than `except`. */
  const choose = ({ visitor, ...more }: { visitor?: string } & Pick<ChooseParameters, 'except' | 'prefer'> = {}) =>
    chooseIndexer(all, { ...more, index: served, atLeast: visitor ? seen.find(visitor) : 0, most: runningLimit })

  function markSilent(one: KnownIndexer): void {
    if (one.state !== 'silent' && all.length > 1) console.error(`The ${one.name} does not respond.`)
    Object.assign(one, { state: 'silent', status: undefined, silentSince: one.silentSince ?? Date.now() })
    review()
  }

  function noteHeaders(one: KnownIndexer, { headers, status }: Response): void {
    one.block = Number(headers.get(indexerHeaders.block) ?? one.block)
    one.index = headers.get(indexerHeaders.index) ?? one.index
    if (status < 500 && !isAnswering(one)) Object.assign(one, { state: 'answering', silentSince: undefined })
    review()
  }

  async function checkNow(one: KnownIndexer): Promise<void> {
    try {
      Object.assign(one, await checkIndexer(one, timeout))
      review()
    } catch {
      markSilent(one)
      // It may have stopped without closing its connections: another one answers what it was asked.
      if (choose({ except: one })) tracker.giveUp(one)
    }
  }

  /** Asks an indexer for its status; one that is being asked is not asked again. */
  function check(one: KnownIndexer): Promise<void> {
    const checking = checks.get(one) ?? checkNow(one).finally(() => checks.delete(one))
    checks.set(one, checking)
    return checking
  }

  const checkAll = () => {
    for (const one of all) void check(one)
  }
  // A single one gets all lookups, whatever its state.
  const timer = all.length > 1 ? setInterval(checkAll, interval).unref() : undefined
  if (timer) checkAll()

  return {
    all: all as readonly KnownIndexer[],
    /** Returns how many answer lookups, and one at least. */
    count: () => Math.max(1, all.filter((one) => isAnswering(one) && one.index === served).length),
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
        noteHeaders(one, response)
        return response
      } catch (error) {
        if (!isOurs()) markSilent(one)
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
      return findBest(all, served)
    },
    /** Calls a listener when another index is served. */
    onSwitch: (listener: () => void) => void listeners.add(listener),
    close: () => clearInterval(timer),
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
