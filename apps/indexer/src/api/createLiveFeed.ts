import type { Forest } from '@lineage/forest'
import {
  createLiveLog,
  type LiveCounts,
  type LiveItem,
  type LiveLine,
  type LiveLog,
  type LiveStep,
  liveId,
  liveLimit,
  liveStart,
  liveWindow,
} from '@lineage/referral-api/live'
import { type Address, zeroAddress } from 'viem'
import { checksumAddress } from '../../config/checksumAddress.ts'
import type { Community } from '../../config/index.ts'
import type { Tables } from './createTables.ts'
import { describeError } from './describeError.ts'
import type { EventRow } from './eventRow.ts'
import type { IndexView } from './indexState.ts'

export type LiveFeedParameters = {
  communities: readonly Pick<Community, 'id'>[]
  tables: Pick<Tables, 'readRecentBinds'>
  log?: (message: string) => void
  now?: () => number
}

export type LiveFeed = ReturnType<typeof createLiveFeed>

type BindRow = Omit<EventRow, 'kind' | 'community'> & { referrer: Address | null }

/** Number of levels above a bind whose teams are informed. */
const levelLimit = 1_000

/** Creates the feed of changes in each community, from which the server makes its streams. */
export function createLiveFeed({ communities, tables, log = () => {}, now = Date.now }: LiveFeedParameters) {
  const channels = new Map(communities.map(({ id }) => [id, createChannel(now)]))

  /** Reads the final binds that may be in the window, and one more for the state before them. */
  async function readFinal(community: string, finalizedBlock: number) {
    try {
      return await tables.readRecentBinds(community, finalizedBlock, liveLimit + 1)
    } catch (error) {
      log(`Recent binds cannot be read, so streams cannot be resumed: ${describeError(error)}`)
      return undefined
    }
  }

  return {
    /**
     * Starts again with the binds of the last ten minutes, after forests were loaded. `tail` are the rows that are
     * not final.
     */
    async begin(view: IndexView, tail: readonly EventRow[]): Promise<void> {
      for (const [id, channel] of channels) {
        const forest = view.forests.get(id)
        if (!forest) continue
        const { finalizedBlock } = view.asOf
        const final = await readFinal(id, finalizedBlock)
        channel.begin({
          view,
          forest,
          final,
          rows: tail.filter((row) => row.block > finalizedBlock && row.community === id),
        })
      }
    },
    /** Adds the rows of a change of the index. `fork` is the first block that a reorganisation rolled back. */
    advance(view: IndexView, { fork, rows }: { fork: number | undefined; rows: readonly EventRow[] }): void {
      for (const [id, channel] of channels) {
        const forest = view.forests.get(id)
        const own = rows.filter((row) => row.community === id)
        if (forest && (own.length > 0 || fork !== undefined)) channel.advance({ view, forest, fork, rows: own })
        else channel.settle(view, forest)
      }
    },
    /** Calls a listener with all kept lines, then with each change. Returns a function that stops it. */
    subscribe(community: string, listener: (line: LiveLine) => void): () => void {
      return channels.get(community)?.subscribe(listener) ?? (() => {})
    },
  }
}

type Change = { view: IndexView; forest: Forest; rows: readonly EventRow[] }

function createChannel(now: () => number) {
  let log: LiveLog = createLiveLog(liveStart)
  let counts: LiveCounts | undefined
  /** Binds that are not final, with the state after each, and the state before them. */
  let tail: { id: string; item: LiveItem }[] = []
  let base = liveStart
  const listeners = new Set<(line: LiveLine) => void>()

  function add(row: BindRow, forest: Forest, at: number): LiveStep {
    const item = toItem(row, forest)
    const step: LiveStep = { id: liveId(item.bind), at, event: 'bind', block: row.block, items: [item] }
    log.add(step)
    tail.push({ id: step.id, item })
    return step
  }

  /** Removes the binds from a block on. */
  function retract(block: number): LiveStep[] {
    const items = tail.filter(({ item }) => item.bind.block >= block).map(({ item }) => item)
    if (items.length === 0) return []
    tail = tail.slice(0, tail.length - items.length)
    const step: LiveStep = { id: tail.at(-1)?.id ?? base, at: now(), event: 'retracted', block, items }
    log.add(step)
    return [step]
  }

  /** Moves on to a view, of which a new listener is told first. */
  function settle(view: IndexView, forest: Forest | undefined): void {
    const { finalizedBlock } = view.asOf
    if (forest) counts = toCounts(view, forest)
    const rest = tail.findIndex(({ item }) => item.bind.block > finalizedBlock)
    const count = rest === -1 ? tail.length : rest
    base = tail[count - 1]?.id ?? base
    tail = tail.slice(count)
    log.trim(now(), finalizedBlock)
  }

  const tell = (line: LiveLine) => {
    for (const listener of listeners) listener(line)
  }
  const toLog = (): LiveLine[] => (counts ? [{ type: 'log', floor: log.floor, steps: log.steps, counts }] : [])

  return {
    settle,
    begin({ view, forest, final, rows }: Change & { final: readonly BindRow[] | undefined }): void {
      const since = now() - liveWindow
      const recent = final?.findIndex(({ timestamp }) => timestamp * 1_000 >= since) ?? -1
      const old = recent === -1 ? (final?.length ?? 0) : Math.max(recent, final && final.length > liveLimit ? 1 : 0)
      const last = final?.[old - 1]
      // Without the binds of the window, no earlier stream can be resumed.
      base = final ? (last ? liveId(toItem(last, forest).bind) : liveStart) : `unknown-${now()}`
      log = createLiveLog(base)
      tail = []
      for (const row of final?.slice(old) ?? []) add(row, forest, row.timestamp * 1_000)
      for (const row of rows) if (row.kind === 'bind') add(row, forest, now())
      settle(view, forest)
      for (const line of toLog()) tell(line)
    },
    advance({ view, forest, fork, rows }: Change & { fork: number | undefined }): void {
      const steps = fork === undefined ? [] : retract(fork)
      for (const row of rows) if (row.kind === 'bind') steps.push(add(row, forest, now()))
      settle(view, forest)
      tell({ type: 'change', steps, counts: toCounts(view, forest) })
    },
    subscribe(listener: (line: LiveLine) => void): () => void {
      for (const line of toLog()) listener(line)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const toCounts = ({ asOf }: IndexView, forest: Forest): LiveCounts => ({ asOf, members: forest.counts.members })

function toItem(row: BindRow, forest: Forest): LiveItem {
  const { block, logIndex, timestamp, blockHash: hash } = row
  const referrer = row.referrer ?? zeroAddress
  const status = forest.statusAt(row)
  const bind = {
    address: checksumAddress(row.member),
    referrer: checksumAddress(referrer),
    status,
    block,
    logIndex,
    timestamp,
    hash,
  }
  const id = forest.find(referrer)
  const above = id === undefined ? [] : forest.referrers(id, { limit: levelLimit }).items.map(({ address }) => address)
  const teams = [row.member, referrer, ...above].map((address) => address.toLowerCase())
  return { bind, teams: [...new Set(teams)] }
}
