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
import { checksumAddress } from '../../../config/checksumAddress.ts'
import type { IndexView } from '../reader/indexState.ts'
import type { EventRow } from '../tables/eventRow.ts'

type BindRow = Omit<EventRow, 'kind' | 'community'> & { referrer: Address | null }
type Change = { view: IndexView; forest: Forest; rows: readonly EventRow[] }

/** The state of a channel. */
type Channel = {
  now: () => number
  log: LiveLog
  counts: LiveCounts | undefined
  /** Binds that are not final, each with the id of the state after it. */
  tail: { id: string; item: LiveItem }[]
  /** Id of the state before `tail`. */
  base: string
  listeners: Set<(line: LiveLine) => void>
}

/** Number of levels above a bind whose teams are informed. */
const levelLimit = 1_000

/** Creates the channel of one community: it keeps the steps of the last ten minutes, and sends new ones to its listeners. */
export function createLiveChannel(now: () => number) {
  const channel: Channel = {
    now,
    log: createLiveLog(liveStart),
    counts: undefined,
    tail: [],
    base: liveStart,
    listeners: new Set(),
  }
  return {
    settle: (view: IndexView, forest: Forest | undefined) => settle(channel, view, forest),
    begin: (change: Change & { final: readonly BindRow[] | undefined }) => begin(channel, change),
    advance: (change: Change & { fork: number | undefined }) => advance(channel, change),
    subscribe(listener: (line: LiveLine) => void): () => void {
      for (const line of toLog(channel)) listener(line)
      channel.listeners.add(listener)
      return () => void channel.listeners.delete(listener)
    },
  }
}

/** Starts again with the final binds of the window, and the rows that are not final. */
function begin(
  channel: Channel,
  { view, forest, final, rows }: Change & { final: readonly BindRow[] | undefined },
): void {
  const { now } = channel
  const since = now() - liveWindow
  const recent = final?.findIndex(({ timestamp }) => timestamp * 1_000 >= since) ?? -1
  const old = recent === -1 ? (final?.length ?? 0) : Math.max(recent, final && final.length > liveLimit ? 1 : 0)
  const last = final?.[old - 1]
  // Without the binds of the window, no earlier stream can be resumed.
  channel.base = final ? (last ? liveId(toItem(last, forest).bind) : liveStart) : `unknown-${now()}`
  channel.log = createLiveLog(channel.base)
  channel.tail = []
  for (const row of final?.slice(old) ?? []) add(channel, row, forest, row.timestamp * 1_000)
  for (const row of rows) if (row.kind === 'bind') add(channel, row, forest, now())
  settle(channel, view, forest)
  for (const line of toLog(channel)) send(channel, line)
}

/** Retracts the binds that a reorganisation removed, adds the new ones, and sends the change to the listeners. */
function advance(channel: Channel, { view, forest, fork, rows }: Change & { fork: number | undefined }): void {
  const steps = fork === undefined ? [] : retract(channel, fork)
  for (const row of rows) if (row.kind === 'bind') steps.push(add(channel, row, forest, channel.now()))
  settle(channel, view, forest)
  send(channel, { type: 'change', steps, counts: toCounts(view, forest) })
}

function add({ log, tail }: Channel, row: BindRow, forest: Forest, at: number): LiveStep {
  const item = toItem(row, forest)
  const step: LiveStep = { id: liveId(item.bind), at, event: 'bind', block: row.block, items: [item] }
  log.add(step)
  tail.push({ id: step.id, item })
  return step
}

/** Removes the binds from a block on. */
function retract(channel: Channel, block: number): LiveStep[] {
  const { tail, base, log, now } = channel
  const items = tail.filter(({ item }) => item.bind.block >= block).map(({ item }) => item)
  if (items.length === 0) return []
  channel.tail = tail.slice(0, tail.length - items.length)
  const step: LiveStep = { id: channel.tail.at(-1)?.id ?? base, at: now(), event: 'retracted', block, items }
  log.add(step)
  return [step]
}

/** Updates the counts for new listeners from a view, and removes binds that became final from `tail`. */
function settle(channel: Channel, view: IndexView, forest: Forest | undefined): void {
  const { tail, log, now } = channel
  const { finalizedBlock } = view.asOf
  if (forest) channel.counts = toCounts(view, forest)
  const rest = tail.findIndex(({ item }) => item.bind.block > finalizedBlock)
  const count = rest === -1 ? tail.length : rest
  channel.base = tail[count - 1]?.id ?? channel.base
  channel.tail = tail.slice(count)
  log.trim(now(), finalizedBlock)
}

function send({ listeners }: Channel, line: LiveLine): void {
  for (const listener of listeners) listener(line)
}

const toLog = ({ log, counts }: Channel): LiveLine[] =>
  counts ? [{ type: 'log', floor: log.floor, steps: log.steps, counts }] : []

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
